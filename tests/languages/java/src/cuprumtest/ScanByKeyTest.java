package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cuprum.AdjacentDifference;
import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.ExclusiveScanByKey;
import io.cuprum.Execution;
import io.cuprum.InclusiveScanByKey;
import io.cuprum.InvalidArgumentException;
import io.cuprum.Neighbour;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Stream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Scans by key, and differences of neighbours. */
final class ScanByKeyTest {
    private static final int[] KEYS = {1, 1, 1, 2, 2, 3};
    private static final int[] VALUES = {3, 1, 4, 1, 5, 9};

    @Test
    void functionsCombineAndCompareOnADevice() {
        int count = 10000;
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer output = device.allocate(8L * count);
                ElementIterator keys = ElementIterator.counting(ElementType.INT32, 0);
                ElementIterator ones = ElementIterator.constant(ElementType.INT64, 1);
                Operator add = Operator.of((a, b) -> a.plus(b));
                Operator isSameHundred = new Operator("a / 100 == b / 100");
                ExclusiveScanByKey scan =
                        new ExclusiveScanByKey(device, keys, ones, add, ElementType.INT64, isSameHundred)) {
            long[] found = new long[count];
            scan.call(stream, keys, ones, output, count, 5);
            stream.sync();
            output.copyTo(found);
            assertArrayEquals(LongStream.range(0, count).map(i -> 5 + i % 100).toArray(), found);
        }
    }

    @Test
    void runsAreScannedAndNeighboursSubtractedOnTheHostsCores() {
        try (ElementIterator numbers = ElementIterator.of(ElementType.INT32);
                Operator plus = new Operator(OpKind.PLUS);
                Operator minus = new Operator(OpKind.MINUS);
                Operator isEqual = new Operator(OpKind.EQUAL_TO);
                InclusiveScanByKey inclusive =
                        new InclusiveScanByKey(Execution.HOST, numbers, numbers, plus, ElementType.INT32, isEqual);
                ExclusiveScanByKey exclusive =
                        new ExclusiveScanByKey(Execution.HOST, numbers, numbers, plus, ElementType.INT32, isEqual);
                AdjacentDifference left =
                        new AdjacentDifference(Execution.HOST, Neighbour.LEFT, numbers, minus, ElementType.INT32);
                AdjacentDifference right =
                        new AdjacentDifference(Execution.HOST, Neighbour.RIGHT, numbers, minus, ElementType.INT32)) {
            int[] out = new int[6];
            inclusive.call(KEYS, VALUES, out, 6);
            assertArrayEquals(new int[] {3, 4, 8, 1, 6, 9}, out);
            exclusive.call(KEYS, VALUES, out, 6, 10);
            assertArrayEquals(new int[] {10, 13, 14, 10, 11, 10}, out);
            left.call(VALUES, out, 6);
            assertArrayEquals(new int[] {3, -2, 3, -3, 4, 4}, out);
            right.call(VALUES, out, 6);
            assertArrayEquals(new int[] {2, -3, 3, -4, -4, 9}, out);
            assertThrows(InvalidArgumentException.class, () -> left.call(VALUES, new int[5], 6));
        }
    }
}
