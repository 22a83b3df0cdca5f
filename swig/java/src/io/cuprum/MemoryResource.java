package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;
import io.cuprum.internal.UserMemory;

/** Allocates buffers. Once it is closed it allocates no more, but its buffers keep their memory. */
public abstract class MemoryResource extends MemoryResourceMembers {
    MemoryResource(long handle) {
        super(handle, CuprumNative::cuprum_memory_resource_destroy);
    }

    /** The object for a handle of one that a device allocates from: a pool, or a resource of the program's. */
    static MemoryResource ofHandle(long handle) {
        MemoryAllocator allocator = UserMemory.allocatorOf(handle);
        return allocator == null ? new DeviceMemoryResource(handle) : new UserMemoryResource(handle, allocator);
    }

    /**
     * Allocates memory that is usable from any stream at once. A pool allocates only in a stream.
     *
     * @param size the size in bytes; 0 gives an empty buffer
     * @return the buffer; the caller closes it
     * @throws OutOfMemoryException when there is not enough memory
     */
    public Buffer allocate(long size) {
        return allocateIn(size, 0);
    }

    /**
     * The same, freed after the work in a stream, as {@link Buffer#setDeallocationStream(Stream)} says. Memory of a pool
     * is usable in the stream at once, and freed in its order.
     *
     * @param size the size in bytes; 0 gives an empty buffer
     * @param stream the stream, which the buffer keeps alive
     * @return the buffer; the caller closes it
     * @throws OutOfMemoryException when there is not enough memory
     */
    public Buffer allocate(long size, Stream stream) {
        return stream.with(Operations.MEMORY_RESOURCE_ALLOCATE, handle -> allocateIn(size, handle));
    }

    /**
     * Frees memory of this resource that no buffer owns, after all work that uses it.
     *
     * @param address the memory's first address; 0 is ignored
     * @param size the size in bytes
     * @throws DriverException when the address is not that of memory of this resource
     */
    public void deallocate(long address, long size) {
        deallocateIn(address, size, 0);
    }

    /**
     * The same; waits for the work in a stream first. A pool frees the memory in the stream's order.
     *
     * @param address the memory's first address; 0 is ignored
     * @param size the size in bytes
     * @param stream the stream whose work may use the memory
     * @throws DriverException when the address is not that of memory of this resource
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
            return wrap(buffer[0]);
        });
    }

    /** The object for a new buffer. */
    Buffer wrap(long buffer) {
        return new Buffer(buffer, this);
    }

    private void deallocateIn(long address, long size, long stream) {
        with(Operations.MEMORY_RESOURCE_DEALLOCATE, resource -> {
            CuprumNative.cuprum_memory_resource_deallocate(resource, address, size, stream);
            return null;
        });
    }
}
