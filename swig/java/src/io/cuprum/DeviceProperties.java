package io.cuprum;

/**
 * The limits a launch is checked against, and what programs ask most often.
 *
 * @param computeCapabilityMajor 9 of 9.0
 * @param computeCapabilityMinor 0 of 9.0
 * @param multiprocessorCount number of multiprocessors
 * @param warpSize threads in a warp
 * @param maxThreadsPerBlock threads in a block
 * @param maxBlockDimX threads in a block along x
 * @param maxBlockDimY threads in a block along y
 * @param maxBlockDimZ threads in a block along z
 * @param maxGridDimX blocks in a grid along x
 * @param maxGridDimY blocks in a grid along y
 * @param maxGridDimZ blocks in a grid along z
 * @param maxSharedMemoryPerBlock bytes
 * @param maxSharedMemoryPerBlockOptin bytes, for kernels that ask for it
 * @param maxSharedMemoryPerMultiprocessor bytes
 * @param maxRegistersPerBlock 32-bit registers
 * @param maxThreadsPerMultiprocessor threads
 * @param clockRate kHz
 * @param memoryClockRate kHz
 * @param globalMemoryBusWidth bits
 * @param l2CacheSize bytes
 * @param isSimulator the device is Cuprum's simulator
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
