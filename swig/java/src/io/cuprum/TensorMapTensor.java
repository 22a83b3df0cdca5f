package io.cuprum;

/**
 * A tensor in device memory, of which a {@link TensorMapDescriptor} is made. Dimensions are in the order of C: the last
 * one is the innermost.
 *
 * @param address of its first element, a multiple of 16
 * @param dataType what an element is
 * @param shape 1 to 5 dimensions, in elements
 * @param strides in elements, the last one 1; or null for a tensor without padding
 */
public record TensorMapTensor(long address, TensorMapDataType dataType, long[] shape, long[] strides) {
    /**
     * A tensor without padding at the beginning of a buffer.
     *
     * @param buffer the memory, which the caller keeps
     * @param dataType what an element is
     * @param shape 1 to 5 dimensions, in elements
     */
    public TensorMapTensor(Buffer buffer, TensorMapDataType dataType, long... shape) {
        this(buffer.handle(), dataType, shape, null);
    }
}
