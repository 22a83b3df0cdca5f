package io.cuprum;

import io.cuprum.internal.HostMemory;
import io.cuprum.internal.NarrowFloats;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One element of an {@link ElementType}: an initial value, a constant, an operator's state, or a kernel's argument, above
 * all a struct. Immutable.
 */
public final class Value {
    /** As large as the largest number. A call has two at most. */
    private static final ThreadLocal<Value[]> TEMPORARY = ThreadLocal.withInitial(
            () -> new Value[] {of(ElementType.INT128, 0), of(ElementType.INT128, 0)});

    private final ElementType type;
    private final ByteBuffer bytes;    // direct, so that C can read it in place
    private final long address;

    private Value(ElementType type, ByteBuffer bytes) {
        this.type = type;
        this.bytes = bytes;
        address = HostMemory.addressOf(bytes);
    }

    /**
     * A value made of its parts.
     *
     * @param type the type of the value
     * @param parts one Number for a number (integers keep all their bits; a BigInteger for one of 128 bits, or
     *     another integer), a Boolean for BOOL, two Numbers for a complex number, and for a struct one for each field in order: a Number, a Boolean or, for complex numbers and
     *     structs, a Value
     * @return the value
     * @throws IllegalArgumentException when the parts do not match the type
     */
    public static Value of(ElementType type, Object... parts) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(type.size()).order(ByteOrder.nativeOrder());
        write(type, bytes, 0, parts);
        return new Value(type, bytes);
    }

    /**
     * A value of the type that a Java number has.
     *
     * @param value a Boolean, Byte, Short, Integer, Long, Float or Double
     * @return the value
     */
    public static Value of(Object value) {
        return of(typeOf(value), value);
    }

    /** Copies a value that starts `at` bytes into `memory`, whatever the memory's position. */
    static Value read(ElementType type, ByteBuffer memory, int at) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(type.size()).order(ByteOrder.nativeOrder());
        bytes.put(0, memory, at, type.size());
        return new Value(type, bytes);
    }

    private static ElementType typeOf(Object value) {
        if (value instanceof Boolean) {
            return ElementType.BOOL;
        } else if (value instanceof Byte) {
            return ElementType.INT8;
        } else if (value instanceof Short) {
            return ElementType.INT16;
        } else if (value instanceof Integer) {
            return ElementType.INT32;
        } else if (value instanceof Long) {
            return ElementType.INT64;
        } else if (value instanceof Float) {
            return ElementType.FLOAT32;
        } else if (value instanceof Double) {
            return ElementType.FLOAT64;
        }
        throw new IllegalArgumentException("expected a Boolean or a number of Java's own, given " + value);
    }

    /** Writes a value `at` bytes into memory in the machine's byte order. */
    static void write(ElementType type, ByteBuffer memory, int at, Object... parts) {
        if (parts.length == 1 && parts[0] instanceof Value value) {
            if (!value.type.equals(type)) {
                throw new IllegalArgumentException("expected a " + type + ", given the " + value.type + " " + value);
            }
            memory.put(at, value.bytes, 0, type.size());
            return;
        }
        int expected = type.kind() == ElementType.Kind.STRUCTURE ? type.fields().size() : isComplex(type) ? 2 : 1;
        if (parts.length != expected) {
            throw new IllegalArgumentException(
                    "a " + type + " has " + expected + " parts, given " + parts.length);
        }
        if (type.kind() == ElementType.Kind.STRUCTURE) {
            for (int i = 0; i < expected; ++i) {
                ElementType.Field field = type.fields().get(i);
                write(field.type(), memory, at + field.offset(), parts[i]);
            }
        } else if (isComplex(type)) {
            ElementType part = type.equals(ElementType.COMPLEX64) ? ElementType.FLOAT32 : ElementType.FLOAT64;
            write(part, memory, at, parts[0]);
            write(part, memory, at + part.size(), parts[1]);
        } else {
            writeNumber(type, memory, at, numberOf(type, parts[0]));
        }
    }

    private static Number numberOf(ElementType type, Object part) {
        if (part instanceof Number number) {
            return number;
        } else if (part instanceof Boolean truth) {
            return truth ? 1 : 0;
        }
        throw new IllegalArgumentException("expected a number for a " + type + ", given " + part);
    }

    private static void writeNumber(ElementType type, ByteBuffer memory, int at, Number number) {
        switch (type.kind()) {
            case BOOL -> memory.put(at, (byte) (number.longValue() != 0 ? 1 : 0));
            case INT8, UINT8 -> memory.put(at, number.byteValue());
            case INT16, UINT16 -> memory.putShort(at, number.shortValue());
            case INT32, UINT32 -> memory.putInt(at, number.intValue());
            case INT64, UINT64 -> memory.putLong(at, number.longValue());
            case FLOAT16 -> memory.putShort(at, NarrowFloats.halfBits(number.floatValue()));
            case BFLOAT16 -> memory.putShort(at, NarrowFloats.bfloat16Bits(number.floatValue()));
            case FLOAT32 -> memory.putFloat(at, number.floatValue());
            case FLOAT64 -> memory.putDouble(at, number.doubleValue());
            case INT128, UINT128 -> writeWide(type, memory, at, number);
            default -> throw new IllegalArgumentException("a " + type + " is not a number");
        }
    }

    private static void writeWide(ElementType type, ByteBuffer memory, int at, Number number) {
        BigInteger value = number instanceof BigInteger big ? big : BigInteger.valueOf(number.longValue());
        boolean isSigned = type.kind() == ElementType.Kind.INT128;
        if (isSigned ? value.bitLength() > 127 : value.signum() < 0 || value.bitLength() > 128) {
            throw new IllegalArgumentException(value + " does not fit into a " + type);
        }
        memory.putLong(at, value.longValue());
        memory.putLong(at + Long.BYTES, value.shiftRight(Long.SIZE).longValue());
    }

    private BigInteger wide() {
        long high = bytes.getLong(Long.BYTES);
        byte[] magnitude = ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(bytes.getLong(0)).array();
        return type.kind() == ElementType.Kind.INT128 ? new BigInteger(magnitude) : new BigInteger(1, magnitude);
    }

    private static boolean isComplex(ElementType type) {
        return type.kind() == ElementType.Kind.COMPLEX64 || type.kind() == ElementType.Kind.COMPLEX128;
    }

    /** {@return its type} */
    public ElementType type() {
        return type;
    }

    /**
     * The value of a number: a Byte, Short, Integer, Long, Float or Double. Unsigned ones as the signed number with the
     * same bits, 16-bit floating-point ones as a Float, BOOL as a Byte. Integers of 128 bits, unsigned ones too, as a
     * BigInteger.
     *
     * @return the number
     * @throws IllegalArgumentException when it is a struct or complex
     */
    public Number number() {
        return switch (type.kind()) {
            case BOOL, INT8, UINT8 -> bytes.get(0);
            case INT16, UINT16 -> bytes.getShort(0);
            case INT32, UINT32 -> bytes.getInt(0);
            case INT64, UINT64 -> bytes.getLong(0);
            case FLOAT16 -> NarrowFloats.ofHalf(bytes.getShort(0));
            case BFLOAT16 -> NarrowFloats.ofBfloat16(bytes.getShort(0));
            case FLOAT32 -> bytes.getFloat(0);
            case FLOAT64 -> bytes.getDouble(0);
            case INT128, UINT128 -> wide();
            default -> throw new IllegalArgumentException(
                    "a " + type + " is not a number: see real(), imaginary() and get()");
        };
    }

    /** {@return the real part of a complex number} */
    public double real() {
        return part(0);
    }

    /** {@return the imaginary part of a complex number} */
    public double imaginary() {
        return part(1);
    }

    private double part(int index) {
        return switch (type.kind()) {
            case COMPLEX64 -> bytes.getFloat(index * Float.BYTES);
            case COMPLEX128 -> bytes.getDouble(index * Double.BYTES);
            default -> throw new IllegalArgumentException("a " + type + " is not a complex number");
        };
    }

    /**
     * A member of a struct.
     *
     * @param field its name
     * @return a copy
     * @throws IllegalArgumentException when the struct has no such member
     */
    public Value get(String field) {
        ElementType.Field member = type.field(field);
        return read(member.type(), bytes, member.offset());
    }

    /** Where C reads it, for as long as this value is reachable. */
    long address() {
        return address;
    }

    /** A number's bytes, the lowest first. */
    long bits() {
        long bits = 0;
        for (int i = type.size() - 1; i >= 0; --i) {
            bits = bits << 8 | bytes.get(i) & 0xFF;
        }
        return bits;
    }

    /** Where C reads a number until this thread asks for the next one: calls allocate nothing. */
    static long addressOfTemporary(ElementType type, Number number) {
        return addressOfTemporary(type, number, 0);
    }

    /** The same for a call with several; `which` is the place of this one among them. */
    static long addressOfTemporary(ElementType type, Number number, int which) {
        Value temporary = TEMPORARY.get()[which];
        write(type, temporary.bytes, 0, number);
        return temporary.address;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Value value && value.type.equals(type) && sameParts(type, bytes, value.bytes, 0);
    }

    /** Padding between the fields of structs is ignored. */
    private static boolean sameParts(ElementType type, ByteBuffer left, ByteBuffer right, int at) {
        if (type.kind() != ElementType.Kind.STRUCTURE) {
            return left.slice(at, type.size()).equals(right.slice(at, type.size()));
        }
        for (ElementType.Field field : type.fields()) {
            if (!sameParts(field.type(), left, right, at + field.offset())) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    @Override
    public String toString() {
        return switch (type.kind()) {
            case STRUCTURE -> {
                StringBuilder text = new StringBuilder(type.name()).append('{');
                for (ElementType.Field field : type.fields()) {
                    text.append(text.length() > type.name().length() + 1 ? ", " : "").append(field.name()).append('=')
                            .append(get(field.name()));
                }
                yield text.append('}').toString();
            }
            case COMPLEX64, COMPLEX128 -> "(" + real() + ", " + imaginary() + ")";
            default -> number().toString();
        };
    }
}
