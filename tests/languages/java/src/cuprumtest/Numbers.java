package cuprumtest;

import io.cuprum.ElementType;
import io.cuprum.HostArray;
import io.cuprum.Value;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.function.LongBinaryOperator;

/**
 * What the numbers of a type and the well-known operators are, written down once more: elements are longs, which every
 * integer of the type is, and of which the floating-point ones are so small that all results are exact.
 */
record Numbers(ElementType type) {
    boolean isFloating() {
        return type.name().contains("float");
    }

    /** 8 bits of mantissa are enough for what a few elements give. */
    boolean isNarrow() {
        return isFloating() && type.size() == 2;
    }

    private boolean isUnsigned() {
        return type.name().startsWith("uint");
    }

    /** The number with the same lowest bits. */
    long wrap(long value) {
        if (isFloating() || type.size() == Long.BYTES) {
            return value;
        }
        int unused = Long.SIZE - 8 * type.size();
        return isUnsigned() ? value << unused >>> unused : value << unused >> unused;
    }

    Comparator<Long> order() {
        return isUnsigned() ? Long::compareUnsigned : Long::compare;
    }

    LongBinaryOperator operator(String name) {
        return switch (name) {
            case "plus" -> (a, b) -> wrap(a + b);
            case "minus" -> (a, b) -> wrap(a - b);
            case "multiplies" -> (a, b) -> wrap(a * b);
            case "minimum" -> (a, b) -> order().compare(b, a) < 0 ? b : a;
            case "maximum" -> (a, b) -> order().compare(a, b) < 0 ? b : a;
            case "bit_and" -> (a, b) -> a & b;
            case "bit_or" -> (a, b) -> a | b;
            case "bit_xor" -> (a, b) -> a ^ b;
            case "logical_and" -> (a, b) -> a != 0 && b != 0 ? 1 : 0;
            case "logical_or" -> (a, b) -> a != 0 || b != 0 ? 1 : 0;
            default -> throw new IllegalArgumentException(name);
        };
    }

    String[] associativeOperators() {
        return isFloating() ? new String[] {"plus", "multiplies", "minimum", "maximum", "logical_and", "logical_or"}
                : new String[] {"plus", "multiplies", "minimum", "maximum", "bit_and", "bit_or", "bit_xor",
                    "logical_and", "logical_or"};
    }

    /** So many elements, with which the operator is exact. */
    long[] random(Random random, int count, String operator) {
        if (!isFloating()) {
            return random.longs(count).map(this::wrap).toArray();
        }
        return "multiplies".equals(operator) ? random.ints(count, 0, 2).mapToLong(x -> 2 * x - 1).toArray()
                : random.ints(count, -3, 4).asLongStream().toArray();
    }

    Value value(long number) {
        return isFloating() ? Value.of(type, (double) number) : Value.of(type, number);
    }

    HostArray array(long[] numbers) {
        HostArray array = new HostArray(type, numbers.length);
        for (int i = 0; i < numbers.length; ++i) {
            array.set(i, value(numbers[i]));
        }
        return array;
    }

    long read(Value value) {
        return isFloating() ? (long) value.number().doubleValue() : wrap(value.number().longValue());
    }

    long[] read(HostArray array) {
        long[] numbers = new long[array.length()];
        Arrays.setAll(numbers, i -> read(array.get(i)));
        return numbers;
    }

    @Override
    public String toString() {
        return type.name();
    }
}
