package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import io.cuprum.internal.PendingHostMemory;
import java.lang.ref.Reference;

/**
 * A queue of work on a device. Made by {@link Device#createStream()}.
 *
 * <p>Closing does not wait: the work in the stream goes on. The one exception are copies of direct buffers whose end
 * nobody has waited for; closing then waits, because the buffers' memory must outlive them.
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
     * @param device whose stream it is
     * @param handle the CUstream, as an integer; the caller keeps it alive
     * @return a stream whose closing leaves the CUstream alone
     */
    public static Stream fromHandle(Device device, long handle) {
        long[] stream = new long[1];
        CuprumNative.cuprum_stream_from_native(stream, device.deviceId(), handle);
        return new Stream(stream[0]);
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
                    open(Operations.LAUNCH), grid.x(), grid.y(), grid.z(), block.x(), block.y(), block.z(),
                    config.shmemSize(), config.isCooperative() ? 1 : 0, kernel.open(Operations.LAUNCH), packed);
        } finally {
            Reference.reachabilityFence(arguments);    // and with them the buffers whose handles are in `packed`
            Reference.reachabilityFence(kernel);
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
