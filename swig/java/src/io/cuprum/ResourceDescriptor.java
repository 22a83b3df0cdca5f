package io.cuprum;

/** The memory that a texture or a surface object reads, which it keeps from being collected. */
public final class ResourceDescriptor {
    /** What the memory is. */
    public enum Kind {
        /** An array. */
        OPAQUE_ARRAY,
        /** All levels of a mipmapped array. */
        MIPMAPPED_ARRAY,
        /** A row of elements in a buffer. */
        LINEAR,
        /** Rows of elements in a buffer. */
        PITCH2D
    }

    private final Kind kind;
    private final NativeObject source;
    private final ArrayFormat format;
    private final int numChannels;
    private final long sizeBytes;
    private final long width;
    private final long height;
    private final long pitchBytes;

    private ResourceDescriptor(Kind kind, NativeObject source, ArrayFormat format, int numChannels, long sizeBytes,
            long width, long height, long pitchBytes) {
        this.kind = kind;
        this.source = source;
        this.format = format;
        this.numChannels = numChannels;
        this.sizeBytes = sizeBytes;
        this.width = width;
        this.height = height;
        this.pitchBytes = pitchBytes;
    }

    /**
     * An array, for textures and surfaces.
     *
     * @param array the array
     * @return its descriptor
     */
    public static ResourceDescriptor fromOpaqueArray(OpaqueArray array) {
        return new ResourceDescriptor(Kind.OPAQUE_ARRAY, array, null, 0, 0, 0, 0, 0);
    }

    /**
     * All levels of a mipmapped array, for textures.
     *
     * @param array the array
     * @return its descriptor
     */
    public static ResourceDescriptor fromMipmappedArray(MipmappedArray array) {
        return new ResourceDescriptor(Kind.MIPMAPPED_ARRAY, array, null, 0, 0, 0, 0, 0);
    }

    /**
     * A row of elements, for textures that kernels read by number: all of a buffer.
     *
     * @param buffer the buffer
     * @param format what one channel is
     * @param numChannels channels of each element: 1, 2 or 4
     * @return its descriptor
     */
    public static ResourceDescriptor fromLinear(Buffer buffer, ArrayFormat format, int numChannels) {
        return fromLinear(buffer, format, numChannels, buffer.size());
    }

    /**
     * A row of elements, for textures that kernels read by number: the first bytes of a buffer.
     *
     * @param buffer the buffer
     * @param format what one channel is
     * @param numChannels channels of each element: 1, 2 or 4
     * @param sizeBytes how many bytes
     * @return its descriptor
     */
    public static ResourceDescriptor fromLinear(Buffer buffer, ArrayFormat format, int numChannels, long sizeBytes) {
        return new ResourceDescriptor(Kind.LINEAR, buffer, format, numChannels, sizeBytes, 0, 0, 0);
    }

    /**
     * Rows of elements in a buffer, for textures.
     *
     * @param buffer the buffer
     * @param format what one channel is
     * @param numChannels channels of each element: 1, 2 or 4
     * @param width elements of each row
     * @param height rows
     * @param pitchBytes bytes from row to row
     * @return its descriptor
     */
    public static ResourceDescriptor fromPitch2d(
            Buffer buffer, ArrayFormat format, int numChannels, long width, long height, long pitchBytes) {
        return new ResourceDescriptor(Kind.PITCH2D, buffer, format, numChannels, 0, width, height, pitchBytes);
    }

    /** {@return what the memory is} */
    public Kind kind() {
        return kind;
    }

    /** {@return the OpaqueArray, MipmappedArray or Buffer} */
    public AutoCloseable source() {
        return source;
    }

    /** {@return what one channel of an element in a buffer is; null for arrays} */
    public ArrayFormat format() {
        return format;
    }

    /** {@return channels of each element in a buffer} */
    public int numChannels() {
        return numChannels;
    }

    /** {@return bytes of a row of elements} */
    public long sizeBytes() {
        return sizeBytes;
    }

    /** {@return elements of each of several rows} */
    public long width() {
        return width;
    }

    /** {@return how many rows} */
    public long height() {
        return height;
    }

    /** {@return bytes from row to row} */
    public long pitchBytes() {
        return pitchBytes;
    }

    @Override
    public String toString() {
        return kind + " " + source;
    }

    NativeObject object() {
        return source;
    }
}
