package io.cuprum;

/**
 * What all tensor maps have. Numbers are the driver's.
 *
 * @param elementStrides of every n-th element of each dimension, 1 to 8; or null for all
 * @param interleave how channels lie in memory: CUtensorMapInterleave
 * @param swizzle how chunks of 16 bytes change places in shared memory: CUtensorMapSwizzle
 * @param l2Promotion how much the L2 cache fetches at once: CUtensorMapL2promotion
 * @param nanFill elements outside the tensor are NaN instead of 0
 */
public record TensorMapDescriptorOptions(
        int[] elementStrides, int interleave, int swizzle, int l2Promotion, boolean nanFill) {
    /** All elements, neither interleaved nor swizzled, zeros outside. */
    public TensorMapDescriptorOptions() {
        this(null, 0, 0, 0, false);
    }
}
