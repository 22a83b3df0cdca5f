package io.cuprum;

/**
 * What one rank of a {@link Communicator} sends to another, or keeps: memory of the one's device, to memory of the
 * other's. The side of a rank of another process is not used.
 *
 * @param from the rank that sends
 * @param to the rank that gets it
 * @param source where the bytes are; null where the rank is of another process
 * @param sourceOffset the first byte of it
 * @param destination where they go; null where the rank is of another process
 * @param destinationOffset the first byte of it
 * @param size bytes
 */
public record Message(
        int from, int to, Buffer source, long sourceOffset, Buffer destination, long destinationOffset, long size) {
    /**
     * All of a buffer, from its beginning to that of another.
     *
     * @param from the rank that sends
     * @param to the rank that gets it
     * @param source where the bytes are; null where the rank is of another process
     * @param destination where they go, with as many bytes; null where the rank is of another process
     */
    public Message(int from, int to, Buffer source, Buffer destination) {
        this(from, to, source, 0, destination, 0, sizeOf(source, destination));
    }

    private static long sizeOf(Buffer source, Buffer destination) {
        if (source != null && destination != null && source.size() != destination.size()) {
            throw new IllegalArgumentException("the source of a message has " + source.size()
                    + " bytes, and the destination " + destination.size());
        }
        return source != null ? source.size() : destination != null ? destination.size() : 0;
    }
}
