package io.cuprum;

/** How the processes of a {@link Communicator} tell each other a few bytes when it is made. */
@FunctionalInterface
public interface Broadcast {
    /**
     * Is called once in every process; afterwards all have the bytes that rank 0 had. With Open MPI:
     * {@code MPI.COMM_WORLD.bcast(bytes, bytes.length, MPI.BYTE, 0)}. What it throws goes to the caller of the
     * communicator's constructor.
     *
     * @param bytes 128 bytes, which it fills; on rank 0 those that it sends
     */
    void broadcast(byte[] bytes);
}
