using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>
/// How the processes of a <see cref="Communicator"/> tell each other a few bytes when it is made. Is called once in every
/// process; afterwards all have the bytes that rank 0 had. What it throws goes to the caller of the communicator's
/// constructor.
/// </summary>
/// <param name="bytes">128 bytes, which it fills; on rank 0 those that it sends.</param>
public delegate void Broadcast(byte[] bytes);

/// <summary>One of several processes that work together, each on a device of its own.</summary>
public sealed class DistributedProcess {
    static DistributedProcess() {
        NativeLibraries.Load();
    }

    /// <summary>Which of the processes this is, and how they tell each other a few bytes.</summary>
    /// <param name="rank">Which one this is, from 0 on.</param>
    /// <param name="count">How many processes there are.</param>
    /// <param name="localRank">Which one it is among those of this host.</param>
    /// <param name="broadcast">Is called when a <see cref="Communicator"/> is made; null for none.</param>
    public DistributedProcess(int rank, int count, int localRank, Broadcast broadcast) {
        if (rank < 0) {
            throw new ArgumentOutOfRangeException(nameof(rank), "the rank must not be negative: " + rank);
        }
        if (count < 0) {
            throw new ArgumentOutOfRangeException(nameof(count), "the count must not be negative: " + count);
        }
        Rank = rank;
        Count = count;
        LocalRank = localRank;
        Broadcast = broadcast;
    }

    /// <summary>Which one this is, from 0 on.</summary>
    public int Rank { get; }

    /// <summary>How many processes there are.</summary>
    public int Count { get; }

    /// <summary>Which one it is among those of this host: the ordinal of its device, where each takes one.</summary>
    public int LocalRank { get; }

    /// <summary>Is called when a <see cref="Communicator"/> is made; null for none.</summary>
    public Broadcast Broadcast { get; set; }

    /// <summary>As the program that started this one says, with a minute for all processes to come.</summary>
    public static DistributedProcess FromEnvironment() {
        return FromEnvironment(new NcclOptions().Timeout);
    }

    /// <summary>
    /// As the program that started this one says: torchrun (RANK, WORLD_SIZE, LOCAL_RANK), Open MPI
    /// (OMPI_COMM_WORLD_...), MPICH, Intel MPI and others that use PMI (PMI_RANK, PMI_SIZE, MPI_LOCALRANKID), Slurm
    /// (SLURM_PROCID, SLURM_NTASKS, SLURM_LOCALID).
    /// </summary>
    /// <remarks>
    /// Bytes come from rank 0 by TCP, which listens at MASTER_ADDR, at the port CUPRUM_MASTER_PORT, else the one after
    /// MASTER_PORT, which torchrun uses itself. Where these are not set the process has no <see cref="Broadcast"/>: set one.
    /// </remarks>
    /// <param name="timeout">All processes have to come within it.</param>
    /// <exception cref="InvalidStateException">The environment does not say.</exception>
    /// <exception cref="InvalidArgumentException">It has other than numbers.</exception>
    public static DistributedProcess FromEnvironment(TimeSpan timeout) {
        uint milliseconds = NcclOptions.Milliseconds(timeout);
        uint rank, count, localRank;
        int hasBroadcast;
        CuprumNative.cuprum_process_from_environment(out rank, out count, out localRank, out hasBroadcast);
        Broadcast byTcp = bytes => {
            using (var memory = new PinnedValue<byte>(bytes)) {
                CuprumNative.cuprum_process_broadcast(memory.Address, memory.Size, milliseconds);
            }
        };
        return new DistributedProcess((int)rank, (int)count, (int)localRank, hasBroadcast != 0 ? byTcp : null);
    }
}

/// <summary>How ranks exchange data over NCCL.</summary>
public sealed class NcclOptions {
    /// <summary>A minute.</summary>
    public NcclOptions() {
        Timeout = TimeSpan.FromMinutes(1);
    }

    /// <summary>A rank whose part in something does not come for so long is taken for dead, and the communicator is given
    /// up. It is to be longer than any rank works on its own.</summary>
    public TimeSpan Timeout { get; set; }

    /// <summary>As the C ABI has them.</summary>
    internal static uint Milliseconds(TimeSpan timeout) {
        if (timeout < TimeSpan.Zero || timeout.TotalMilliseconds > uint.MaxValue) {
            throw new ArgumentOutOfRangeException(
                nameof(timeout),
                "the timeout is " + timeout + ", expected up to " + TimeSpan.FromMilliseconds(uint.MaxValue));
        }
        return (uint)Math.Ceiling(timeout.TotalMilliseconds);
    }
}

}
