package io.cuprum;

import io.cuprum.internal.CuprumNativeConstants;

/**
 * Packs the arguments of a launch into what the native layer takes: kind | size << 32 and the value's bits, for each.
 */
final class Arguments {
    private Arguments() {}

    static long[] pack(Object[] arguments) {
        long[] packed = new long[2 * arguments.length];
        for (int i = 0; i < arguments.length; ++i) {
            Object argument = arguments[i];
            int kind = CuprumNativeConstants.CUPRUM_ARGUMENT_INT_BYTES;
            int size;
            long bits;
            if (argument instanceof Buffer) {
                packed[2 * i] = CuprumNativeConstants.CUPRUM_ARGUMENT_BUFFER;
                packed[2 * i + 1] = ((Buffer) argument).open("launching a kernel");
                continue;
            } else if (argument instanceof Integer) {
                size = Integer.BYTES;
                bits = (Integer) argument;
            } else if (argument instanceof Float) {
                kind = CuprumNativeConstants.CUPRUM_ARGUMENT_FLOAT_BYTES;
                size = Float.BYTES;
                bits = Float.floatToRawIntBits((Float) argument);
            } else if (argument instanceof Long) {
                size = Long.BYTES;
                bits = (Long) argument;
            } else if (argument instanceof Double) {
                kind = CuprumNativeConstants.CUPRUM_ARGUMENT_FLOAT_BYTES;
                size = Double.BYTES;
                bits = Double.doubleToRawLongBits((Double) argument);
            } else if (argument instanceof Short) {
                size = Short.BYTES;
                bits = (Short) argument;
            } else if (argument instanceof Byte) {
                size = Byte.BYTES;
                bits = (Byte) argument;
            } else if (argument instanceof Boolean) {
                size = 1;
                bits = (Boolean) argument ? 1 : 0;
            } else {
                throw unsupported(i, argument);
            }
            packed[2 * i] = kind | ((long) size << 32);
            packed[2 * i + 1] = bits;
        }
        return packed;
    }

    private static IllegalArgumentException unsupported(int position, Object argument) {
        String type = argument == null ? "null" : "of type " + argument.getClass().getName();
        return new IllegalArgumentException("kernel argument " + position + " (counting from 0) is " + type
                + "; pass a Buffer, an int, long, float, double, short, byte or boolean"
                + (argument == null ? ", and 0L for a null pointer" : ""));
    }
}
