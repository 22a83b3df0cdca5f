package io.cuprum;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The numbers that the parallel algorithms of {@link Parallel} and {@link Algorithm} work on. */
public enum ElementType {
    /** boolean, one byte. */
    BOOL("bool", 1),
    /** byte. */
    INT8("int8", 1),
    /** short. */
    INT16("int16", 2),
    /** int. */
    INT32("int32", 4),
    /** long. */
    INT64("int64", 8),
    /** The bits of an unsigned byte. */
    UINT8("uint8", 1),
    /** The bits of an unsigned short. */
    UINT16("uint16", 2),
    /** The bits of an unsigned int. */
    UINT32("uint32", 4),
    /** The bits of an unsigned long. */
    UINT64("uint64", 8),
    /** float. */
    FLOAT32("float32", 4),
    /** double. */
    FLOAT64("float64", 8);

    private final String text;
    private final int size;

    ElementType(String text, int size) {
        this.text = text;
        this.size = size;
    }

    /** {@return the bytes of one element} */
    public int size() {
        return size;
    }

    /** {@return what the C ABI calls it} */
    String text() {
        return text;
    }

    /** One value of this type in direct memory. Integers keep all their bits. */
    ByteBuffer encode(Number value) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
        switch (this) {
            case FLOAT32:
                bytes.putFloat(0, value.floatValue());
                break;
            case FLOAT64:
                bytes.putDouble(0, value.doubleValue());
                break;
            default:
                bytes.putLong(0, value.longValue());    // little-endian: the low bytes come first
        }
        return bytes.limit(size);
    }
}
