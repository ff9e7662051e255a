import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * What applications do with the Java client, in calls that every release since 2.0 has: RoundTrip HOST:PORT RELEASE.
 * Prints "ok RELEASE NAME" or "FAIL RELEASE NAME: why" for each scenario.
 */
public class RoundTrip {
    private static final int RECORDS = 100;
    private static final long PATIENCE_MS = 20_000;

    private final String bootstrap;
    private final String release;
    private final String topic = "java-" + System.nanoTime();

    private RoundTrip(String bootstrap, String release) {
        this.bootstrap = bootstrap;
        this.release = release;
    }

    public static void main(String[] arguments) {
        new RoundTrip(arguments[0], arguments[1]).run();
        System.exit(0);
    }

    private interface Scenario {
        void run() throws Exception;
    }

    private void check(String name, Scenario scenario) {
        try {
            scenario.run();
            System.out.println("ok " + release + " " + name);
        } catch (Exception | AssertionError problem) {
            System.out.println("FAIL " + release + " " + name + ": " + String.valueOf(problem).split("\n")[0]);
        }
    }

    private static void same(Object expected, Object found) {
        if (!expected.equals(found)) throw new AssertionError("expected " + expected + ", found " + found);
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", bootstrap);
        settings.put("key.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        settings.put("value.serializer", "org.apache.kafka.common.serialization.StringSerializer");
        settings.put("key.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
        settings.put("value.deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
        settings.put("group.id", "group-" + topic);
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", "false");
        settings.put("isolation.level", "read_committed");
        settings.put("compression.type", "lz4");
        settings.put("enable.idempotence", "true");
        settings.put("max.block.ms", "5000");
        return settings;
    }

    private void run() {
        check("admin", this::admin);
        check("describing creates nothing", this::describeUnknown);
        check("produce", this::produce);
        check("group", this::group);
        check("offsets for times", this::offsetsForTimes);
        check("seek", this::seek);
        check("transaction", this::transaction);
    }

    /** Release 3.1 has the answer's method renamed, and 4.0 has no longer the old one. */
    @SuppressWarnings("unchecked")
    private static TopicDescription describe(AdminClient admin, String topic) throws Exception {
        DescribeTopicsResult result = admin.describeTopics(Collections.singleton(topic));
        Method method;
        try {
            method = result.getClass().getMethod("allTopicNames");
        } catch (NoSuchMethodException old) {
            method = result.getClass().getMethod("all");
        }
        return ((KafkaFuture<Map<String, TopicDescription>>) method.invoke(result)).get().get(topic);
    }

    private void admin() throws Exception {
        try (AdminClient admin = AdminClient.create(settings())) {
            admin.createTopics(Collections.singleton(new NewTopic(topic, 3, (short) 1))).all().get();
            same(true, admin.listTopics().names().get().contains(topic));
            same(1, admin.describeCluster().nodes().get().size());
            same(3, describe(admin, topic).partitions().size());
        }
    }

    private void describeUnknown() throws Exception {
        try (AdminClient admin = AdminClient.create(settings())) {
            try {
                describe(admin, "nope");
                throw new AssertionError("an unknown topic was described");
            } catch (ExecutionException refused) {
                same(UnknownTopicOrPartitionException.class, refused.getCause().getClass());
            }
            same(false, admin.listTopics().names().get().contains("nope"));
        }
    }

    private void produce() throws Exception {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings())) {
            for (int at = 0; at < RECORDS; at++) producer.send(new ProducerRecord<>(topic, "k" + at, "v" + at));
            producer.flush();
            ProducerRecord<String, String> last = new ProducerRecord<>(topic, 0, "k", "last");
            last.headers().add("h", new byte[] {1, 2});
            same(true, producer.send(last).get().hasOffset());
        }
    }

    private void group() {
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings())) {
            consumer.subscribe(Collections.singleton(topic));
            Set<String> values = new HashSet<>();
            long end = System.currentTimeMillis() + PATIENCE_MS;
            while (values.size() <= RECORDS && System.currentTimeMillis() < end) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(300))) {
                    same(true, values.add(record.value()));
                    if (record.value().equals("last")) same(2, record.headers().lastHeader("h").value().length);
                }
            }
            same(RECORDS + 1, values.size());
            consumer.commitSync();
            same(3, consumer.assignment().size());
        }
    }

    private void offsetsForTimes() {
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings())) {
            TopicPartition first = new TopicPartition(topic, 0);
            long now = System.currentTimeMillis();
            Map<TopicPartition, OffsetAndTimestamp> later =
                consumer.offsetsForTimes(Collections.singletonMap(first, now + 3_600_000));
            same(true, later.get(first) == null);
            same(0L, consumer.offsetsForTimes(Collections.singletonMap(first, now - 3_600_000)).get(first).offset());
            long end = consumer.endOffsets(Collections.singleton(first)).get(first);
            same(true, end > 0);
            same(0L, consumer.beginningOffsets(Collections.singleton(first)).get(first));
        }
    }

    private void seek() {
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings())) {
            TopicPartition first = new TopicPartition(topic, 0);
            consumer.assign(Arrays.asList(first));
            consumer.seekToEnd(Arrays.asList(first));
            long end = consumer.position(first);
            consumer.seek(first, end - 1);
            long limit = System.currentTimeMillis() + PATIENCE_MS;
            while (System.currentTimeMillis() < limit) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(300))) {
                    same(end - 1, record.offset());
                    same("last", record.value());
                    return;
                }
            }
            throw new AssertionError("nothing was read");
        }
    }

    private void transaction() throws Exception {
        Map<String, Object> settings = settings();
        settings.put("transactional.id", "tx-" + topic);
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings)) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, "k", "committed"));
            producer.commitTransaction();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, "k", "aborted")).get();
            producer.abortTransaction();
        }
        settings.put("group.id", "tx-" + topic);
        Set<String> values = new HashSet<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings)) {
            consumer.subscribe(Collections.singleton(topic));
            long end = System.currentTimeMillis() + PATIENCE_MS;
            while (values.size() < RECORDS + 2 && System.currentTimeMillis() < end) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(300))) {
                    values.add(record.value());
                }
            }
        }
        same(RECORDS + 2, values.size());
        same(false, values.contains("aborted"));
    }
}
