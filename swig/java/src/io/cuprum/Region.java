package io.cuprum;

/**
 * Rows of bytes at a distance from each other, within a buffer or host memory: a part of a matrix or of a volume. Rows
 * must not overlap one another, and neither must slices.
 *
 * @param width bytes in a row, at least 1
 * @param height rows in a slice, at least 1
 * @param depth slices, at least 1
 * @param offset bytes from the start of the memory to the first row
 * @param rowPitch bytes from the start of a row to the start of the next; 0 for the width
 * @param slicePitch bytes from the start of a slice to the start of the next; 0 for height times row pitch
 */
public record Region(long width, long height, long depth, long offset, long rowPitch, long slicePitch) {
    /**
     * Rows of one slice.
     *
     * @param width bytes in a row, at least 1
     * @param height rows, at least 1
     * @param offset bytes from the start of the memory to the first row
     * @param rowPitch bytes from the start of a row to the start of the next; 0 for the width
     */
    public Region(long width, long height, long offset, long rowPitch) {
        this(width, height, 1, offset, rowPitch, 0);
    }

    /** {@return a region of the same shape at the start of its memory, without gaps} */
    public Region packed() {
        return new Region(width, height, depth, 0, 0, 0);
    }
}
