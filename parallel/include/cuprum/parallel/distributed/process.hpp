// One of several processes that work together, each on a device of its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>

namespace cuprum::parallel::distributed {

/// Which of the processes this is, and how they tell each other a few bytes when a communicator is made.
struct Process {
    size_t rank = 0;
    size_t count = 1;       ///< processes
    size_t local_rank = 0;  ///< among those of this host: the ordinal of its device, where each takes one
    /// Is called once in every process; afterwards all have the bytes that rank 0 had. With MPI:
    /// MPI_Bcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0, MPI_COMM_WORLD).
    std::function<void(std::span<std::byte> bytes)> broadcast;

    /// As the program that started this one says: torchrun (RANK, WORLD_SIZE, LOCAL_RANK), Open MPI
    /// (OMPI_COMM_WORLD_...), MPICH, Intel MPI and others that use PMI (PMI_RANK, PMI_SIZE, MPI_LOCALRANKID), Slurm
    /// (SLURM_PROCID, SLURM_NTASKS, SLURM_LOCALID). Bytes come from rank 0 by TCP, which listens at MASTER_ADDR, at the
    /// port CUPRUM_MASTER_PORT, else the one after MASTER_PORT, which torchrun uses itself; set another `broadcast`
    /// where these are not set. Throws InvalidState where nothing of this is set, and InvalidArgument for other than
    /// numbers.
    static Process from_environment(std::chrono::milliseconds timeout = std::chrono::minutes(1));
};

/// How ranks exchange data over NCCL.
struct NcclOptions {
    /// A rank whose part in something does not come for so long is taken for dead, and the communicator is given up. It
    /// is to be longer than any rank works on its own.
    std::chrono::milliseconds timeout = std::chrono::minutes(1);
};

}  // namespace cuprum::parallel::distributed
