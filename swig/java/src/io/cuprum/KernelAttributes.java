package io.cuprum;

/**
 * A kernel's attributes on one device.
 *
 * @param maxThreadsPerBlock the most threads in a block with this kernel
 * @param sharedSizeBytes static shared memory, bytes for each block
 * @param constSizeBytes constant memory, bytes
 * @param localSizeBytes local memory, bytes for each thread
 * @param numRegs registers for each thread
 * @param ptxVersion PTX version, 90 for 9.0
 * @param binaryVersion architecture of the machine code, 90 for 9.0
 * @param maxDynamicSharedSizeBytes the most dynamic shared memory that a launch may request, in bytes for each block
 * @param cacheModeCa whether it was compiled with -Xptxas --dlcm=ca
 * @param preferredSharedMemoryCarveout percentage of a multiprocessor's memory for shared memory; -1: the driver chooses
 * @param clusterSizeMustBeSet whether a launch without a cluster size fails
 * @param requiredClusterWidth width of a cluster in blocks; 0 if none is required
 * @param requiredClusterHeight height of a cluster in blocks; 0 if none is required
 * @param requiredClusterDepth depth of a cluster in blocks; 0 if none is required
 * @param nonPortableClusterSizeAllowed whether clusters of more than 8 blocks can be launched
 * @param clusterSchedulingPolicyPreference how clusters are distributed over a device: a CUclusterSchedulingPolicy
 */
public record KernelAttributes(
        int maxThreadsPerBlock,
        int sharedSizeBytes,
        int constSizeBytes,
        int localSizeBytes,
        int numRegs,
        int ptxVersion,
        int binaryVersion,
        int maxDynamicSharedSizeBytes,
        boolean cacheModeCa,
        int preferredSharedMemoryCarveout,
        boolean clusterSizeMustBeSet,
        int requiredClusterWidth,
        int requiredClusterHeight,
        int requiredClusterDepth,
        boolean nonPortableClusterSizeAllowed,
        int clusterSchedulingPolicyPreference) {
    static final int FIELD_COUNT = 16;

    /** The fields of cuprum_kernel_attributes after struct_size, in its order. */
    static KernelAttributes of(int[] fields) {
        return new KernelAttributes(
                fields[0],
                fields[1],
                fields[2],
                fields[3],
                fields[4],
                fields[5],
                fields[6],
                fields[7],
                fields[8] != 0,
                fields[9],
                fields[10] != 0,
                fields[11],
                fields[12],
                fields[13],
                fields[14] != 0,
                fields[15]);
    }
}
