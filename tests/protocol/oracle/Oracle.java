import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.stream.Collectors;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.PrimitiveRef;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator;
import org.apache.kafka.storage.internals.log.RecordValidationException;

/**
 * What Apache Kafka says to the batch of a produce request: reads one case a line,
 * "version now before after logAppendTime compacted maxBytes maxRecordBytes hex", and answers one line,
 * "code indexes maxTimestamp message".
 */
public class Oracle {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder out = new StringBuilder();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.append(answer(line.split(" ", -1))).append('\n');
        }
        System.out.print(out);
    }

    static String answer(String[] f) {
        try {
            MemoryRecords records = MemoryRecords.readableRecords(ByteBuffer.wrap(HexFormat.of().parseHex(f[8])));
            return "0 - " + check(records, Short.parseShort(f[0]), f) + " -";
        } catch (RecordValidationException e) {
            String indexes = e.recordErrors().stream().map(r -> Integer.toString(r.batchIndex)).collect(Collectors.joining(","));
            return Errors.forException(e.invalidException()).code() + " " + indexes + " - " + text(e.invalidException());
        } catch (Throwable e) {
            return Errors.forException(e).code() + " - - " + text(e);
        }
    }

    static String text(Throwable e) {
        return (e.getClass().getSimpleName() + ": " + e.getMessage()).replace('\n', ' ');
    }

    static long check(MemoryRecords records, short version, String[] f) {
        ProduceRequest.validateRecords(version, records);
        CompressionType source = CompressionType.NONE;
        for (RecordBatch batch : records.batches()) {
            if (batch.baseOffset() != 0) throw new InvalidRecordException("base offset");
            batch.lastOffset();
            if (batch.sizeInBytes() > Integer.parseInt(f[6])) throw new RecordTooLargeException("size");
            if (!batch.isValid()) throw new CorruptRecordException("crc");
            source = CompressionType.forId(batch.compressionType().id);
        }
        long now = Long.parseLong(f[1]);
        LogValidator validator = new LogValidator(
            records, new TopicPartition("t", 0),
            (Time) stub(Time.class, now), source, Compression.of(source).build(), f[5].equals("1"), (byte) 2,
            f[4].equals("1") ? TimestampType.LOG_APPEND_TIME : TimestampType.CREATE_TIME,
            Long.parseLong(f[2]), Long.parseLong(f[3]), 0, AppendOrigin.CLIENT, Integer.parseInt(f[7]));
        return validator.validateMessagesAndAssignOffsets(
            PrimitiveRef.ofLong(0), (LogValidator.MetricsRecorder) stub(LogValidator.MetricsRecorder.class, now),
            BufferSupplier.NO_CACHING).maxTimestampMs();
    }

    static Object stub(Class<?> type, long now) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> millis(method, now));
    }

    static Object millis(Method method, long now) {
        return method.getReturnType() == long.class ? now : null;
    }
}
