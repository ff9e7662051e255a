// Applies the operations of a file to Kafka's own LeaderEpochFileCache and prints for each the answer and all entries;
// tests/formats/oracle.rs compares that with ours.
import java.io.*;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.server.util.Scheduler;
import org.apache.kafka.storage.internals.checkpoint.LeaderEpochCheckpointFile;
import org.apache.kafka.storage.internals.epoch.LeaderEpochFileCache;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;

public class EpochReplay {
  public static void main(String[] args) throws Exception {
    File directory = new File(Files.createTempDirectory("oracle").toFile(), "t-0");
    directory.mkdirs();
    var scheduler = (Scheduler) Proxy.newProxyInstance(EpochReplay.class.getClassLoader(), new Class<?>[] {Scheduler.class}, (p, m, a) -> null);
    var file = new LeaderEpochCheckpointFile(new File(directory, "leader-epoch-checkpoint"), new LogDirFailureChannel(1));
    var cache = new LeaderEpochFileCache(new TopicPartition("t", 0), file, scheduler);
    try (var lines = new BufferedReader(new FileReader(args[0])); var out = new PrintStream(new BufferedOutputStream(new FileOutputStream(args[1])))) {
      for (String line; (line = lines.readLine()) != null; ) {
        String result = apply(cache, line.split(" "));
        out.println(line + " => " + result + " | " + list(cache.epochEntries()));
      }
    }
  }

  static String list(java.util.List<org.apache.kafka.storage.internals.log.EpochEntry> entries) {
    return entries.stream().map(e -> e.epoch() + "@" + e.startOffset()).collect(Collectors.joining(" "));
  }

  static String apply(LeaderEpochFileCache cache, String[] w) {
    long number = Long.parseLong(w[1]);
    switch (w[0]) {
      case "assign":
        try {
          cache.assign((int) number, Long.parseLong(w[2]));
        } catch (IllegalArgumentException e) {
          return "refused";
        }
        return "ok";
      case "end": cache.truncateFromEndAsyncFlush(number); return "ok";
      case "start": cache.truncateFromStartAsyncFlush(number); return "ok";
      case "ends":
        var end = cache.endOffsetFor((int) number, Long.parseLong(w[2]));
        return end.getKey() + "@" + end.getValue();
      case "epoch":
        var epoch = cache.epochForOffset(number);
        return epoch.isPresent() ? "" + epoch.getAsInt() : "-";
      case "previous": return cache.previousEntry((int) number).map(e -> e.epoch() + "@" + e.startOffset()).orElse("-");
      default: return list(cache.epochEntriesInRange(number, Long.parseLong(w[2])));
    }
  }
}
