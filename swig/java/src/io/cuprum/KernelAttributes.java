package io.cuprum;

/**
 * What a kernel needs on one device.
 *
 * @param maxThreadsPerBlock threads in a block with this kernel
 * @param sharedSizeBytes static shared memory, bytes for each block
 * @param constSizeBytes constant memory, bytes
 * @param localSizeBytes local memory, bytes for each thread
 * @param numRegs registers for each thread
 * @param ptxVersion PTX version, 90 for 9.0
 * @param binaryVersion architecture of the machine code, 90 for 9.0
 * @param maxDynamicSharedSizeBytes dynamic shared memory that a launch may ask for, bytes for each block
 */
public record KernelAttributes(
        int maxThreadsPerBlock,
        int sharedSizeBytes,
        int constSizeBytes,
        int localSizeBytes,
        int numRegs,
        int ptxVersion,
        int binaryVersion,
        int maxDynamicSharedSizeBytes) {
    static final int FIELD_COUNT = 8;

    /** The fields of cuprum_kernel_attributes after struct_size, in its order. */
    static KernelAttributes of(int[] fields) {
        return new KernelAttributes(
                fields[0], fields[1], fields[2], fields[3], fields[4], fields[5], fields[6], fields[7]);
    }
}
