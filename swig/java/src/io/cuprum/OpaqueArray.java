package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.HostMemory;
import io.cuprum.internal.Operations;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * A CUDA array: kernels read it through a {@link TextureObject} and write it through a {@link SurfaceObject}. Its elements
 * are filled and read by copies alone. It lives until it and what was made of it are closed.
 */
public final class OpaqueArray extends OpaqueArrayMembers {
    OpaqueArray(long handle) {
        super(handle, CuprumNative::cuprum_opaque_array_destroy);
    }

    static OpaqueArray create(Device device, OpaqueArrayOptions options) {
        long[] array = new long[1];
        ArrayShape shape = options.shape();
        CuprumNative.cuprum_opaque_array_create(array, device.deviceId(), options.format().ordinal(),
                channels(options.numChannels()), 0, shape.width(), shape.height(), shape.depth(),
                options.isSurfaceLoadStore() ? 1 : 0, 0);
        return new OpaqueArray(array[0]);
    }

    /** What 0 would be the default of is refused where it is given. */
    static int channels(int numChannels) {
        return numChannels == 0 ? -1 : numChannels;
    }

    /**
     * Borrows an array that other code has made, as a graphics library, and destroys after the object is closed.
     *
     * @param handle the CUarray
     * @param device the device that it is on
     * @return the array; the caller closes it
     * @throws InvalidArgumentException for 0
     */
    public static OpaqueArray fromHandle(long handle, Device device) {
        long[] array = new long[1];
        CuprumNative.cuprum_opaque_array_from_native(array, device.deviceId(), handle);
        return new OpaqueArray(array[0]);
    }

    /** {@return how many elements it has} */
    public ArrayShape shape() {
        return with(Operations.OPAQUE_ARRAY_SHAPE, array -> {
            long[] width = new long[1];
            long[] height = new long[1];
            long[] depth = new long[1];
            CuprumNative.cuprum_opaque_array_shape(width, height, depth, array);
            return new ArrayShape(width[0], height[0], depth[0]);
        });
    }

    /** {@return what one channel of an element is} */
    public ArrayFormat format() {
        return with(Operations.OPAQUE_ARRAY_FORMAT, array -> {
            int[] format = new int[1];
            CuprumNative.cuprum_opaque_array_format(format, array);
            return ArrayFormat.values()[format[0]];
        });
    }

    /**
     * Copies all elements out of a buffer, row after row without gaps, in the stream's order.
     *
     * @param source what to copy
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when the buffer is smaller than the array
     */
    public void copyFrom(Buffer source, Stream stream) {
        String operation = Operations.OPAQUE_ARRAY_COPY_FROM;
        with(operation, array -> source.with(operation, buffer -> stream.with(operation, in -> {
            CuprumNative.cuprum_opaque_array_copy_from(array, buffer, in);
            return null;
        })));
    }

    /**
     * Copies all elements into a buffer, row after row without gaps, in the stream's order.
     *
     * @param destination what to fill
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when the buffer is smaller than the array
     */
    public void copyTo(Buffer destination, Stream stream) {
        String operation = Operations.OPAQUE_ARRAY_COPY_TO;
        with(operation, array -> destination.with(operation, buffer -> stream.with(operation, in -> {
            CuprumNative.cuprum_opaque_array_copy_to(array, buffer, in);
            return null;
        })));
    }

    /**
     * Copies all elements out of host memory, row after row without gaps, in the stream's order. A direct buffer is kept
     * until the stream has passed it, and must not be changed before that; of other memory the copy is done when this
     * returns.
     *
     * @param source what to copy, from position to limit
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when there are fewer bytes than the array has
     */
    public void copyFrom(java.nio.Buffer source, Stream stream) {
        String operation = Operations.OPAQUE_ARRAY_COPY_FROM_HOST;
        HostMemory.checkByteOrder(source);
        java.nio.Buffer direct = source.isDirect() ? source : HostMemory.directCopyOf(source);
        try {
            stream.keepUntilPassed(direct);
            CuprumNative.cuprum_opaque_array_copy_from_host(open(operation), HostMemory.addressOf(direct),
                    HostMemory.sizeOf(direct), stream.open(operation));
            if (direct != source) {
                stream.sync();
            }
        } finally {
            Reference.reachabilityFence(direct);
            Reference.reachabilityFence(stream);
            Reference.reachabilityFence(this);
        }
    }

    /**
     * Copies all elements into host memory, row after row without gaps, in the stream's order. A direct buffer is kept
     * until the stream has passed it; other memory is filled when this returns.
     *
     * @param destination what to fill, from position to limit
     * @param stream the stream to copy in
     * @throws InvalidArgumentException when there is room for fewer bytes than the array has
     */
    public void copyTo(java.nio.Buffer destination, Stream stream) {
        String operation = Operations.OPAQUE_ARRAY_COPY_TO_HOST;
        HostMemory.checkByteOrder(destination);
        if (destination.isReadOnly()) {
            throw new IllegalArgumentException("cannot copy to a read-only buffer: " + destination);
        }
        java.nio.Buffer direct = destination.isDirect() ? destination : HostMemory.directCopyOf(destination);
        try {
            stream.keepUntilPassed(direct);
            CuprumNative.cuprum_opaque_array_copy_to_host(open(operation), HostMemory.addressOf(direct),
                    HostMemory.sizeOf(direct), stream.open(operation));
            if (direct != destination) {
                stream.sync();
                HostMemory.copyBack((ByteBuffer) direct, destination);
            }
        } finally {
            Reference.reachabilityFence(direct);
            Reference.reachabilityFence(stream);
            Reference.reachabilityFence(this);
        }
    }
}
