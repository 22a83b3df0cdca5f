package io.cuprum;

/**
 * How a program allocates and frees memory: what a {@link UserMemoryResource} is made of. Both methods may be called
 * from any thread, also at the same time.
 */
public interface MemoryAllocator {
    /**
     * Allocates memory that can be used in a stream at once. What this throws is thrown to the caller of the resource.
     *
     * @param size the size in bytes, at least 1
     * @param stream the stream, an object that is closed when this returns; null: the memory can be used in all streams
     * @return the memory's first address, not 0
     */
    long allocate(long size, Stream stream);

    /**
     * Frees that memory; called once. What this throws goes to the thread's handler of uncaught exceptions.
     *
     * @param address the memory's first address
     * @param size the size in bytes
     * @param stream what uses the memory comes before this in the stream's order: free it in that order, or wait for
     *         the stream, an object that is closed when this returns; null: all work is done
     */
    void deallocate(long address, long size, Stream stream);
}
