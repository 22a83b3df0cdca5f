package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;

/**
 * An image in several sizes, each half as large as the one before: levels, which are arrays. It lives until it, its levels
 * and what was made of them are closed.
 */
public final class MipmappedArray extends MipmappedArrayMembers {
    MipmappedArray(long handle) {
        super(handle, CuprumNative::cuprum_mipmapped_array_destroy);
    }

    static MipmappedArray create(Device device, MipmappedArrayOptions options) {
        long[] array = new long[1];
        ArrayShape shape = options.shape();
        CuprumNative.cuprum_mipmapped_array_create(array, device.deviceId(), options.format().ordinal(),
                OpaqueArray.channels(options.numChannels()), options.numLevels() == 0 ? -1 : options.numLevels(),
                shape.width(), shape.height(), shape.depth(), options.isSurfaceLoadStore() ? 1 : 0, 0);
        return new MipmappedArray(array[0]);
    }

    /** {@return how many elements level 0 has} */
    public ArrayShape shape() {
        return with(Operations.MIPMAPPED_ARRAY_SHAPE, array -> {
            long[] width = new long[1];
            long[] height = new long[1];
            long[] depth = new long[1];
            CuprumNative.cuprum_mipmapped_array_shape(width, height, depth, array);
            return new ArrayShape(width[0], height[0], depth[0]);
        });
    }

    /** {@return what one channel of an element is} */
    public ArrayFormat format() {
        return with(Operations.MIPMAPPED_ARRAY_FORMAT, array -> {
            int[] format = new int[1];
            CuprumNative.cuprum_mipmapped_array_format(format, array);
            return ArrayFormat.values()[format[0]];
        });
    }

    /**
     * The array of one level, which keeps the whole.
     *
     * @param level 0 is the largest
     * @return the array; the caller closes it
     * @throws InvalidArgumentException when there is no such level
     */
    public OpaqueArray getLevel(int level) {
        return with(Operations.MIPMAPPED_ARRAY_GET_LEVEL, array -> {
            long[] part = new long[1];
            CuprumNative.cuprum_mipmapped_array_get_level(part, array, level);
            return new OpaqueArray(part[0]);
        });
    }
}
