package io.cuprum;

/**
 * A number on the device that decides what a conditional node runs. Kernels of the graph set it
 * (cudaGraphSetConditional), and get its handle as an argument of 8 bytes.
 *
 * @param handle the CUgraphConditionalHandle
 */
public record GraphCondition(long handle) {}
