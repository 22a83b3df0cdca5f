package io.cuprum;

/**
 * A device, and the part of its memory that a call of an algorithm of {@link OutOfCore} may take: the elements go through
 * it in pieces, and may be many times as large. A call allocates what it needs once, when it begins, and frees it when it
 * ends. Where an algorithm gets a list of these, of different devices, the pieces are dealt to them, and all work at once.
 *
 * @param device the device
 * @param limit bytes; 0: seven eighths of what is free when a call begins
 * @param resource memory of the device; null for what the device allocates from in a stream
 */
public record DeviceMemory(Device device, long limit, MemoryResource resource) {
    /**
     * What the device allocates from in a stream.
     *
     * @param device the device
     * @param limit bytes
     */
    public DeviceMemory(Device device, long limit) {
        this(device, limit, null);
    }
}
