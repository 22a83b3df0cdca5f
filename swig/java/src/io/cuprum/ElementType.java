package io.cuprum;

import java.util.ArrayList;
import java.util.List;

/**
 * The type of the elements that the parallel algorithms of {@link Parallel} and {@link Algorithm} work on, and of a
 * kernel's argument that is a {@link Value}: a number, or a struct described by its fields. A value: types of the same text are equal.
 */
public final class ElementType {
    /** boolean, one byte. */
    public static final ElementType BOOL = new ElementType(Kind.BOOL, "bool", 1);
    /** byte. */
    public static final ElementType INT8 = new ElementType(Kind.INT8, "int8", 1);
    /** short. */
    public static final ElementType INT16 = new ElementType(Kind.INT16, "int16", 2);
    /** int. */
    public static final ElementType INT32 = new ElementType(Kind.INT32, "int32", 4);
    /** long. */
    public static final ElementType INT64 = new ElementType(Kind.INT64, "int64", 8);
    /** The bits of an unsigned byte. */
    public static final ElementType UINT8 = new ElementType(Kind.UINT8, "uint8", 1);
    /** The bits of an unsigned short. */
    public static final ElementType UINT16 = new ElementType(Kind.UINT16, "uint16", 2);
    /** The bits of an unsigned int. */
    public static final ElementType UINT32 = new ElementType(Kind.UINT32, "uint32", 4);
    /** The bits of an unsigned long. */
    public static final ElementType UINT64 = new ElementType(Kind.UINT64, "uint64", 8);
    /** IEEE half. */
    public static final ElementType FLOAT16 = new ElementType(Kind.FLOAT16, "float16", 2);
    /** The upper half of a float. */
    public static final ElementType BFLOAT16 = new ElementType(Kind.BFLOAT16, "bfloat16", 2);
    /** float. */
    public static final ElementType FLOAT32 = new ElementType(Kind.FLOAT32, "float32", 4);
    /** double. */
    public static final ElementType FLOAT64 = new ElementType(Kind.FLOAT64, "float64", 8);
    /** Two floats, real and imaginary. */
    public static final ElementType COMPLEX64 = new ElementType(Kind.COMPLEX64, "complex64", 8);
    /** Two doubles, real and imaginary. */
    public static final ElementType COMPLEX128 = new ElementType(Kind.COMPLEX128, "complex128", 16);
    /** A signed integer of 128 bits, a java.math.BigInteger. */
    public static final ElementType INT128 = new ElementType(Kind.INT128, "int128", 16);
    /** An unsigned integer of 128 bits, a java.math.BigInteger. */
    public static final ElementType UINT128 = new ElementType(Kind.UINT128, "uint128", 16);

    enum Kind {
        BOOL, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, FLOAT16, BFLOAT16, FLOAT32, FLOAT64, COMPLEX64,
        COMPLEX128, INT128, UINT128, STRUCTURE
    }

    /**
     * A member of a struct.
     *
     * @param name its name in operators
     * @param type the type of its value
     * @param offset bytes from the struct's start
     */
    public record Field(String name, ElementType type, int offset) {}

    private static final int FOLLOWING = -1;

    private final Kind kind;
    private final String name;
    private final String text;
    private final int size;
    private final int alignment;
    private final List<Field> fields;

    private ElementType(Kind kind, String text, int size) {
        this(kind, text, text, size, size, List.of());
    }

    private ElementType(Kind kind, String name, String text, int size, int alignment, List<Field> fields) {
        this.kind = kind;
        this.name = name;
        this.text = text;
        this.size = size;
        this.alignment = alignment;
        this.fields = fields;
    }

    /**
     * A member of a struct for {@link #structure}, where C would put it.
     *
     * @param name an identifier
     * @param type the type of its value
     * @return the member
     */
    public static Field field(String name, ElementType type) {
        return new Field(name, type, FOLLOWING);
    }

    /**
     * A struct, laid out as in C: {@code structure("Point", field("x", FLOAT32), field("y", FLOAT32))}.
     *
     * @param name an identifier, by which operators may name the type
     * @param fields in the order of their offsets; those of {@link #field} follow each other as in C
     * @return the type
     * @throws IllegalArgumentException when fields overlap or are misaligned
     */
    public static ElementType structure(String name, Field... fields) {
        List<Field> placed = new ArrayList<>();
        int end = 0;
        int alignment = 1;
        for (Field field : fields) {
            int place = roundUp(end, field.type().alignment());
            int offset = field.offset() == FOLLOWING ? place : field.offset();
            if (offset < place || offset % field.type().alignment() != 0) {
                throw new IllegalArgumentException("struct " + name + ": the field " + field.name() + " at byte "
                        + offset + ": expected a multiple of " + field.type().alignment() + " from " + place + " on");
            }
            placed.add(new Field(field.name(), field.type(), offset));
            end = offset + field.type().size();
            alignment = Math.max(alignment, field.type().alignment());
        }
        if (placed.isEmpty()) {
            throw new IllegalArgumentException("struct " + name + " has no fields");
        }
        int size = roundUp(end, alignment);
        StringBuilder text = new StringBuilder(name).append('{');
        for (Field field : placed) {
            text.append(text.length() > name.length() + 1 ? "," : "").append(field.name()).append(':')
                    .append(field.type().text()).append('@').append(field.offset());
        }
        text.append("}:").append(size).append(':').append(alignment);
        return new ElementType(Kind.STRUCTURE, name, text.toString(), size, alignment, List.copyOf(placed));
    }

    private static int roundUp(int value, int multiple) {
        return (value + multiple - 1) / multiple * multiple;
    }

    /** {@return the bytes of one element} */
    public int size() {
        return size;
    }

    /** {@return the alignment of an element in bytes} */
    public int alignment() {
        return alignment;
    }

    /** {@return "float32" and the like; a struct's own name} */
    public String name() {
        return name;
    }

    /** {@return the members of a struct in the order of their offsets; none for a number} */
    public List<Field> fields() {
        return fields;
    }

    /** The member of that name. */
    Field field(String fieldName) {
        for (Field field : fields) {
            if (field.name().equals(fieldName)) {
                return field;
            }
        }
        throw new IllegalArgumentException("the type " + this + " has no field " + fieldName);
    }

    Kind kind() {
        return kind;
    }

    /** {@return its name in the C ABI} */
    String text() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ElementType type && type.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
