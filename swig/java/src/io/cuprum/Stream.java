package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.HostFunctions;
import io.cuprum.internal.Operations;
import io.cuprum.internal.PendingHostMemory;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * A queue of work on a device. Made by {@link Device#createStream()}.
 *
 * <p>Closing does not wait: the work in the stream goes on. The one exception is copies of direct buffers
 * that nobody has waited for: closing then waits, because the buffers' memory must outlive them.
 */
public final class Stream extends StreamMembers {
    private final PendingHostMemory pending;

    Stream(long handle) {
        this(handle, new PendingHostMemory());
    }

    private Stream(long handle, PendingHostMemory pending) {
        super(handle, value -> destroy(value, pending));
        this.pending = pending;
    }

    /**
     * Borrows a stream that other code has made.
     *
     * @param device the device that the stream belongs to
     * @param handle the CUstream, as an integer; the caller keeps it alive
     * @return a stream whose closing leaves the CUstream alone
     */
    public static Stream fromHandle(Device device, long handle) {
        long[] stream = new long[1];
        CuprumNative.cuprum_stream_from_native(stream, device.deviceId(), handle);
        return new Stream(stream[0]);
    }

    /** {@return the context that its work runs in; the caller closes it} */
    public Context context() {
        return with(Operations.CONTEXT_OF_STREAM, stream -> {
            long[] context = new long[1];
            CuprumNative.cuprum_context_of_stream(context, stream);
            return new Context(context[0]);
        });
    }

    /**
     * {@return a graph builder that captures what is put into this stream; the caller closes it. The legacy default stream
     * cannot be captured}
     */
    public GraphBuilder createGraphBuilder() {
        return with(Operations.GRAPH_BUILDER_CREATE, stream -> {
            long[] builder = new long[1];
            CuprumNative.cuprum_graph_builder_create(builder, stream);
            return new GraphBuilder(builder[0]);
        });
    }

    /** {@return whether all work so far has finished} */
    public boolean isDone() {
        return with(Operations.STREAM_IS_DONE, this::releaseIfDone);
    }

    /**
     * Waits for all work so far.
     *
     * @throws DeviceFaultException when a kernel in it failed
     */
    public void sync() {
        with(Operations.STREAM_SYNC, stream -> {
            long mark = pending.mark();
            CuprumNative.cuprum_stream_sync(stream);
            pending.passed(mark);
            return null;
        });
    }

    /**
     * Records a new event after all work so far.
     *
     * @param options the event's options
     * @return the event; the caller closes it
     */
    public Event record(EventOptions options) {
        Event event = device().createEvent(options);
        try {
            record(event);
            return event;
        } catch (RuntimeException error) {
            event.close();
            throw error;
        }
    }

    /**
     * Launches a kernel; asynchronous. Arguments are checked against the kernel's parameters before the launch.
     *
     * <p>Each argument has exactly the width of its Java type: byte and boolean 1, short 2, int and float 4, long and
     * double 8 bytes. A {@link Buffer} is passed as its device address; any other device address is a long. Java has no
     * unsigned types, so an unsigned parameter takes the signed type of its width. A struct is a {@link Value} of an
     * {@link ElementType#structure}, passed with exactly its bytes.
     *
     * @param config grid, block, shared memory and the rest
     * @param kernel the kernel to launch
     * @param arguments one argument for each parameter
     * @throws ArgumentMismatchException when there are too many or too few, or one has the wrong width
     * @throws InvalidArgumentException when the configuration exceeds a limit of the device
     * @throws IllegalArgumentException when an argument has a type that no kernel accepts
     */
    public void launch(LaunchConfig config, Kernel kernel, Object... arguments) {
        long[] packed = Arguments.pack(arguments);
        try {
            config.launch(open(Operations.LAUNCH), kernel.open(Operations.LAUNCH), packed);
        } finally {
            Reference.reachabilityFence(arguments);    // and with them the buffers whose handles are in `packed`
            Reference.reachabilityFence(kernel);
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Calls a function on a thread of the driver's when all work so far is done; later work waits until it returns.
     *
     * <p>It must not use CUDA, nor wait for a thread that does. What it throws goes to the thread's handler of uncaught
     * exceptions. It is kept until it has been called. It is never called where the device fails first, and when the JVM
     * exits.
     *
     * @param function what to call
     */
    public void launchHostFunction(Runnable function) {
        Objects.requireNonNull(function, "function must not be null");
        with(Operations.STREAM_LAUNCH_HOST_FUNCTION, stream -> {
            HostFunctions.launch(stream, function);
            return null;
        });
    }

    /**
     * Makes later work wait until the 4 bytes at byte {@code offset} of the buffer fulfil the condition, whoever writes
     * them: the CPU, a kernel, another stream or another device.
     *
     * @param buffer must live until the stream has passed this
     * @param offset bytes
     * @param value to compare with
     * @param condition how
     * @throws InvalidArgumentException when the address is not aligned to 4 bytes, or not inside of the buffer
     */
    public void waitValue32(Buffer buffer, long offset, int value, WaitCondition condition) {
        waitValue32(buffer, offset, value, condition, false);
    }

    /**
     * The same, and what other devices have written before may be made visible, too.
     *
     * @param buffer must live until the stream has passed this
     * @param offset bytes
     * @param value to compare with
     * @param condition how
     * @param flush what other devices have written before is then visible, where the device can do that
     */
    public void waitValue32(Buffer buffer, long offset, int value, WaitCondition condition, boolean flush) {
        with(Operations.STREAM_WAIT_VALUE32, stream -> buffer.with(Operations.STREAM_WAIT_VALUE32, words -> {
            CuprumNative.cuprum_stream_wait_value32(
                    stream, words, offset, Integer.toUnsignedLong(value), condition.ordinal(), flush ? 1 : 0);
            return null;
        }));
    }

    /**
     * Writes the 4 bytes at byte {@code offset} of the buffer after all work so far. What this work wrote is visible
     * first.
     *
     * @param buffer must live until the stream has passed this
     * @param offset bytes
     * @param value to write
     * @throws InvalidArgumentException when the address is not aligned to 4 bytes, or not inside of the buffer
     */
    public void writeValue32(Buffer buffer, long offset, int value) {
        with(Operations.STREAM_WRITE_VALUE32, stream -> buffer.with(Operations.STREAM_WRITE_VALUE32, words -> {
            CuprumNative.cuprum_stream_write_value32(stream, words, offset, Integer.toUnsignedLong(value));
            return null;
        }));
    }

    /**
     * Makes later work wait until the 8 bytes at byte {@code offset} of the buffer fulfil the condition, whoever writes
     * them: the CPU, a kernel, another stream or another device.
     *
     * @param buffer must live until the stream has passed this
     * @param offset bytes
     * @param value to compare with
     * @param condition how
     * @throws InvalidArgumentException when the address is not aligned to 8 bytes, or not inside of the buffer
     */
    public void waitValue64(Buffer buffer, long offset, long value, WaitCondition condition) {
        waitValue64(buffer, offset, value, condition, false);
    }

    /**
     * The same, and what other devices have written before may be made visible, too.
     *
     * @param buffer must live until the stream has passed this
     * @param offset bytes
     * @param value to compare with
     * @param condition how
     * @param flush what other devices have written before is then visible, where the device can do that
     */
    public void waitValue64(Buffer buffer, long offset, long value, WaitCondition condition, boolean flush) {
        with(Operations.STREAM_WAIT_VALUE64, stream -> buffer.with(Operations.STREAM_WAIT_VALUE64, words -> {
            CuprumNative.cuprum_stream_wait_value64(
                    stream, words, offset, value, condition.ordinal(), flush ? 1 : 0);
            return null;
        }));
    }

    /**
     * Writes the 8 bytes at byte {@code offset} of the buffer after all work so far. What this work wrote is visible
     * first.
     *
     * @param buffer must live until the stream has passed this
     * @param offset bytes
     * @param value to write
     * @throws InvalidArgumentException when the address is not aligned to 8 bytes, or not inside of the buffer
     */
    public void writeValue64(Buffer buffer, long offset, long value) {
        with(Operations.STREAM_WRITE_VALUE64, stream -> buffer.with(Operations.STREAM_WRITE_VALUE64, words -> {
            CuprumNative.cuprum_stream_write_value64(stream, words, offset, value);
            return null;
        }));
    }

    /** Keeps host memory reachable until a copy that starts now has ended. Call it before the copy. */
    void keepUntilPassed(Object hostMemory) {
        if (pending.add(hostMemory)) {
            isDone();
        }
    }

    private boolean releaseIfDone(long stream) {
        long mark = pending.mark();
        int[] done = new int[1];
        CuprumNative.cuprum_stream_is_done(done, stream);
        if (done[0] != 0) {
            pending.passed(mark);
        }
        return done[0] != 0;
    }

    private static void destroy(long stream, PendingHostMemory pending) {
        try {
            if (!pending.isEmpty()) {
                CuprumNative.cuprum_stream_sync(stream);
            }
        } finally {
            CuprumNative.cuprum_stream_destroy(stream);
            Reference.reachabilityFence(pending);
        }
    }
}
