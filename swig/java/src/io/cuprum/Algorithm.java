package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.HostMemory;
import io.cuprum.internal.NativeHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * One of CUB's algorithms, compiled for types and an operator: built once, called many times, from several threads too.
 *
 * <p>Calls are asynchronous, in the stream's order, and can be captured in a graph; the buffers must stay open until
 * the stream has passed them. Temporary storage comes from the device's stream-ordered pool, or from
 * {@link CallOptions#tempStorage}. Building throws {@link CompileException} where an operator's text does not compile;
 * its log has the text's own lines.
 *
 * <p>Built for {@link Execution#HOST} an algorithm is called without a stream, over arrays instead of buffers: Java's own
 * (boolean[], byte[], short[], int[], long[], float[] or double[]), which are copied out of the heap and back, or a
 * {@link HostArray}, also over a direct ByteBuffer, in place.
 */
public abstract class Algorithm implements AutoCloseable {
    /** A build function of the C ABI, called with the array for the new handle. */
    @FunctionalInterface
    interface Build {
        void run(long[] built, NativeExecution where);
    }

    private final NativeHandle handle;
    private final boolean onHost;

    /** For the classes of this package, which are all there are. */
    Algorithm(Execution execution, Build build) {
        NativeExecution where = NativeExecution.of(execution);
        long[] built = new long[1];
        build.run(built, where);
        onHost = where.isHost();
        handle = new NativeHandle(this, built[0], CuprumNative::cuprum_parallel_algorithm_destroy);
    }

    /**
     * Returns how much temporary storage a call needs.
     *
     * @param count the most elements of the call
     * @return bytes; 0 for algorithms that need none
     */
    public final long tempStorageBytes(long count) {
        try {
            long[] bytes = new long[1];
            CuprumNative.cuprum_parallel_temp_storage_bytes(bytes, open("asking for temporary storage"), count);
            return bytes[0];
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** {@return its compiled code, for {@link #loadBuilds}} */
    public final byte[] save() {
        try {
            byte[][] data = new byte[1][];
            CuprumNative.cuprum_parallel_save(data, open("saving builds"));
            return data[0];
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Loads what {@link #save()} returned, in any language: building the same algorithms then needs no compiler.
     *
     * @param device the device that will run them
     * @param saved the saved bytes
     * @throws UnsupportedException when none of it runs on the device, or another version of Cuprum saved it
     * @throws InvalidArgumentException when the data is damaged
     */
    public static void loadBuilds(Device device, byte[] saved) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(saved.length).put(saved).flip();
        CuprumNative.cuprum_parallel_load_builds(device.deviceId(), HostMemory.addressOf(bytes), saved.length);
        Reference.reachabilityFence(bytes);
    }

    @Override
    public final void close() {
        handle.close();
    }

    /** The native handle; the caller keeps this algorithm reachable for as long as it uses it. */
    final long open(String operation) {
        if (handle.isClosed()) {
            throw Errors.closed(this, operation);
        }
        return handle.value();
    }

    /** The native handles of the iterators that an algorithm is built for. */
    static long[] open(String operation, ElementIterator[] inputs) {
        long[] opened = new long[inputs.length];
        for (int i = 0; i < inputs.length; ++i) {
            opened[i] = inputs[i].open(operation);
        }
        return opened;
    }

    /** The same for a call on a device that reads `count` elements of each. */
    static long[] openOnDevice(String operation, ElementIterator[] inputs, long count) {
        long[] opened = new long[inputs.length];
        for (int i = 0; i < inputs.length; ++i) {
            opened[i] = inputs[i].openOnDevice(operation, count);
        }
        return opened;
    }

    /** For calls without a stream. */
    final void requireHost(String operation) {
        if (!onHost) {
            throw Errors.invalidArgument(operation, "stream",
                    "is missing, and the algorithm was built for a device: give one, and Buffers");
        }
    }

    /** The address of a buffer with room for `count` elements; `name` is the parameter's. */
    static long addressOf(String operation, String name, Buffer buffer, ElementType type, long count) {
        if (count < 0 || count > buffer.size() / type.size()) {
            throw Errors.invalidArgument(operation, name, "has " + buffer.size() + " bytes; " + count + " elements of "
                    + type.name() + " have " + type.size() + " each");
        }
        return buffer.handle();
    }

    /** The same where an iterator may be in place of the buffer: then 0, and the other function gives its handle. */
    static long outputAddress(String operation, String name, Object output, ElementType type, long count) {
        return output instanceof Buffer buffer ? addressOf(operation, name, buffer, type, count) : 0;
    }

    /** The native handle of an iterator that is written through; 0 for a buffer. */
    static long outputIterator(String operation, Object output, long count) {
        return output instanceof ElementIterator iterator ? iterator.openOnDevice(operation, count) : 0;
    }

    /** The same of an iterator that an algorithm is built for, or null. */
    static long outputIterator(String operation, ElementIterator output) {
        return output == null ? 0 : output.open(operation);
    }

    /** The same for memory that a call has if, and only if, the algorithm was built with its type; else 0. */
    static long addressIfBuilt(String operation, String name, Buffer buffer, ElementType type, long count) {
        return isGiven(operation, name, buffer, type) ? addressOf(operation, name, buffer, type, count) : 0;
    }

    /** Refuses memory that the algorithm was not built for, and missing memory that it was built for. */
    static boolean isGiven(String operation, String name, Object memory, ElementType type) {
        if ((memory == null) != (type == null)) {
            throw Errors.invalidArgument(operation, name, type == null
                    ? "is given, but the algorithm was built without it"
                    : "is null, and the algorithm was built with elements of " + type);
        }
        return type != null;
    }

    /** The address where C reads a value of that type; `name` is the parameter's. */
    static long addressOf(String operation, String name, Value value, ElementType type) {
        if (!value.type().equals(type)) {
            throw Errors.invalidArgument(operation, name, "is a " + value.type() + ", expected a " + type);
        }
        return value.address();
    }

    /** The elements of an array, which are of that type, where C reads them; `name` is the parameter's. */
    static HostArray elementsOf(String operation, String name, Object array, ElementType type) {
        HostArray elements = HostArrays.of(array);
        if (!elements.type().equals(type)) {
            throw Errors.invalidArgument(
                    operation, name, "has elements of " + elements.type() + ", expected " + type);
        }
        return elements;
    }

    /** The sum of an array of numbers, long[] or a HostArray of INT64. */
    static long sum(Object array) {
        HostArray elements = HostArrays.of(array);
        long sum = 0;
        for (int i = 0; i < elements.length(); ++i) {
            sum += elements.get(i).number().longValue();
        }
        return sum;
    }

    static long length(Object array) {
        return HostArrays.of(array).length();
    }

    /** Keeps what C uses by its address or handle from being collected before C has returned. */
    static void keep(Object first, Object second, Object third, Object fourth) {
        Reference.reachabilityFence(first);
        Reference.reachabilityFence(second);
        Reference.reachabilityFence(third);
        Reference.reachabilityFence(fourth);
    }
}
