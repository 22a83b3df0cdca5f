package io.cuprum;

import io.cuprum.internal.UserMemory;
import java.util.Objects;

/**
 * Memory that the program allocates: from another resource, to count or to keep it, or from a library of its own. The
 * allocator is kept as long as the resource and its buffers live. Buffers that are open when the JVM exits are not freed.
 */
public final class UserMemoryResource extends MemoryResource {
    private final MemoryAllocator allocator;

    /**
     * Memory of a device.
     *
     * @param device the device
     * @param allocator what allocates
     */
    public UserMemoryResource(Device device, MemoryAllocator allocator) {
        this(create(MemoryKind.DEVICE, device.deviceId(), allocator), allocator);
    }

    /**
     * Memory of a kind that belongs to no device.
     *
     * @param kind what the memory is, which is not checked
     * @param allocator what allocates
     * @throws InvalidArgumentException when it is a device's memory, which needs the device
     */
    public UserMemoryResource(MemoryKind kind, MemoryAllocator allocator) {
        this(create(kind, -1, allocator), allocator);
    }

    UserMemoryResource(long handle, MemoryAllocator allocator) {
        super(handle);
        this.allocator = allocator;
    }

    /** {@return what allocates} */
    public MemoryAllocator allocator() {
        return allocator;
    }

    private static long create(MemoryKind kind, int device, MemoryAllocator allocator) {
        return UserMemory.create(Objects.requireNonNull(allocator, "allocator: expected what allocates and frees memory, given null"), kind.number(), device);
    }
}
