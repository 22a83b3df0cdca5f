package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Equal;
import io.cuprum.Execution;
import io.cuprum.FindIf;
import io.cuprum.InvalidArgumentException;
import io.cuprum.MinMax;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Parallel;
import io.cuprum.SortOrder;
import io.cuprum.Stream;
import io.cuprum.TopkKeys;
import io.cuprum.TopkPairs;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The top keys, both extremes, the first element of a kind, and whether inputs are equal. */
final class TopkTest {
    private static final int[] KEYS = {5, 1, 9, 3, 7};

    @Test
    void theFirstElementOfAKindIsFoundInOneCall() {
        for (Execution execution : new Execution[] {new Device(0), Execution.HOST}) {
            assertEquals(2, Parallel.findIf(new double[] {0, -0.0, 3, 4}, "identity", execution));
            assertEquals(-1, Parallel.findIf(new int[3], "identity", execution));
            assertEquals(-1, Parallel.findIf(new int[0], "identity", execution));
        }
        assertEquals(1, Parallel.findIf(new int[] {4, 9, 10}, a -> a.greaterThan(5)));
    }

    @Test
    void elementsAreFoundOnADevice() {
        int count = 10000;
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer position = device.allocate(8);
                Buffer keys = device.allocate(12);
                ElementIterator counting = ElementIterator.counting(ElementType.INT32, 0);
                Operator isLarge = Operator.of(a -> a.greaterThan(4321));
                FindIf find = new FindIf(device, counting, isLarge, ElementType.INT64);
                TopkKeys top = new TopkKeys(device, SortOrder.DESCENDING, counting)) {
            long[] found = new long[1];
            int[] largest = new int[3];
            find.call(stream, counting, position, count);
            top.call(stream, counting, keys, 3, count);
            stream.sync();
            position.copyTo(found);
            keys.copyTo(largest);
            Arrays.sort(largest);
            assertEquals(4322, found[0]);
            assertArrayEquals(new int[] {9997, 9998, 9999}, largest);
        }
    }

    @Test
    void elementsAreFoundOnTheHostsCores() {
        try (ElementIterator numbers = ElementIterator.of(ElementType.INT32);
                Operator isTrue = new Operator(OpKind.IDENTITY);
                Operator isEqual = new Operator(OpKind.EQUAL_TO);
                TopkPairs top = new TopkPairs(Execution.HOST, SortOrder.ASCENDING, numbers, numbers);
                MinMax extremes = new MinMax(Execution.HOST, numbers);
                FindIf find = new FindIf(Execution.HOST, numbers, isTrue, ElementType.INT32);
                Equal equal = new Equal(Execution.HOST, numbers, numbers, isEqual)) {
            int[] keys = new int[2];
            int[] values = new int[2];
            top.call(KEYS, new int[] {0, 1, 2, 3, 4}, keys, values, 2, 5);
            Arrays.sort(keys);
            Arrays.sort(values);
            assertArrayEquals(new int[] {1, 3}, keys);
            assertArrayEquals(new int[] {1, 3}, values);
            assertThrows(
                    InvalidArgumentException.class, () -> top.call(KEYS, KEYS, new int[6], new int[6], 6, 5));
            extremes.call(KEYS, keys, 5);
            assertArrayEquals(new int[] {1, 9}, keys);
            assertEquals(3, find.call(new int[] {0, 0, 0, 4, 5}, 5).number().intValue());
            assertTrue(equal.call(KEYS, KEYS.clone(), 5));
            assertFalse(equal.call(KEYS, new int[5], 5));
        }
    }
}
