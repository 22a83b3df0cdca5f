package io.cuprum.internal;

/** The 16-bit floating-point types that Java lacks, to and from float; ties go to the even neighbour. */
public final class NarrowFloats {
    private static final int FLOAT_MANTISSA_BITS = 23;
    private static final int FLOAT_EXPONENT_BIAS = 127;
    private static final int HALF_MANTISSA_BITS = 10;
    private static final int HALF_EXPONENT_BIAS = 15;

    private NarrowFloats() {}

    /** The bits of the nearest IEEE half. */
    public static short halfBits(float value) {
        int bits = Float.floatToRawIntBits(value);
        int sign = bits >>> 16 & 0x8000;
        float magnitude = Math.abs(value);
        if (Float.isNaN(value)) {
            return (short) (sign | 0x7E00);
        }
        if (magnitude >= 0x1.ffep15f) {    // halfway between the largest half and what would be the next
            return (short) (sign | 0x7C00);
        }
        int exponent = Math.max(Math.getExponent(magnitude), 1 - HALF_EXPONENT_BIAS);
        // In units of the half's last place there: at most 2^11. rint goes to even.
        int units = (int) Math.rint(magnitude * Math.scalb(1.0, HALF_MANTISSA_BITS - exponent));
        // A carry into the next exponent, or from the denormals into the first normal, comes out of the addition.
        return (short) (sign | units + (exponent + HALF_EXPONENT_BIAS - 1 << HALF_MANTISSA_BITS));
    }

    /** The value of an IEEE half. */
    public static float ofHalf(short bits) {
        int exponent = bits >>> HALF_MANTISSA_BITS & 0x1F;
        int mantissa = bits & 0x3FF;
        float magnitude;
        if (exponent == 0x1F) {
            magnitude = mantissa == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
        } else if (exponent == 0) {
            magnitude = mantissa * 0x1p-24f;
        } else {
            magnitude = Float.intBitsToFloat(exponent - HALF_EXPONENT_BIAS + FLOAT_EXPONENT_BIAS << FLOAT_MANTISSA_BITS
                    | mantissa << FLOAT_MANTISSA_BITS - HALF_MANTISSA_BITS);
        }
        return bits < 0 ? -magnitude : magnitude;
    }

    /** The bits of the nearest bfloat16: the upper half of a float. */
    public static short bfloat16Bits(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            return (short) (bits >>> 16 | 0x40);    // quiet, so that its mantissa stays
        }
        return (short) (bits + 0x7FFF + (bits >>> 16 & 1) >>> 16);
    }

    /** The value of a bfloat16. */
    public static float ofBfloat16(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }
}
