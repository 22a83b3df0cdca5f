package io.cuprum;

/**
 * How many elements an array has; 0 for dimensions that there are not.
 *
 * @param width along the first dimension
 * @param height along the second one
 * @param depth along the third one
 */
public record ArrayShape(long width, long height, long depth) {
    /**
     * Of one dimension.
     *
     * @param width how many elements
     */
    public ArrayShape(long width) {
        this(width, 0, 0);
    }

    /**
     * Of two dimensions.
     *
     * @param width elements of a row
     * @param height rows
     */
    public ArrayShape(long width, long height) {
        this(width, height, 0);
    }
}
