package io.cuprum;

/**
 * Options for an array.
 *
 * @param shape how many elements
 * @param format what one channel is
 * @param numChannels channels of each element: 1, 2 or 4
 * @param isSurfaceLoadStore whether a surface object can be made of it
 */
public record OpaqueArrayOptions(ArrayShape shape, ArrayFormat format, int numChannels, boolean isSurfaceLoadStore) {
    /**
     * For textures alone.
     *
     * @param shape how many elements
     * @param format what one channel is
     * @param numChannels channels of each element: 1, 2 or 4
     */
    public OpaqueArrayOptions(ArrayShape shape, ArrayFormat format, int numChannels) {
        this(shape, format, numChannels, false);
    }
}
