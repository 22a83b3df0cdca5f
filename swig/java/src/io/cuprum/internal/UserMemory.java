package io.cuprum.internal;

import io.cuprum.Device;
import io.cuprum.MemoryAllocator;
import io.cuprum.Stream;

/** Calls of allocators, from native/user_memory_resource.hpp. */
public final class UserMemory {
    /** What an allocator has thrown on this thread, until the call fails that has asked it. */
    private static final ThreadLocal<Throwable> thrown = new ThreadLocal<>();

    static {
        HostFunctions.endWithJvm();
    }

    private UserMemory() {}

    /**
     * A resource.
     *
     * @param allocator what allocates
     * @param kind CUPRUM_MEMORY_*
     * @param device the ordinal, -1 for none
     * @return its handle
     */
    public static long create(MemoryAllocator allocator, int kind, int device) {
        return CuprumNative.create_user_memory_resource(allocator, kind, device);
    }

    /**
     * What {@link #create} was given.
     *
     * @param resource the handle of any resource
     * @return the allocator; null for other resources
     */
    public static MemoryAllocator allocatorOf(long resource) {
        return (MemoryAllocator) CuprumNative.user_allocator(resource);
    }

    /** {@return what an allocator has thrown, once; null where none has} */
    public static Throwable takeThrown() {
        Throwable error = thrown.get();
        thrown.remove();
        return error;
    }

    private static Stream stream(int device, long handle) {
        return device < 0 ? null : Stream.fromHandle(new Device(device), handle);
    }

    static boolean allocate(Object allocator, long size, int device, long stream, long[] address) {
        thrown.remove();
        try (Stream in = stream(device, stream)) {
            address[0] = ((MemoryAllocator) allocator).allocate(size, in);
            return true;
        } catch (Throwable error) {
            thrown.set(error);
            return false;
        }
    }

    static void deallocate(Object allocator, long address, long size, int device, long stream) {
        try (Stream in = stream(device, stream)) {
            ((MemoryAllocator) allocator).deallocate(address, size, in);
        } catch (Throwable error) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
        }
    }
}
