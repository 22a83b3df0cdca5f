package io.cuprum;

import io.cuprum.internal.CuprumNative;

/** A pool of managed memory, which moves to where it is used. */
public final class ManagedMemoryResource extends PooledMemoryResource {
    /**
     * The driver's own pool.
     *
     * @throws UnsupportedException when the driver does not support such pools, which need CUDA 13
     */
    public ManagedMemoryResource() {
        super(current());
    }

    /**
     * A new pool.
     *
     * @param preferredLocation the preferred location of its pages; null: where they are used
     * @throws UnsupportedException when the driver does not support such pools, which need CUDA 13
     */
    public ManagedMemoryResource(MemoryLocation preferredLocation) {
        super(create(preferredLocation));
    }

    /** {@return the preferred location of its pages; null: where they are used} */
    public MemoryLocation preferredLocation() {
        return location();
    }

    @Override
    public ManagedBuffer allocate(long size, Stream stream) {
        return (ManagedBuffer) super.allocate(size, stream);
    }

    @Override
    Buffer wrap(long buffer) {
        return new ManagedBuffer(buffer, this);
    }

    private static long current() {
        long[] resource = new long[1];
        CuprumNative.cuprum_memory_resource_of_managed_memory(resource);
        return resource[0];
    }

    private static long create(MemoryLocation location) {
        long[] resource = new long[1];
        CuprumNative.cuprum_memory_resource_create_managed(
                resource, MemoryLocation.kind(location), MemoryLocation.id(location));
        return resource[0];
    }
}
