package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.NativeHandle;
import io.cuprum.internal.PendingHostMemory;
import java.lang.ref.Reference;
import java.util.function.LongFunction;

/**
 * A queue of work on a device. Made by {@link Device#createStream()}.
 *
 * <p>Closing does not wait: the work in the stream goes on. The one exception are copies of direct buffers whose end
 * nobody has waited for; closing then waits, because the buffers' memory must outlive them.
 */
public final class Stream implements AutoCloseable {
    private final NativeHandle handle;
    private final PendingHostMemory pending = new PendingHostMemory();

    Stream(long handle) {
        PendingHostMemory pendingCopies = pending;    // the handle must not refer to this stream
        this.handle = new NativeHandle(this, handle, value -> destroy(value, pendingCopies));
    }

    /**
     * Borrows a stream that other code has made.
     *
     * @param device whose stream it is
     * @param handle the CUstream, as an integer; the caller keeps it alive
     * @return a stream whose closing leaves the CUstream alone
     */
    public static Stream fromHandle(Device device, long handle) {
        long[] stream = new long[1];
        CuprumNative.cuprum_stream_from_native(stream, device.deviceId(), handle);
        return new Stream(stream[0]);
    }

    /** {@return the CUstream, as an integer; valid until this stream is closed} */
    public long handle() {
        return with("asking a stream for its handle", stream -> {
            long[] handle = new long[1];
            CuprumNative.cuprum_stream_native(handle, stream);
            return handle[0];
        });
    }

    /** {@return the device that the stream belongs to} */
    public Device device() {
        return with("asking a stream for its device", stream -> {
            int[] device = new int[1];
            CuprumNative.cuprum_stream_device(device, stream);
            return new Device(device[0]);
        });
    }

    /** {@return whether it does not synchronise with the legacy default stream} */
    public boolean isNonblocking() {
        return with("asking a stream whether it is nonblocking", stream -> {
            int[] nonblocking = new int[1];
            CuprumNative.cuprum_stream_is_nonblocking(nonblocking, stream);
            return nonblocking[0] != 0;
        });
    }

    /** {@return the priority; lower numbers first} */
    public int priority() {
        return with("asking a stream for its priority", stream -> {
            int[] priority = new int[1];
            CuprumNative.cuprum_stream_priority(priority, stream);
            return priority[0];
        });
    }

    /** {@return whether all work so far has finished} */
    public boolean isDone() {
        return with("asking a stream whether it is done", this::releaseIfDone);
    }

    /**
     * Waits for all work so far.
     *
     * @throws DeviceFaultException when a kernel in it failed
     */
    public void sync() {
        with("synchronising a stream", stream -> {
            long mark = pending.mark();
            CuprumNative.cuprum_stream_sync(stream);
            pending.passed(mark);
            return null;
        });
    }

    /**
     * Records a new event after all work so far.
     *
     * @param options how to make the event
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
     * Records an event after all work so far.
     *
     * @param event of the same device
     */
    public void record(Event event) {
        with("recording an event in a stream", stream -> event.with("recording an event in a stream", recorded -> {
            CuprumNative.cuprum_stream_record(stream, recorded);
            return null;
        }));
    }

    /**
     * Makes later work in this stream wait for an event. Does not wait itself.
     *
     * @param event a recorded event
     */
    public void waitFor(Event event) {
        with("making a stream wait for an event", stream -> event.with("making a stream wait for an event", awaited -> {
            CuprumNative.cuprum_stream_wait_event(stream, awaited);
            return null;
        }));
    }

    /**
     * Makes later work in this stream wait for all work so far in another. Does not wait itself.
     *
     * @param other the other stream
     */
    public void waitFor(Stream other) {
        with("making a stream wait for another", stream -> other.with("making a stream wait for another", awaited -> {
            CuprumNative.cuprum_stream_wait_stream(stream, awaited);
            return null;
        }));
    }

    /**
     * Launches a kernel; asynchronous. Arguments are checked against the kernel's parameters before the launch.
     *
     * <p>Each argument has exactly the width of its Java type: byte and boolean 1, short 2, int and float 4, long and
     * double 8 bytes. A {@link Buffer} is passed as its device address; any other device address is a long. Java has no
     * unsigned types, so an unsigned parameter takes the signed type of its width.
     *
     * @param config grid, block, shared memory
     * @param kernel what to launch
     * @param arguments one for each parameter
     * @throws ArgumentMismatchException when their number or the width of one is wrong
     * @throws InvalidArgumentException when the configuration is over a limit of the device
     * @throws IllegalArgumentException when an argument is of a type that no kernel takes
     */
    public void launch(LaunchConfig config, Kernel kernel, Object... arguments) {
        long[] packed = Arguments.pack(arguments);
        Dimensions grid = config.grid();
        Dimensions block = config.block();
        try {
            CuprumNative.cuprum_launch(
                    open("launching a kernel"), grid.x(), grid.y(), grid.z(), block.x(), block.y(), block.z(),
                    config.shmemSize(), config.isCooperative() ? 1 : 0, kernel.open("launching a kernel"), packed);
        } finally {
            Reference.reachabilityFence(arguments);    // and with them the buffers whose handles are in `packed`
            Reference.reachabilityFence(kernel);
            Reference.reachabilityFence(this);
        }
    }

    /** {@return whether {@link #close()} has been called} */
    public boolean isClosed() {
        return handle.isClosed();
    }

    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return "Stream " + Long.toHexString(handle.value());
    }

    /** The native handle. The caller keeps this stream reachable while it uses it. */
    long open(String operation) {
        if (handle.isClosed()) {
            throw Errors.closed(this, operation);
        }
        return handle.value();
    }

    /** Runs `action` with the native handle; this stream stays reachable meanwhile. */
    <T> T with(String operation, LongFunction<T> action) {
        try {
            return action.apply(open(operation));
        } finally {
            Reference.reachabilityFence(this);
        }
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
