// Every call of kafkajs against a broker: node kafkajs.js HOST:PORT
// Prints "ok NAME" or "FAIL NAME: why" for each.
'use strict';

const assert = require('node:assert');
const { createRequire } = require('node:module');
const path = require('node:path');
const {
  Kafka, logLevel, CompressionTypes, ConfigResourceTypes, AclResourceTypes, AclOperationTypes, AclPermissionTypes,
  ResourcePatternTypes,
} = createRequire(path.join(process.env.NODE_PATH, 'x.js'))('kafkajs');

const PATIENCE_MS = 40000;
const kafka = new Kafka({ clientId: 'kafkajs', brokers: [process.argv[2]], logLevel: logLevel.NOTHING });
const admin = kafka.admin();
const topic = `kafkajs-${Date.now()}`;
const group = `group-${topic}`;
let sent = 0;

function within(limitMs, what, promise) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${limitMs} ms`)), limitMs);
  });
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}

async function check(name, scenario) {
  try {
    await within(PATIENCE_MS, name, scenario());
    console.log(`ok ${name}`);
  } catch (error) {
    console.log(`FAIL ${name}: ${String(error.message).split('\n')[0]}`);
  }
}

async function withProducer(settings, use) {
  const producer = kafka.producer(settings);
  await producer.connect();
  try {
    await use(producer);
  } finally {
    await producer.disconnect();
  }
}

function produce(name, settings) {
  return check(`produce ${name}`, () => withProducer({}, async (producer) => {
    const messages = Array.from({ length: 50 }, (_, at) => ({
      key: `k${at}`, value: `v${at}`, headers: { from: name },
    }));
    await producer.send({ topic, messages, ...settings });
    sent += messages.length;
  }));
}

async function topics() {
  await check('createTopics', async () => {
    const request = { topics: [{ topic, numPartitions: 3, replicationFactor: 1 }], waitForLeaders: true };
    assert(await admin.createTopics(request));
    assert(!await admin.createTopics(request), 'a second time');
  });
  await check('fetchTopicMetadata', async () => {
    const found = await admin.fetchTopicMetadata({ topics: [topic] });
    assert.strictEqual(found.topics[0].partitions.length, 3);
  });
  await check('listTopics', async () => assert((await admin.listTopics()).includes(topic)));
  await check('describeCluster', async () => {
    const cluster = await admin.describeCluster();
    assert.strictEqual(cluster.brokers.length, 1);
    assert.strictEqual(cluster.controller, cluster.brokers[0].nodeId);
  });
}

async function producing() {
  await produce('acks=0', { acks: 0 });
  await produce('acks=1', { acks: 1 });
  await produce('acks=all', { acks: -1 });
  await produce('gzip', { acks: -1, compression: CompressionTypes.GZIP });
  const once = { idempotent: true, maxInFlightRequests: 1 };
  await check('produce idempotent', () => withProducer(once, async (producer) => {
    await producer.send({ topic, messages: [{ value: 'once' }] });
    sent += 1;
  }));
  const transactional = { ...once, transactionalId: `tx-${topic}` };
  await check('transaction', () => withProducer(transactional, async (producer) => {
    let transaction = await producer.transaction();
    await transaction.send({ topic, messages: [{ value: 'committed' }] });
    await transaction.sendOffsets({
      consumerGroupId: `tx-${group}`, topics: [{ topic, partitions: [{ partition: 0, offset: '1' }] }],
    });
    await transaction.commit();
    sent += 1;
    transaction = await producer.transaction();
    await transaction.send({ topic, messages: [{ value: 'aborted' }] });
    await transaction.abort();
  }));
}

async function groups() {
  await check('a group reads what is committed', async () => {
    const consumer = kafka.consumer({ groupId: group, readUncommitted: false });
    await consumer.connect();
    const values = [];
    try {
      await consumer.subscribe({ topic, fromBeginning: true });
      await within(30000, 'all records', new Promise((resolve, reject) => {
        consumer.run({
          eachMessage: async ({ message }) => {
            values.push(message.value.toString());
            if (values.length === sent) resolve();
          },
        }).catch(reject);
      })).catch((error) => { throw new Error(`${error.message}: got ${values.length} of ${sent}`); });
    } finally {
      await consumer.disconnect();
    }
    assert(!values.includes('aborted'), 'an aborted record was seen');
    assert.strictEqual(values.length, sent);
  });
  await check('two members share a topic', async () => {
    const members = [0, 1].map(() => kafka.consumer({ groupId: `two-${group}` }));
    try {
      const shares = members.map((member) => new Promise((resolve) => {
        member.on(member.events.GROUP_JOIN, ({ payload }) => {
          // One has all three until the other has joined.
          const own = payload.memberAssignment[topic] || [];
          if (own.length === 1 || own.length === 2) resolve();
        });
      }));
      for (const member of members) {
        await member.connect();
        await member.subscribe({ topic, fromBeginning: true });
        await member.run({ eachMessage: async () => {} });
      }
      await within(30000, 'a share each', Promise.all(shares));
    } finally {
      for (const member of members) await member.disconnect();
    }
  });
  await check('fetchOffsets', async () => {
    const [found] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
    assert.strictEqual(found.partitions.length, 3);
  });
  await check('fetchTopicOffsets', async () => {
    const offsets = await admin.fetchTopicOffsets(topic);
    assert.strictEqual(offsets.length, 3);
    assert(offsets.reduce((sum, { high }) => sum + Number(high), 0) >= sent);
  });
  await check('fetchTopicOffsetsByTimestamp', async () => {
    const offsets = await admin.fetchTopicOffsetsByTimestamp(topic, 1);
    assert.deepStrictEqual(offsets.map(({ offset }) => offset), ['0', '0', '0']);
  });
  await check('setOffsets and resetOffsets', async () => {
    const groupId = `set-${group}`;
    const read = async () => (await admin.fetchOffsets({ groupId, topics: [topic] }))[0].partitions;
    await admin.setOffsets({ groupId, topic, partitions: [{ partition: 0, offset: '5' }] });
    assert.strictEqual((await read()).find(({ partition }) => partition === 0).offset, '5');
    await admin.resetOffsets({ groupId, topic, earliest: true });
    assert.strictEqual((await read()).find(({ partition }) => partition === 0).offset, '-2');
  });
  await check('listGroups', async () => {
    assert((await admin.listGroups()).groups.some(({ groupId }) => groupId === group));
  });
  await check('describeGroups', async () => {
    const [described] = (await admin.describeGroups([group])).groups;
    assert.strictEqual(described.errorCode, 0);
    assert.strictEqual(described.state, 'Empty');
  });
  await check('deleteGroups', async () => assert.strictEqual((await admin.deleteGroups([group]))[0].errorCode, 0));
}

async function administration() {
  const resource = { type: ConfigResourceTypes.TOPIC, name: topic };
  const retention = async () => {
    const found = await admin.describeConfigs({ includeSynonyms: true, resources: [resource] });
    return found.resources[0].configEntries.find(({ configName }) => configName === 'retention.ms').configValue;
  };
  await check('describeConfigs', async () => assert.strictEqual(await retention(), '604800000'));
  await check('alterConfigs', async () => {
    const configEntries = [{ name: 'retention.ms', value: '100000' }];
    await admin.alterConfigs({ resources: [{ ...resource, configEntries }] });
    assert.strictEqual(await retention(), '100000');
  });
  await check('createPartitions', async () => {
    await admin.createPartitions({ topicPartitions: [{ topic, count: 4 }] });
    assert.strictEqual((await admin.fetchTopicMetadata({ topics: [topic] })).topics[0].partitions.length, 4);
  });
  await check('deleteTopicRecords', async () => {
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '2' }] });
    const offsets = await admin.fetchTopicOffsets(topic);
    assert.strictEqual(offsets.find(({ partition }) => partition === 0).low, '2');
  });
  const acl = {
    resourceType: AclResourceTypes.TOPIC,
    resourceName: topic,
    resourcePatternType: ResourcePatternTypes.LITERAL,
    principal: 'User:bob',
    host: '*',
    operation: AclOperationTypes.READ,
    permissionType: AclPermissionTypes.ALLOW,
  };
  await check('createAcls', async () => assert(await admin.createAcls({ acl: [acl] })));
  await check('describeAcls', async () => assert.strictEqual((await admin.describeAcls(acl)).resources.length, 1));
  await check('deleteAcls', async () => {
    const { filterResponses } = await admin.deleteAcls({ filters: [acl] });
    assert.strictEqual(filterResponses[0].matchingAcls.length, 1);
  });
  await check('listPartitionReassignments', () => admin.listPartitionReassignments({}));
  await check('deleteTopics', async () => {
    await admin.deleteTopics({ topics: [topic] });
    assert(!(await admin.listTopics()).includes(topic));
  });
}

async function main() {
  await admin.connect();
  await topics();
  await producing();
  await groups();
  await administration();
  await admin.disconnect();
  // Consumers of failed checks may still hold timers.
  process.exit(0);
}

main().catch((error) => { console.error(error); process.exit(1); });
