package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;

/** Allocates buffers. Its buffers keep their memory when it is closed; it then allocates no more. */
public abstract class MemoryResource extends MemoryResourceMembers {
    MemoryResource(long handle) {
        super(handle, CuprumNative::cuprum_memory_resource_destroy);
    }

    /**
     * Memory that is usable from any stream at once.
     *
     * @param size bytes; 0 gives an empty buffer
     * @return the buffer; the caller closes it
     * @throws OutOfMemoryException when there is not that much
     */
    public Buffer allocate(long size) {
        return allocateIn(size, 0);
    }

    /**
     * The same, freed after the work in a stream, as {@link Buffer#setDeallocationStream(Stream)} says.
     *
     * @param size bytes; 0 gives an empty buffer
     * @param stream kept alive by the buffer
     * @return the buffer; the caller closes it
     * @throws OutOfMemoryException when there is not that much
     */
    public Buffer allocate(long size, Stream stream) {
        return stream.with(Operations.MEMORY_RESOURCE_ALLOCATE, handle -> allocateIn(size, handle));
    }

    /**
     * Frees memory of this resource that no buffer owns, after all work that uses it.
     *
     * @param address its beginning; 0 is ignored
     * @param size bytes
     * @throws DriverException when the address is not the beginning of such memory
     */
    public void deallocate(long address, long size) {
        deallocateIn(address, size, 0);
    }

    /**
     * The same; waits for the work in a stream first.
     *
     * @param address its beginning; 0 is ignored
     * @param size bytes
     * @param stream whose work may use the memory
     * @throws DriverException when the address is not the beginning of such memory
     */
    public void deallocate(long address, long size, Stream stream) {
        stream.with(Operations.MEMORY_RESOURCE_DEALLOCATE, handle -> {
            deallocateIn(address, size, handle);
            return null;
        });
    }

    private Buffer allocateIn(long size, long stream) {
        if (size < 0) {
            throw new IllegalArgumentException("the size of a buffer must not be negative: " + size);
        }
        return with(Operations.MEMORY_RESOURCE_ALLOCATE, resource -> {
            long[] buffer = new long[1];
            CuprumNative.cuprum_memory_resource_allocate(buffer, resource, size, stream);
            return new Buffer(buffer[0], this);
        });
    }

    private void deallocateIn(long address, long size, long stream) {
        with(Operations.MEMORY_RESOURCE_DEALLOCATE, resource -> {
            CuprumNative.cuprum_memory_resource_deallocate(resource, address, size, stream);
            return null;
        });
    }
}
