// Applies the operations of a file to Kafka's own ProducerStateManager, in the way of UnifiedLog, and prints for each what
// came of it: tests/formats/oracle.rs compares that with ours. In Kafka's package, for what is not public there.
package org.apache.kafka.storage.internals.log;

import java.io.*;
import java.nio.file.*;
import java.util.*;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.*;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.*;
import org.apache.kafka.common.utils.Time;

public class ProducerReplay {
  static ProducerStateManager states;
  static long end;

  public static void main(String[] args) throws Exception {
    reset();
    try (var lines = new BufferedReader(new FileReader(args[0])); var out = new PrintStream(new BufferedOutputStream(new FileOutputStream(args[1])))) {
      for (String line; (line = lines.readLine()) != null; ) {
        String result;
        try {
          result = apply(line.split(" "));
        } catch (ApiException e) {
          result = "error " + Errors.forException(e).code();
        }
        String unstable = states.firstUnstableOffset().map(o -> "" + o.messageOffset).orElse("-");
        String undecided = states.firstUndecidedOffset().isPresent() ? "" + states.firstUndecidedOffset().getAsLong() : "-";
        out.println(line + " => " + result + " | " + unstable + " " + undecided + " " + states.mapEndOffset());
      }
    }
  }

  static void reset() throws IOException {
    File directory = Files.createTempDirectory("oracle").toFile();
    var config = new ProducerStateManagerConfig(1_000_000, true);
    states = new ProducerStateManager(new TopicPartition("t", 0), directory, 900_000, config, Time.SYSTEM);
    end = 0;
  }

  static boolean ongoing(long id, short epoch) {
    var entry = states.activeProducers().get(id);
    return entry != null && entry.currentTxnFirstOffset().isPresent() && entry.producerEpoch() == epoch;
  }

  static void checkTransaction(long id, short epoch) {
    var entry = states.activeProducers().get(id);
    if (!ongoing(id, epoch) && entry != null && epoch < entry.producerEpoch()) throw new InvalidProducerEpochException("");
  }

  static String apply(String[] w) throws IOException {
    switch (w[0]) {
      case "reset": reset(); return "ok";
      case "watermark": states.onHighWatermarkUpdated(Long.parseLong(w[1])); return "ok";
      case "expire": states.removeExpiredProducers(Long.parseLong(w[1])); return "" + states.producerIdCount();
      case "late": return "" + states.hasLateTransaction(Long.parseLong(w[1]));
      case "show": return show();
      case "verify": return verify(Long.parseLong(w[1]), Integer.parseInt(w[2]), Short.parseShort(w[3]), w[4].equals("true"));
      case "marker": return marker(Long.parseLong(w[1]), Short.parseShort(w[2]), Integer.parseInt(w[3]), w[4].equals("true"), Short.parseShort(w[5]), Long.parseLong(w[6]));
      default: return batch(AppendOrigin.valueOf(w[0]), Long.parseLong(w[1]), Short.parseShort(w[2]), Integer.parseInt(w[3]), Integer.parseInt(w[4]), w[5].equals("true"), Long.parseLong(w[6]), w[7].equals("true"));
    }
  }

  static String verify(long id, int sequence, short epoch, boolean bump) {
    var entry = states.activeProducers().get(id);
    if (entry != null && epoch < entry.producerEpoch()) throw new InvalidProducerEpochException("");
    if (ongoing(id, epoch)) return "none";
    states.maybeCreateVerificationStateEntry(id, sequence, epoch, bump);
    return "guard";
  }

  static String batch(AppendOrigin origin, long id, short epoch, int sequence, int count, boolean transactional, long time, boolean guard) {
    int last = sequence == -1 ? -1 : DefaultRecordBatch.incrementSequence(sequence, count - 1);
    var entry = states.lastEntry(id);
    if (origin == AppendOrigin.CLIENT && entry.isPresent() && entry.get().producerEpoch() == epoch)
      for (var known : entry.get().batchMetadata())
        if (known.firstSeq() == sequence && known.lastSeq() == last) return "duplicate " + known.firstOffset() + " " + known.lastOffset() + " " + known.timestamp();
    if (origin != AppendOrigin.REPLICATION && transactional) {
      checkTransaction(id, epoch);
      if (!ongoing(id, epoch) && (!guard || states.verificationStateEntry(id) == null)) throw new InvalidTxnStateException("");
    }
    var info = states.prepareUpdate(id, origin);
    info.appendDataBatch(epoch, sequence, last, time, new LogOffsetMetadata(end), end + count - 1, transactional);
    if (transactional) states.clearVerificationStateEntry(id);
    states.update(info);
    return appended(count);
  }

  static String marker(long id, short epoch, int coordinatorEpoch, boolean commit, short version, long time) {
    checkTransaction(id, epoch);
    var info = states.prepareUpdate(id, AppendOrigin.COORDINATOR);
    var type = commit ? ControlRecordType.COMMIT : ControlRecordType.ABORT;
    var completed = info.appendEndTxnMarker(new EndTransactionMarker(type, coordinatorEpoch), epoch, end, time, version);
    var verification = states.verificationStateEntry(id);
    boolean nextBegun = verification != null && verification.supportsEpochBump() && epoch == verification.epoch();
    if (!nextBegun) states.clearVerificationStateEntry(id);
    states.update(info);
    String result = "";
    if (completed.isPresent()) {
      var done = completed.get();
      result = " done " + done.firstOffset() + " " + done.lastOffset() + " " + done.isAborted() + " " + states.lastStableOffset(done);
      states.completeTxn(done);
    }
    return appended(1) + result;
  }

  static String appended(int count) {
    long base = end;
    end += count;
    states.updateMapEndOffset(end);
    return "append " + base;
  }

  static String show() {
    var text = new StringBuilder();
    for (var producer : new TreeMap<>(states.activeProducers()).values()) {
      text.append("[").append(producer.producerId()).append(" ").append(producer.producerEpoch()).append(" ").append(producer.coordinatorEpoch());
      text.append(" ").append(producer.lastTimestamp()).append(" ").append(producer.currentTxnFirstOffset().orElse(-1));
      for (var known : producer.batchMetadata()) text.append(" ").append(known.firstSeq()).append("-").append(known.lastSeq()).append("@").append(known.firstOffset()).append("-").append(known.lastOffset()).append("/").append(known.timestamp());
      text.append("]");
    }
    return text.toString();
  }
}
