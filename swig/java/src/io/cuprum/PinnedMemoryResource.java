package io.cuprum;

import io.cuprum.internal.CuprumNative;

/**
 * A pool of page-locked host memory, which the CPU and the kernels of all devices can use. {@link
 * LegacyPinnedMemoryResource} works on devices without such pools.
 */
public final class PinnedMemoryResource extends PooledMemoryResource {
    /**
     * The driver's own pool.
     *
     * @throws UnsupportedException when no device supports such pools, which need CUDA 13
     */
    public PinnedMemoryResource() {
        super(current());
    }

    /**
     * A new pool.
     *
     * @param options the options
     * @throws UnsupportedException when no device supports such pools, which need CUDA 13
     */
    public PinnedMemoryResource(PinnedMemoryResourceOptions options) {
        super(create(options));
    }

    private PinnedMemoryResource(long handle) {
        super(handle);
    }

    /**
     * A new pool that other processes can open, and its buffers.
     *
     * @param options the options; a node of -1 stands for the one that is nearest to the current device
     * @return the pool
     * @throws UnsupportedException when no device supports such pools, which need CUDA 13
     */
    public static PinnedMemoryResource createShareable(PinnedMemoryResourceOptions options) {
        long[] resource = new long[1];
        CuprumNative.cuprum_memory_resource_create_shareable_pinned(resource, options.numaId(), options.maxSize());
        return new PinnedMemoryResource(resource[0]);
    }

    /**
     * Opens a pool that another process shares. Nothing can be allocated from it: its buffers are opened with {@link
     * Buffer#fromIpcHandle}.
     *
     * @param allocationHandle a file descriptor that this process inherited, or got over a Unix socket; it stays the
     *         caller's
     * @return the pool
     * @throws InvalidArgumentException when this process has no open file of that number
     */
    public static PinnedMemoryResource fromAllocationHandle(int allocationHandle) {
        long[] resource = new long[1];
        CuprumNative.cuprum_memory_resource_pinned_from_allocation_handle(resource, allocationHandle);
        return new PinnedMemoryResource(resource[0]);
    }

    private static long current() {
        long[] resource = new long[1];
        CuprumNative.cuprum_memory_resource_of_pinned_memory(resource);
        return resource[0];
    }

    private static long create(PinnedMemoryResourceOptions options) {
        long[] resource = new long[1];
        CuprumNative.cuprum_memory_resource_create_pinned(resource, options.numaId(), options.maxSize());
        return resource[0];
    }
}
