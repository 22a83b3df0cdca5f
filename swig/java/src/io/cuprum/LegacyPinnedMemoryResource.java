package io.cuprum;

import io.cuprum.internal.CuprumNative;

/**
 * Page-locked host memory, each buffer a separate allocation by the driver. The CPU and the kernels of all devices use
 * the same bytes, and copies between it and a device in a stream are asynchronous. Freeing it waits for the device.
 */
public final class LegacyPinnedMemoryResource extends MemoryResource {
    /** The first allocation loads the driver. */
    public LegacyPinnedMemoryResource() {
        super(create());
    }

    private static long create() {
        long[] resource = new long[1];
        CuprumNative.cuprum_memory_resource_create_legacy_pinned(resource);
        return resource[0];
    }
}
