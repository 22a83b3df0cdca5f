package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.HistogramEven;
import io.cuprum.InvalidArgumentException;
import io.cuprum.Stream;
import io.cuprum.Value;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Histograms against a plain loop. */
final class HistogramEvenTest {
    private static final int COUNT = 20011;
    private static final int[] SAMPLES = new Random(1).ints(COUNT, -10, 1100).toArray();

    private static int[] expected(int bins) {
        int[] counts = new int[bins];
        for (int sample : SAMPLES) {
            if (sample >= 0 && sample < 1000) {
                ++counts[sample * bins / 1000];
            }
        }
        return counts;
    }

    @Test
    void samplesAreCountedOnADevice() {
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer input = device.allocate(4L * COUNT);
                Buffer counts = device.allocate(4L * 500);
                ElementIterator samples = ElementIterator.of(ElementType.INT32, input);
                HistogramEven histogram =
                        new HistogramEven(device, samples, ElementType.INT64, ElementType.INT32)) {
            input.copyFrom(SAMPLES);
            for (int bins : new int[] {1, 20, 500}) {
                int[] found = new int[bins];
                histogram.call(stream, samples, counts, bins, 0, 1000, COUNT);
                stream.sync();
                counts.copyTo(found);
                assertArrayEquals(expected(bins), found);
            }
            assertThrows(InvalidArgumentException.class,
                    () -> histogram.call(stream, samples, counts, 501, 0, 1000, COUNT));
            assertThrows(InvalidArgumentException.class,
                    () -> histogram.call(stream, samples, counts, 5, 1000, 1000, COUNT));
        }
    }

    @Test
    void arraysAreCountedOnTheHostsCores() {
        try (ElementIterator numbers = ElementIterator.of(ElementType.INT32);
                HistogramEven histogram =
                        new HistogramEven(Execution.HOST, numbers, ElementType.INT64, ElementType.INT32)) {
            int[] found = new int[20];
            histogram.call(SAMPLES, found, 20, 0, 1000, COUNT);
            assertArrayEquals(expected(20), found);
            int[] others = new int[20];
            histogram.call(SAMPLES, others, 20, Value.of(0L), Value.of(1000L), COUNT);
            assertArrayEquals(found, others);
            assertThrows(InvalidArgumentException.class,
                    () -> histogram.call(SAMPLES, others, 20, Value.of(0), Value.of(1000), COUNT));
            assertThrows(InvalidArgumentException.class, () -> histogram.call(SAMPLES, others, 21, 0, 1000, COUNT));
        }
    }
}
