package io.cuprum.internal;

import io.cuprum.bindings.NativeEnum;
import io.cuprum.bindings.NativeStruct;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * One call of a function of the bindings: its arguments are added one by one, then it is made. Arrays are copied
 * to memory outside the heap and back. There is one object for each thread, reused by its next call, which clears
 * what a refused argument has left behind.
 */
public final class NativeCall {
    /** The function reads what the pointer leads to; null is passed on. */
    public static final int IN = 0;
    /** The function writes it. */
    public static final int OUT = 1;
    /** Both. */
    public static final int IN_OUT = 2;
    /** Together with OUT or IN_OUT: null is passed on. Otherwise it is refused. */
    public static final int OPTIONAL = 4;

    private static final int SLOTS = 32;
    private static final int RESULT = SLOTS * Long.BYTES;
    private static final int RESULT_BYTES = 64;
    private static final int MEMORY = 16 << 10;

    /** The functions of one library, by their index in its list. Each is looked up once. */
    public static final class Functions {
        private final String library;
        private final String[] names;
        /** 0 where it was not looked up yet; the same is stored by whichever thread comes first. */
        private final long[] entries;

        /** `names` is sorted as the generated code counts. */
        public Functions(String library, String[] names) {
            this.library = library;
            this.names = names;
            this.entries = new long[names.length];
        }

        private long entry(int index) {
            long entry = entries[index];
            if (entry == 0) {
                long[] found = new long[1];
                CuprumNative.cuprum_bindings_entry(found, library, names[index]);
                entry = found[0];
                entries[index] = entry;
            }
            return entry;
        }
    }

    /** An array that is filled from memory once the call has been made. */
    private record Output(Object array, ByteBuffer memory, int offset, IntFunction<? extends NativeEnum> enumerator) {}

    private static final ThreadLocal<NativeCall> OF_THREAD = ThreadLocal.withInitial(NativeCall::new);

