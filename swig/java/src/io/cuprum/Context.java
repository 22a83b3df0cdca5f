package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What work runs in: a device's primary context, or a green one, which has a part of its multiprocessors. A green context
 * that was created lives as long as its last {@code Context} or stream.
 */
public final class Context extends ContextMembers {
    Context(long handle) {
        super(handle, CuprumNative::cuprum_context_destroy);
    }

    static Context create(Device device, List<SMResource> resources) {
        ByteBuffer together = SMResource.together(resources);
        long[] context = new long[1];
        CuprumNative.cuprum_context_create(
                context, device.deviceId(), CuprumNative.host_address(together), together.capacity());
        Reference.reachabilityFence(together);
        return new Context(context[0]);
    }

    static Context create(Device device, List<SMResource> resources, WorkqueueResource workqueue) {
        ByteBuffer together = SMResource.together(resources);
        long[] context = new long[1];
        CuprumNative.cuprum_context_create_with_workqueue(context, device.deviceId(),
                CuprumNative.host_address(together), together.capacity(), workqueue.sharingScope().ordinal(),
                workqueue.concurrencyLimit());
        Reference.reachabilityFence(together);
        return new Context(context[0]);
    }

    /** {@return the context that is current on this thread, whoever made it so; null where none is} */
    public static Context current() {
        long[] context = new long[1];
        CuprumNative.cuprum_context_current(context);
        return context[0] == 0 ? null : new Context(context[0]);
    }

    /** {@return the multiprocessors that its work may use} */
    public SMResource smResource() {
        return SMResource.of(this);
    }

    /**
     * {@return how its streams get at the device's queues}
     *
     * @throws UnsupportedException when the driver is older than CUDA 13.1
     */
    public WorkqueueResource workqueueResource() {
        return WorkqueueResource.of(this);
    }

    /** {@return a new stream whose work uses the multiprocessors of this context; the caller closes it} */
    public Stream createStream() {
        return createStream(new StreamOptions());
    }

    /**
     * A stream whose work uses the multiprocessors of this context, which the stream keeps.
     *
     * @param options how to make it
     * @return the stream; the caller closes it
     * @throws InvalidArgumentException when a green context is asked for a stream that blocks
     */
    public Stream createStream(StreamOptions options) {
        return with(Operations.CONTEXT_CREATE_STREAM, context -> {
            long[] stream = new long[1];
            CuprumNative.cuprum_context_create_stream(
                    stream, context, options.nonblocking() ? 0 : 1, options.priority());
            return new Stream(stream[0]);
        });
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Context
                && (this == other || !isClosed() && !((Context) other).isClosed() && ((Context) other).handle() == handle());
    }

    @Override
    public int hashCode() {
        return isClosed() ? System.identityHashCode(this) : Long.hashCode(handle());
    }
}
