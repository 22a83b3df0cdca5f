package io.cuprum;

import io.cuprum.internal.CuprumNativeConstants;

/**
 * Packs the arguments of a launch into what the native layer takes: kind | size << 32 and the value's bits, for each;
 * of a struct the address of its bytes, which are outside the heap for as long as its {@link Value} is reachable.
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
            } else if (argument instanceof TextureObject) {
                size = Long.BYTES;
                bits = ((TextureObject) argument).handle();
            } else if (argument instanceof SurfaceObject) {
                size = Long.BYTES;
                bits = ((SurfaceObject) argument).handle();
            } else if (argument instanceof TensorMapDescriptor) {
                kind = CuprumNativeConstants.CUPRUM_ARGUMENT_BYTES;
                size = TensorMapDescriptor.size();
                bits = ((TensorMapDescriptor) argument).address();
            } else if (argument instanceof Value) {
                Value value = (Value) argument;
                kind = kindOf(value.type());
                size = value.type().size();
                bits = kind == CuprumNativeConstants.CUPRUM_ARGUMENT_BYTES ? value.address() : value.bits();
            } else {
                throw unsupported(i, argument);
            }
            packed[2 * i] = kind | ((long) size << 32);
            packed[2 * i + 1] = bits;
        }
        return packed;
    }

    /** Numbers travel in place, whatever else a value may be by its address. */
    private static int kindOf(ElementType type) {
        return switch (type.kind()) {
            case STRUCTURE, COMPLEX64, COMPLEX128, INT128, UINT128, BFLOAT16 -> CuprumNativeConstants.CUPRUM_ARGUMENT_BYTES;
            case FLOAT16, FLOAT32, FLOAT64 -> CuprumNativeConstants.CUPRUM_ARGUMENT_FLOAT_BYTES;
            default -> CuprumNativeConstants.CUPRUM_ARGUMENT_INT_BYTES;
        };
    }

    private static IllegalArgumentException unsupported(int position, Object argument) {
        String type = argument == null ? "null" : "of type " + argument.getClass().getName();
        return new IllegalArgumentException("kernel argument " + position + " (counting from 0) is " + type
                + "; pass a Buffer, a TextureObject, a SurfaceObject, a TensorMapDescriptor, an int, long, float, double, short, byte or boolean, or a Value, as of a struct"
                + (argument == null ? ", and 0L for a null pointer" : ""));
    }
}
