package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.InvalidArgumentException;
import io.cuprum.MergeKeys;
import io.cuprum.MergePairs;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.ScanKind;
import io.cuprum.SegmentedScan;
import io.cuprum.Stream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Merges of sorted sequences, and scans of segments. */
final class MergeTest {
    private static final int[] FIRST = {1, 4, 4, 9};
    private static final int[] SECOND = {0, 4, 20};

    @Test
    void functionsCompareOnADevice() {
        int count = 5000;
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer output = device.allocate(8L * count);
                ElementIterator counting = ElementIterator.counting(ElementType.INT32, 0);
                Operator less = Operator.of((a, b) -> a.lessThan(b));
                MergeKeys merge = new MergeKeys(device, counting, counting, less)) {
            int[] found = new int[2 * count];
            merge.call(stream, counting, count, counting, count, output);
            stream.sync();
            output.copyTo(found);
            assertArrayEquals(IntStream.range(0, 2 * count).map(i -> i / 2).toArray(), found);
        }
    }

    @Test
    void sequencesAreMergedAndSegmentsScannedOnTheHostsCores() {
        try (ElementIterator numbers = ElementIterator.of(ElementType.INT32);
                Operator less = new Operator(OpKind.LESS);
                Operator plus = new Operator(OpKind.PLUS);
                MergeKeys keys = new MergeKeys(Execution.HOST, numbers, numbers, less);
                MergePairs pairs = new MergePairs(Execution.HOST, numbers, numbers, numbers, numbers, less);
                SegmentedScan scan = new SegmentedScan(Execution.HOST, ScanKind.EXCLUSIVE, numbers, plus,
                        ElementType.INT32, ElementType.INT64)) {
            int[] out = new int[7];
            int[] values = new int[7];
            keys.call(FIRST, 4, SECOND, 3, out);
            assertArrayEquals(new int[] {0, 1, 4, 4, 4, 9, 20}, out);
            pairs.call(FIRST, new int[] {10, 11, 12, 13}, 4, SECOND, new int[] {20, 21, 22}, 3, out, values);
            assertArrayEquals(new int[] {0, 1, 4, 4, 4, 9, 20}, out);
            assertArrayEquals(new int[] {20, 10, 11, 12, 21, 13, 22}, values);
            assertThrows(InvalidArgumentException.class, () -> keys.call(FIRST, 4, SECOND, 3, new int[6]));
            scan.call(FIRST, values, 4, 2, new long[] {0, 3}, new long[] {3, 4}, 100);
            assertArrayEquals(new int[] {100, 101, 105, 100, 21, 13, 22}, values);
        }
    }
}
