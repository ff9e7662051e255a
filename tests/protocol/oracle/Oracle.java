import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.PrimitiveRef;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator;
import org.apache.kafka.storage.internals.log.RecordValidationException;

/**
 * Answers each line of input with one line, through Apache Kafka's own code:
 * "batch version now before after logAppendTime compacted maxBytes maxRecordBytes hex" with what a broker says to it,
 * "code indexes maxTimestamp message"; "message class version hex" with the message decoded and encoded again;
 * "codec id hex" with the bytes decompressed, and compressed again.
 */
public class Oracle {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder out = new StringBuilder();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] fields = line.split(" ", -1);
            out.append(switch (fields[0]) {
                case "batch" -> answer(Arrays.copyOfRange(fields, 1, fields.length));
                case "message" -> message(fields[1], Short.parseShort(fields[2]), HexFormat.of().parseHex(fields[3]));
                default -> codec(Integer.parseInt(fields[1]), HexFormat.of().parseHex(fields[2]));
            }).append('\n');
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

    static String message(String name, short version, byte[] bytes) {
        try {
            Message message = (Message) Class.forName(name).getConstructor().newInstance();
            ByteBufferAccessor reader = new ByteBufferAccessor(ByteBuffer.wrap(bytes));
            message.read(reader, version);
            if (reader.remaining() > 0) return reader.remaining() + " bytes are left";
            ObjectSerializationCache cache = new ObjectSerializationCache();
            ByteBuffer buffer = ByteBuffer.allocate(message.size(cache, version));
            message.write(new Plain(buffer), cache, version);
            return HexFormat.of().formatHex(buffer.array());
        } catch (Throwable e) {
            return text(e);
        }
    }

    /** Writes records as well, by copy. */
    static class Plain extends ByteBufferAccessor {
        private final ByteBuffer buffer;

        Plain(ByteBuffer buffer) {
            super(buffer);
            this.buffer = buffer;
        }

        @Override
        public void writeRecords(BaseRecords records) {
            buffer.put(((MemoryRecords) records).buffer());
        }
    }

    static String codec(int id, byte[] bytes) throws Exception {
        Compression compression = Compression.of(CompressionType.forId(id)).build();
        byte[] plain = compression.wrapForInput(ByteBuffer.wrap(bytes), (byte) 2, BufferSupplier.NO_CACHING).readAllBytes();
        ByteBufferOutputStream packed = new ByteBufferOutputStream(1024);
        try (OutputStream out = compression.wrapForOutput(packed, (byte) 2)) {
            out.write(plain);
        }
        packed.buffer().flip();
        byte[] again = new byte[packed.buffer().remaining()];
        packed.buffer().get(again);
        return HexFormat.of().formatHex(plain) + " " + HexFormat.of().formatHex(again);
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
