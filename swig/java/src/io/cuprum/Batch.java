package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.HostMemory;
import io.cuprum.internal.Operations;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;

/** Many copies, or many ranges of managed memory, in one call. */
public final class Batch {
    private Batch() {}

    /**
     * Copies each source to the destination of its number, which has the same size, in the stream's order.
     *
     * @param stream the stream to copy in
     * @param sources the buffers to copy, all of each
     * @param destinations the buffers to copy to, as many
     * @throws InvalidArgumentException when the numbers or sizes differ, or a destination overlaps other memory of the
     *         batch
     */
    public static void copy(Stream stream, List<? extends Buffer> sources, List<? extends Buffer> destinations) {
        copy(stream, sources, destinations, new CopyOptions());
    }

    /**
     * Copies each source to the destination of its number, which has the same size, in the stream's order. The copies
     * themselves take place in any order or at once. Where the driver has no batches (before CUDA 13, in default
     * streams, in captures), the buffers are copied one after another.
     *
     * @param stream the stream to copy in
     * @param sources the buffers to copy, all of each
     * @param destinations the buffers to copy to, as many
     * @param options hints for all copies
     * @throws InvalidArgumentException when the numbers or sizes differ, or a destination overlaps other memory of the
     *         batch
     */
    public static void copy(Stream stream, List<? extends Buffer> sources, List<? extends Buffer> destinations,
            CopyOptions options) {
        Objects.requireNonNull(options, "options must not be null");
        String operation = Operations.COPY_BATCH;
        ByteBuffer from = handles(sources, "sources", operation);
        ByteBuffer to = handles(destinations, "destinations", operation);
        try {
            CuprumNative.cuprum_copy_batch(stream.open(operation), HostMemory.addressOf(from), from.capacity(),
                    HostMemory.addressOf(to), to.capacity(), options.sourceAccessOrder().number,
                    MemoryLocation.kind(options.sourceLocationHint()), MemoryLocation.id(options.sourceLocationHint()),
                    MemoryLocation.kind(options.destinationLocationHint()),
                    MemoryLocation.id(options.destinationLocationHint()),
                    options.preferOverlapWithCompute() ? 1 : 0);
        } finally {
            Reference.reachabilityFence(from);
            Reference.reachabilityFence(to);
            Reference.reachabilityFence(sources);
            Reference.reachabilityFence(destinations);
            Reference.reachabilityFence(stream);
        }
    }

    /**
     * Moves the pages of managed memory, in the stream's order.
     *
     * @param stream the stream to work in
     * @param buffers the managed memory
     * @param locations where to move them: one location for each buffer, or one for all
     */
    public static void prefetch(
            Stream stream, List<? extends Buffer> buffers, List<? extends MemoryLocation> locations) {
        String operation = Operations.PREFETCH_BATCH;
        ByteBuffer moved = handles(buffers, "buffers", operation);
        ByteBuffer there = pairs(locations);
        try {
            CuprumNative.cuprum_prefetch_batch(stream.open(operation), HostMemory.addressOf(moved), moved.capacity(),
                    address(there), there.limit());
        } finally {
            Reference.reachabilityFence(moved);
            Reference.reachabilityFence(there);
            Reference.reachabilityFence(buffers);
            Reference.reachabilityFence(stream);
        }
    }

    /**
     * Discards the contents of managed memory: from here on in the stream they are undefined until they are written.
     *
     * @param stream the stream to work in
     * @param buffers the managed memory
     * @throws UnsupportedException when the driver is older than CUDA 13
     */
    public static void discard(Stream stream, List<? extends Buffer> buffers) {
        String operation = Operations.DISCARD_BATCH;
        ByteBuffer discarded = handles(buffers, "buffers", operation);
        try {
            CuprumNative.cuprum_discard_batch(
                    stream.open(operation), HostMemory.addressOf(discarded), discarded.capacity());
        } finally {
            Reference.reachabilityFence(discarded);
            Reference.reachabilityFence(buffers);
            Reference.reachabilityFence(stream);
        }
    }

    /**
     * Discards the contents of managed memory and moves its pages without copying them.
     *
     * @param stream the stream to work in
     * @param buffers the managed memory
     * @param locations where to move them: one location for each buffer, or one for all
     * @throws UnsupportedException when the driver is older than CUDA 13
     */
    public static void discardPrefetch(
            Stream stream, List<? extends Buffer> buffers, List<? extends MemoryLocation> locations) {
        String operation = Operations.DISCARD_PREFETCH_BATCH;
        ByteBuffer discarded = handles(buffers, "buffers", operation);
        ByteBuffer there = pairs(locations);
        try {
            CuprumNative.cuprum_discard_prefetch_batch(stream.open(operation), HostMemory.addressOf(discarded),
                    discarded.capacity(), address(there), there.limit());
        } finally {
            Reference.reachabilityFence(discarded);
            Reference.reachabilityFence(there);
            Reference.reachabilityFence(buffers);
            Reference.reachabilityFence(stream);
        }
    }

    /** The handles as C takes them. */
    private static ByteBuffer handles(List<? extends Buffer> buffers, String name, String operation) {
        Objects.requireNonNull(buffers, name + " must not be null");
        ByteBuffer packed = ByteBuffer.allocateDirect(Long.BYTES * buffers.size()).order(ByteOrder.nativeOrder());
        for (Buffer buffer : buffers) {
            packed.putLong(Objects.requireNonNull(buffer, name + " must not have a null").open(operation));
        }
        return packed.clear();
    }

    private static ByteBuffer pairs(List<? extends MemoryLocation> locations) {
        Objects.requireNonNull(locations, "locations must not be null");
        // Never without memory, which C would take for none.
        ByteBuffer packed = ByteBuffer.allocateDirect(Math.max(1, 2 * locations.size()) * Integer.BYTES)
                .order(ByteOrder.nativeOrder());
        for (MemoryLocation location : locations) {
            packed.putInt(MemoryLocation.kind(location)).putInt(MemoryLocation.id(location));
        }
        return packed.flip();
    }

    private static long address(ByteBuffer direct) {
        return CuprumNative.host_address(direct);
    }
}
