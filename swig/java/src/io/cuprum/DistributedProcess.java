package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.HostMemory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * One of several processes that work together, each on a device of its own.
 *
 * @param rank which one this is, from 0 on
 * @param count how many processes there are
 * @param localRank which one it is among those of this host: the ordinal of its device, where each takes one
 * @param broadcast how they tell each other a few bytes when a {@link Communicator} is made; null for none
 */
public record DistributedProcess(int rank, int count, int localRank, Broadcast broadcast) {
    /**
     * As the program that started this one says, with a minute for all processes to come.
     *
     * @return this process
     * @throws InvalidStateException when the environment does not say
     * @throws InvalidArgumentException when it has other than numbers
     */
    public static DistributedProcess fromEnvironment() {
        return fromEnvironment(new NcclOptions().timeout());
    }

    /**
     * As the program that started this one says: torchrun (RANK, WORLD_SIZE, LOCAL_RANK), Open MPI
     * (OMPI_COMM_WORLD_...), MPICH, Intel MPI and others that use PMI (PMI_RANK, PMI_SIZE, MPI_LOCALRANKID), Slurm
     * (SLURM_PROCID, SLURM_NTASKS, SLURM_LOCALID).
     *
     * <p>Bytes come from rank 0 by TCP, which listens at MASTER_ADDR, at the port CUPRUM_MASTER_PORT, else the one after
     * MASTER_PORT, which torchrun uses itself. Where these are not set the process has no broadcast:
     * {@link #withBroadcast}.
     *
     * @param timeout all processes have to come within it
     * @return this process
     * @throws InvalidStateException when the environment does not say
     * @throws InvalidArgumentException when it has other than numbers
     */
    public static DistributedProcess fromEnvironment(Duration timeout) {
        long milliseconds = NcclOptions.milliseconds(timeout);
        long[] rank = new long[1];
        long[] count = new long[1];
        long[] localRank = new long[1];
        int[] hasBroadcast = new int[1];
        CuprumNative.cuprum_process_from_environment(rank, count, localRank, hasBroadcast);
        Broadcast byTcp = bytes -> broadcastByTcp(bytes, milliseconds);
        return new DistributedProcess((int) rank[0], (int) count[0], (int) localRank[0], hasBroadcast[0] != 0 ? byTcp : null);
    }

    /**
     * The same process with another broadcast.
     *
     * @param function the broadcast
     * @return the process
     */
    public DistributedProcess withBroadcast(Broadcast function) {
        return new DistributedProcess(rank, count, localRank, function);
    }

    private static void broadcastByTcp(byte[] bytes, long milliseconds) {
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        CuprumNative.cuprum_process_broadcast(HostMemory.addressOf(memory), bytes.length, milliseconds);
        memory.get(bytes);
        Reference.reachabilityFence(memory);
    }
}
