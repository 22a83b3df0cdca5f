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
