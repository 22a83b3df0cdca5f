package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.HostArray;
import io.cuprum.Parallel;
import io.cuprum.SortOrder;
import io.cuprum.Value;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Integers of 128 bits, which are BigIntegers. */
final class WideIntegerTest {
    private static final BigInteger LARGEST = BigInteger.ONE.shiftLeft(127).subtract(BigInteger.ONE);

    private static BigInteger[] numbers(int count) {
        Random random = new Random(count);
        BigInteger[] numbers = new BigInteger[count];
        for (int i = 0; i < count; ++i) {
            BigInteger bits = new BigInteger(20 + random.nextInt(107), random);
            numbers[i] = random.nextBoolean() ? bits : bits.negate();
        }
        return numbers;
    }

    private static HostArray arrayOf(ElementType type, BigInteger... numbers) {
        HostArray array = new HostArray(type, numbers.length);
        for (int i = 0; i < numbers.length; ++i) {
            array.set(i, numbers[i]);
        }
        return array;
    }

    private static BigInteger[] contents(HostArray array) {
        BigInteger[] numbers = new BigInteger[array.length()];
        Arrays.setAll(numbers, i -> (BigInteger) array.get(i).number());
        return numbers;
    }

    @Test
    void valuesKeepAllBits() {
        for (BigInteger number : new BigInteger[] {LARGEST, LARGEST.negate().subtract(BigInteger.ONE), BigInteger.TEN}) {
            assertEquals(number, Value.of(ElementType.INT128, number).number());
            assertEquals(number.toString(), Value.of(ElementType.INT128, number).toString());
        }
        BigInteger unsigned = LARGEST.shiftLeft(1);
        assertEquals(unsigned, Value.of(ElementType.UINT128, unsigned).number());
        assertEquals(BigInteger.valueOf(-5), Value.of(ElementType.INT128, -5).number());
        assertNotEquals(Value.of(ElementType.INT128, 5), Value.of(ElementType.UINT128, 5));
        assertThrows(IllegalArgumentException.class, () -> Value.of(ElementType.INT128, unsigned));
        assertThrows(IllegalArgumentException.class, () -> Value.of(ElementType.UINT128, -1));
        assertThrows(IllegalArgumentException.class, () -> Value.of(ElementType.UINT128, unsigned.shiftLeft(1)));
    }

    @Test
    void sumsAndSortsAreExact() {
        BigInteger[] numbers = numbers(1000);
        BigInteger sum = Arrays.stream(numbers).reduce(BigInteger.TEN, BigInteger::add);
        BigInteger[] ascending = numbers.clone();
        Arrays.sort(ascending);
        BigInteger[] descending = numbers.clone();
        Arrays.sort(descending, Comparator.reverseOrder());
        for (Execution execution : new Execution[] {Execution.HOST, new io.cuprum.Device(0)}) {
            HostArray array = arrayOf(ElementType.INT128, numbers);
            Value ten = Value.of(ElementType.INT128, 10);
            assertEquals(sum, Parallel.reduce(array, ten, "plus", execution).number());
            Parallel.sort(array, SortOrder.ASCENDING, execution);
            assertEquals(Arrays.asList(ascending), Arrays.asList(contents(array)));
            Parallel.sort(array, SortOrder.DESCENDING, execution);
            assertEquals(Arrays.asList(descending), Arrays.asList(contents(array)));
        }
    }
}