    private final ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY).order(ByteOrder.nativeOrder());
    private final long address = CuprumNative.host_address(memory);
    private final List<Output> outputs = new ArrayList<>();
    /** What must stay reachable until the call has been made. */
    private final List<Object> kept = new ArrayList<>();
    private Functions functions;
    private int function;
    private int position;
    private int used;

    private NativeCall() {}

    /** Starts the call of `functions`' function of that index. */
    public static NativeCall begin(Functions functions, int index, int parameters) {
        NativeCall call = OF_THREAD.get();
        call.functions = functions;
        call.function = index;
        call.position = 0;
        call.used = RESULT + RESULT_BYTES;
        call.forget();
        if (parameters > SLOTS) {
            throw new AssertionError(functions.names[index] + " has " + parameters + " parameters");
        }
        return call;
    }

    /** An integer of any width, an address or a handle. */
    public void number(long value) {
        memory.putLong(position, value);
        position += Long.BYTES;
    }

    /** The address of memory that the function writes to; 0 is refused. */
    public void place(String parameter, long value) {
        if (value == 0) {
            throw refuse(parameter, "expected the address of memory to write to, given 0");
        }
        number(value);
    }

    /** A float. */
    public void real(float value) {
        number(Integer.toUnsignedLong(Float.floatToRawIntBits(value)));
    }

    /** A double. */
    public void real(double value) {
        number(Double.doubleToRawLongBits(value));
    }

    /** An enumerator; null is refused. */
    public void enumerator(String parameter, NativeEnum value) {
        if (value == null) {
            throw refuse(parameter, "expected an enumerator, given null");
        }
        number(value.value());
    }

    /** A structure by value; null is refused. */
    public void structure(String parameter, NativeStruct value) {
        if (value == null) {
            throw refuse(parameter, "expected a structure, given null");
        }
        kept.add(value);
        number(value.address());
    }

    /** A pointer to the first of at least `length` contiguous structures. */
    public void record(String parameter, NativeStruct value, int direction, long length) {
        if (isNull(parameter, value, direction, "a structure")) {
            return;
        }
        int size = value.layout().size();
        long available = value.memory().capacity() / size;
        if (length > available) {
            throw refuse(parameter, "expected an array of at least " + length + " structures, given " + available);
        }
        structure(parameter, value);
    }

    /** A text that ends in NUL; null is passed on. */
    public void text(String parameter, String value) {
        number(value == null ? 0 : encoded(parameter, value));
    }

    /** An array of texts, at least `length`; null is passed on. */
    public void texts(String parameter, String[] values, long length) {
        if (isNull(parameter, values, IN, "texts")) {
            return;
        }
        checkLength(parameter, values.length, length);
        long[] addresses = new long[values.length];
        for (int i = 0; i < values.length; ++i) {
            addresses[i] = values[i] == null ? 0 : encoded(parameter, values[i]);
        }
        numbers(parameter, addresses, IN, 0);
    }

    /** The address of a text is given out; element 0 gets the text, or null. */
    public void textOut(String parameter, String[] values) {
        isNull(parameter, values, OUT, "an array of one element");
        checkLength(parameter, values.length, 1);
        Place place = take(Long.BYTES, Long.BYTES);
        place.buffer.putLong(place.offset, 0);
        outputs.add(new Output(values, place.buffer, place.offset, null));
        number(place.address);
    }

    /** A pointer to 64-bit numbers, of which there must be at least `length`. */
    public void numbers(String parameter, long[] values, int direction, long length) {
        if (isNull(parameter, values, direction, "a long[]")) {
            return;
        }
        checkLength(parameter, values.length, length);
        Place place = take((long) values.length * Long.BYTES, Long.BYTES);
        place.buffer.duplicate().order(ByteOrder.nativeOrder()).position(place.offset).asLongBuffer().put(values);
        pass(values, place, direction, null);
    }

    /** A pointer to 32-bit numbers. */
    public void numbers(String parameter, int[] values, int direction, long length) {
        if (isNull(parameter, values, direction, "an int[]")) {
            return;
        }
        checkLength(parameter, values.length, length);
        Place place = take((long) values.length * Integer.BYTES, Long.BYTES);
        place.buffer.duplicate().order(ByteOrder.nativeOrder()).position(place.offset).asIntBuffer().put(values);
        pass(values, place, direction, null);
    }

    /** A pointer to 16-bit numbers. */
    public void numbers(String parameter, short[] values, int direction, long length) {
        if (isNull(parameter, values, direction, "a short[]")) {
            return;
        }
        checkLength(parameter, values.length, length);
        Place place = take((long) values.length * Short.BYTES, Long.BYTES);
        place.buffer.duplicate().order(ByteOrder.nativeOrder()).position(place.offset).asShortBuffer().put(values);
        pass(values, place, direction, null);
    }

    /** A pointer to floats. */
    public void numbers(String parameter, float[] values, int direction, long length) {
        if (isNull(parameter, values, direction, "a float[]")) {
            return;
        }
        checkLength(parameter, values.length, length);
        Place place = take((long) values.length * Float.BYTES, Long.BYTES);
        place.buffer.duplicate().order(ByteOrder.nativeOrder()).position(place.offset).asFloatBuffer().put(values);
        pass(values, place, direction, null);
    }

    /** A pointer to bytes. */
    public void numbers(String parameter, byte[] values, int direction, long length) {
        if (isNull(parameter, values, direction, "a byte[]")) {
            return;
        }
        checkLength(parameter, values.length, length);
        Place place = take(values.length, Long.BYTES);
        place.buffer.put(place.offset, values);
        pass(values, place, direction, null);
    }

    /** A pointer to enumerators; elements that are only written may be null. */
    public <E extends NativeEnum> void enumerators(String parameter, E[] values, int direction, long length,
                                                   IntFunction<E> enumerator) {
        if (isNull(parameter, values, direction, "an array of enumerators")) {
            return;
        }
        checkLength(parameter, values.length, length);
        Place place = take((long) values.length * Integer.BYTES, Long.BYTES);
        for (int i = 0; i < values.length; ++i) {
            if (values[i] == null && (direction & OUT) == 0) {
                throw refuse(parameter, "expected enumerators, given null in element " + i);
            }
            place.buffer.putInt(place.offset + i * Integer.BYTES, values[i] == null ? 0 : values[i].value());
        }
        pass(values, place, direction, enumerator);
    }

    /** The length that an array must have by the number that counts it. More than any array has for a huge one. */
    public static long length(long count) {
        return count < 0 ? Long.MAX_VALUE : count;
    }

    /** The same, of 32 bits. */
    public static long length(int count) {
        return Integer.toUnsignedLong(count);
    }

    /** The same, where the number is read and set. */
    public static long length(long[] count) {
        return count == null || count.length == 0 ? 0 : length(count[0]);
    }

    /** The same, of 32 bits. */
    public static long length(int[] count) {
        return count == null || count.length == 0 ? 0 : Integer.toUnsignedLong(count[0]);
    }

    /** Makes the call; sets the arrays that it gives out. */
    public long invoke() {
        try {
            CuprumNative.cuprum_bindings_call(functions.entry(function), address, address + RESULT);
            for (Output output : outputs) {
                give(output);
            }
            return memory.getLong(RESULT);
        } finally {
            forget();
        }
    }

    /** Makes the call of a function that gives a text. */
    public String invokeForText() {
        return CuprumNative.cuprum_bindings_text(invoke());
    }

    /** Makes the call of a function that gives a structure. */
    public void invokeInto(NativeStruct result) {
        if (result.layout().size() > RESULT_BYTES) {
            throw new AssertionError(result.layout().type() + " is larger than any result was");
        }
        invoke();
        result.memory().put(0, memory, RESULT, result.layout().size());
    }

    private record Place(ByteBuffer buffer, int offset, long address) {}

    private Place take(long bytes, int alignment) {
        int begin = (used + alignment - 1) & -alignment;
        if (begin + bytes <= MEMORY) {
            used = begin + (int) bytes;
            return new Place(memory, begin, address + begin);
        }
        ByteBuffer large = ByteBuffer.allocateDirect(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
        kept.add(large);
        return new Place(large, 0, CuprumNative.host_address(large));
    }

    private long encoded(String parameter, String text) {
        if (text.indexOf('\0') >= 0) {
            throw refuse(parameter, "expected text without NUL, given one at " + text.indexOf('\0'));
        }
        return copyOf(Text.encode(text));
    }

    private long copyOf(byte[] text) {
        Place place = take(text.length + 1L, 1);
        place.buffer.put(place.offset, text);
        place.buffer.put(place.offset + text.length, (byte) 0);
        return place.address;
    }

    private void pass(Object values, Place place, int direction, IntFunction<? extends NativeEnum> enumerator) {
        if ((direction & (OUT | IN_OUT)) != 0) {
            outputs.add(new Output(values, place.buffer, place.offset, enumerator));
        }
        number(place.address);
    }

    private static void give(Output output) {
        ByteBuffer from = output.memory.duplicate().order(ByteOrder.nativeOrder()).position(output.offset);
        if (output.array instanceof long[] numbers) {
            from.asLongBuffer().get(numbers);
        } else if (output.array instanceof int[] numbers) {
            from.asIntBuffer().get(numbers);
        } else if (output.array instanceof short[] numbers) {
            from.asShortBuffer().get(numbers);
        } else if (output.array instanceof float[] numbers) {
            from.asFloatBuffer().get(numbers);
        } else if (output.array instanceof byte[] bytes) {
            from.get(bytes);
        } else if (output.array instanceof String[] texts) {
            long text = from.getLong();
            texts[0] = text == 0 ? null : CuprumNative.cuprum_bindings_text(text);
        } else {
            Object[] enumerators = (Object[]) output.array;
            for (int i = 0; i < enumerators.length; ++i) {
                enumerators[i] = output.enumerator.apply(from.getInt());
            }
        }
    }

    private void forget() {
        outputs.clear();
        kept.clear();
    }

    /** Whether null is to be passed, which it is then; refuses null where the function would write to it. */
    private boolean isNull(String parameter, Object value, int direction, String expected) {
        if (value != null) {
            return false;
        }
        if (direction != IN && (direction & OPTIONAL) == 0) {
            throw refuse(parameter, "expected " + expected + ", given null");
        }
        number(0);
        return true;
    }

    private void checkLength(String parameter, int given, long length) {
        if (given < length) {
            throw refuse(parameter, "expected at least " + length + (length == 1 ? " element" : " elements")
                    + ", given " + given);
        }
    }

    private IllegalArgumentException refuse(String parameter, String detail) {
        return new IllegalArgumentException(functions.names[function] + ": " + parameter + ": " + detail);
    }
}
