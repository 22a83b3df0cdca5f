package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cuprum.BatchedMemcpy;
import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.ForEach;
import io.cuprum.HistogramRange;
import io.cuprum.InvalidArgumentException;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Stream;
import io.cuprum.UnsupportedException;
import io.cuprum.Value;
import org.junit.jupiter.api.Test;

/** Histograms of ranges, calls for each element, batches of copies. */
final class BatchesTest {
    @Test
    void piecesAreCopiedOnADevice() {
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer from = device.allocate(400);
                Buffer to = device.allocate(400);
                Buffer sizes = device.allocate(8);
                ElementIterator source = ElementIterator.counting(ElementType.UINT64, from.handle());
                ElementIterator target = ElementIterator.counting(ElementType.UINT64, to.handle());
                ElementIterator inSizes = ElementIterator.of(ElementType.INT64, sizes);
                BatchedMemcpy copies = new BatchedMemcpy(device, source, target, inSizes)) {
            int[] data = new int[100];
            for (int i = 0; i < data.length; ++i) {
                data[i] = i * i;
            }
            int[] found = new int[100];
            from.copyFrom(data);
            to.copyFrom(found);
            sizes.copyFrom(new long[] {400});
            copies.call(stream, source, target, inSizes, 1);
            stream.sync();
            to.copyTo(found);
            assertArrayEquals(data, found);
        }
    }

    @Test
    void anOperatorIsCalledForEachPositionOfAnArray() {
        ElementType target = ElementType.structure("Target", ElementType.field("numbers", ElementType.UINT64));
        Device device = new Device(0);
        int[] found = new int[12];
        try (Stream stream = device.createStream();
                Buffer numbers = device.allocate(48);
                ElementIterator positions = ElementIterator.coordinates(3, 4);
                Operator store = new Operator(
                        "reinterpret_cast<int*>(numbers)[a.index] = 10 * a.i0 + a.i1; return true;",
                        Value.of(target, numbers.handle()));
                ForEach calls = new ForEach(device, positions, store)) {
            calls.call(stream, positions, 12);
            stream.sync();
            numbers.copyTo(found);
        }
        assertArrayEquals(new int[] {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}, found);
        assertThrows(InvalidArgumentException.class, () -> ElementIterator.coordinates());
        assertThrows(InvalidArgumentException.class, () -> ElementIterator.coordinates(1L << 40, 1L << 40));
    }

    @Test
    void samplesAreCountedOnTheHostsCores() {
        try (ElementIterator numbers = ElementIterator.of(ElementType.INT32);
                Operator negate = new Operator(OpKind.NEGATE);
                HistogramRange histogram =
                        new HistogramRange(Execution.HOST, numbers, ElementType.FLOAT64, ElementType.INT64)) {
            long[] counts = new long[2];
            int[] samples = {1, 5, 9, -3, 4};
            histogram.call(samples, new double[] {0.5, 4.5, 9}, counts, 2, 5);
            assertArrayEquals(new long[] {2, 1}, counts);
            assertThrows(
                    InvalidArgumentException.class,
                    () -> histogram.call(samples, new double[] {0.5, 4.5}, counts, 2, 5));
            assertThrows(UnsupportedException.class, () -> new ForEach(Execution.HOST, numbers, negate));
        }
    }
}
