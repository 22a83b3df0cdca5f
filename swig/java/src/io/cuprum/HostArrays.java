package io.cuprum;

import io.cuprum.internal.CuprumNative;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;

/** Java's own arrays as native memory, and back. */
final class HostArrays {
    private HostArrays() {}

    /** A {@link HostArray} as it is, a Java array copied into one. */
    static HostArray of(Object array) {
        HostArray elements = room(array);
        ByteBuffer memory = elements.memory();
        if (array instanceof boolean[] values) {
            for (boolean value : values) {
                memory.put((byte) (value ? 1 : 0));
            }
        } else if (array instanceof byte[] values) {
            memory.put(values);
        } else if (array instanceof short[] values) {
            memory.asShortBuffer().put(values);
        } else if (array instanceof int[] values) {
            memory.asIntBuffer().put(values);
        } else if (array instanceof long[] values) {
            memory.asLongBuffer().put(values);
        } else if (array instanceof float[] values) {
            memory.asFloatBuffer().put(values);
        } else if (array instanceof double[] values) {
            memory.asDoubleBuffer().put(values);
        }
        return elements;
    }

    /** A {@link HostArray} as it is, and one of the same type and length for a Java array. */
    static HostArray room(Object array) {
        if (array instanceof HostArray elements) {
            return elements;
        }
        ElementType type = typeOf(array);
        long size = (long) type.size() * Array.getLength(array);
        if (size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the array has " + size
                    + " bytes; expected less than 2 GiB: copy it into a Buffer in parts, and call an Algorithm");
        }
        return new HostArray(type, Array.getLength(array));
    }

    /** Fills a Java array from what room() or of() has made for it. */
    static void copyBack(HostArray elements, Object array) {
        ByteBuffer memory = elements.memory();
        if (array instanceof boolean[] values) {
            for (int i = 0; i < values.length; ++i) {
                values[i] = memory.get(i) != 0;
            }
        } else if (array instanceof byte[] values) {
            memory.get(values);
        } else if (array instanceof short[] values) {
            memory.asShortBuffer().get(values);
        } else if (array instanceof int[] values) {
            memory.asIntBuffer().get(values);
        } else if (array instanceof long[] values) {
            memory.asLongBuffer().get(values);
        } else if (array instanceof float[] values) {
            memory.asFloatBuffer().get(values);
        } else if (array instanceof double[] values) {
            memory.asDoubleBuffer().get(values);
        }
    }

    /** A new array of the same type and length. */
    static <A> A like(A array) {
        return like(array, length(array));
    }

    /** A new array of the same type. */
    @SuppressWarnings("unchecked")    // the very type of `array`
    static <A> A like(A array, int length) {
        if (array instanceof HostArray elements) {
            return (A) new HostArray(elements.type(), length);
        }
        typeOf(array);
        return (A) Array.newInstance(array.getClass().getComponentType(), length);
    }

    static int length(Object array) {
        if (array instanceof HostArray elements) {
            return elements.length();
        }
        typeOf(array);
        return Array.getLength(array);
    }

    /** A new array of the type of `array`, with the first elements of what of() or room() has made. */
    @SuppressWarnings("unchecked")    // the very type of `array`
    static <A> A firstOf(HostArray elements, int count, A array) {
        if (array instanceof HostArray) {
            HostArray result = new HostArray(elements.type(), count);
            result.memory().put(elements.memory().limit(count * elements.type().size()));
            return (A) result;
        }
        A result = (A) Array.newInstance(array.getClass().getComponentType(), count);
        copyBack(elements, result);
        return result;
    }

    /** Returns the array itself; refuses null. */
    static <A> A present(A array) {
        typeOf(array);
        return array;
    }

    static ElementType typeOf(Object array) {
        if (array instanceof HostArray elements) {
            return elements.type();
        } else if (array instanceof boolean[]) {
            return ElementType.BOOL;
        } else if (array instanceof byte[]) {
            return ElementType.INT8;
        } else if (array instanceof short[]) {
            return ElementType.INT16;
        } else if (array instanceof int[]) {
            return ElementType.INT32;
        } else if (array instanceof long[]) {
            return ElementType.INT64;
        } else if (array instanceof float[]) {
            return ElementType.FLOAT32;
        } else if (array instanceof double[]) {
            return ElementType.FLOAT64;
        }
        throw new IllegalArgumentException("expected a HostArray or an array of boolean, byte, short, int, long, float "
                + "or double, given " + (array == null ? "null" : array.getClass().getTypeName()));
    }

    /** The first of several arrays. */
    static <A> A first(String operation, A[] arrays) {
        if (arrays.length == 0) {
            throw Errors.invalidArgument(operation, "inputs", "there are none, expected at least 1");
        }
        return arrays[0];
    }

    /** The length of an array that is made: at least 0. */
    static int count(String operation, String name, int count) {
        if (count < 0) {
            throw Errors.invalidArgument(operation, name, "is " + count + ", expected 0 or more");
        }
        return count;
    }

    /** The length of an array that is made for several numbers of elements. */
    static int total(String operation, String name, long[] counts) {
        long total = 0;
        for (long each : counts) {
            if (each < 0 || each > Integer.MAX_VALUE - total) {
                throw Errors.invalidArgument(operation, name, "has " + each
                        + ", expected numbers of 0 and more that add up to less than 2^31");
            }
            total += each;
        }
        return (int) total;
    }

    /** Also of no elements: memory that is there and empty is not null. */
    static long address(HostArray elements) {
        return CuprumNative.host_address(elements.memory());
    }

    /** Bytes. */
    static long size(HostArray elements) {
        return elements.memory().capacity();
    }
}
