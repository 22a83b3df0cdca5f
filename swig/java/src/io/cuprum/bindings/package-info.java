/**
 * The functions of the CUDA driver, the CUDA runtime, NVRTC, nvJitLink, libNVVM, NVML and NCCL, 1:1, under their names in C:
 * one class for each library, with static methods, types and constants. {@code import static
 * io.cuprum.bindings.Driver.*} brings all of one.
 */
package io.cuprum.bindings;
