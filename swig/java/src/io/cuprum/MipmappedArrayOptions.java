package io.cuprum;

/**
 * Options for a mipmapped array.
 *
 * @param shape how many elements level 0 has
 * @param format what one channel is
 * @param numChannels channels of each element: 1, 2 or 4
 * @param numLevels at least 1, at most as often as the longest side can be halved, and one
 * @param isSurfaceLoadStore whether surface objects can be made of its levels
 */
public record MipmappedArrayOptions(
        ArrayShape shape, ArrayFormat format, int numChannels, int numLevels, boolean isSurfaceLoadStore) {
    /**
     * For textures alone.
     *
     * @param shape how many elements level 0 has
     * @param format what one channel is
     * @param numChannels channels of each element: 1, 2 or 4
     * @param numLevels how many levels
     */
    public MipmappedArrayOptions(ArrayShape shape, ArrayFormat format, int numChannels, int numLevels) {
        this(shape, format, numChannels, numLevels, false);
    }
}
