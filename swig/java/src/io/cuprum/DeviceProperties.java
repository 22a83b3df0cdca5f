package io.cuprum;

/**
 * The limits a launch is checked against, and what programs ask most often.
 *
 * @param computeCapabilityMajor the major number, 9 in 9.0
 * @param computeCapabilityMinor the minor number, 0 in 9.0
 * @param multiprocessorCount number of multiprocessors
 * @param warpSize threads in a warp
 * @param maxThreadsPerBlock the most threads in a block
 * @param maxBlockDimX the most threads in a block along x
 * @param maxBlockDimY the most threads in a block along y
 * @param maxBlockDimZ the most threads in a block along z
 * @param maxGridDimX the most blocks in a grid along x
 * @param maxGridDimY the most blocks in a grid along y
 * @param maxGridDimZ the most blocks in a grid along z
 * @param maxSharedMemoryPerBlock shared memory for each block, in bytes
 * @param maxSharedMemoryPerBlockOptin the same for kernels that ask for more
 * @param maxSharedMemoryPerMultiprocessor shared memory of each multiprocessor, in bytes
 * @param maxRegistersPerBlock the most 32-bit registers of a block
 * @param maxThreadsPerMultiprocessor the most threads on a multiprocessor
 * @param clockRate the clock rate in kHz
 * @param memoryClockRate the memory's clock rate in kHz
 * @param globalMemoryBusWidth the width of the memory bus in bits
 * @param l2CacheSize the size of the L2 cache in bytes
 * @param isSimulator whether the device is Cuprum's simulator
 */
public record DeviceProperties(
        int computeCapabilityMajor,
        int computeCapabilityMinor,
        int multiprocessorCount,
        int warpSize,
        int maxThreadsPerBlock,
        int maxBlockDimX,
        int maxBlockDimY,
        int maxBlockDimZ,
        int maxGridDimX,
        int maxGridDimY,
        int maxGridDimZ,
        int maxSharedMemoryPerBlock,
        int maxSharedMemoryPerBlockOptin,
        int maxSharedMemoryPerMultiprocessor,
        int maxRegistersPerBlock,
        int maxThreadsPerMultiprocessor,
        int clockRate,
        int memoryClockRate,
        int globalMemoryBusWidth,
        int l2CacheSize,
        boolean isSimulator) {
    static final int FIELD_COUNT = 21;

    /** The fields of cuprum_device_properties after struct_size, in its order. */
    static DeviceProperties of(int[] fields) {
        return new DeviceProperties(
                fields[0], fields[1], fields[2], fields[3], fields[4], fields[5], fields[6], fields[7], fields[8],
                fields[9], fields[10], fields[11], fields[12], fields[13], fields[14], fields[15],
                fields[16], fields[17], fields[18], fields[19],
                fields[20] != 0);
    }
}
