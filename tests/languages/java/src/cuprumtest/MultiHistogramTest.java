package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.InvalidArgumentException;
import io.cuprum.MultiHistogramEven;
import io.cuprum.MultiHistogramRange;
import io.cuprum.Stream;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Histograms of several channels against plain loops. */
final class MultiHistogramTest {
    private static final int PIXELS = 5000;
    private static final long[] BINS = {10, 300, 1};
    private static final float[] LOWER = {-100, 0, 5};
    private static final float[] UPPER = {100, 75, 6};

    /** Four channels; whole numbers from -100 to 99. */
    private static short[] pixels() {
        Random random = new Random(1);
        short[] pixels = new short[PIXELS * 4];
        for (int i = 0; i < pixels.length; ++i) {
            pixels[i] = (short) (random.nextInt(200) - 100);
        }
        return pixels;
    }

    private static int[] expected(short[] pixels) {
        int[] counts = new int[311];
        for (int pixel = 0; pixel < PIXELS; ++pixel) {
            int first = 0;
            for (int channel = 0; channel < BINS.length; ++channel) {
                float sample = pixels[pixel * 4 + channel];
                if (sample >= LOWER[channel] && sample < UPPER[channel]) {
                    ++counts[first + (int) ((sample - LOWER[channel])
                            * (BINS[channel] / (UPPER[channel] - LOWER[channel])))];
                }
                first += (int) BINS[channel];
            }
        }
        return counts;
    }

    @Test
    void theChannelsOfPixelsAreCountedOnADevice() {
        short[] pixels = pixels();
        int[] found = new int[311];
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer in = device.allocate(2L * pixels.length);
                Buffer counts = device.allocate(4L * found.length);
                ElementIterator samples = ElementIterator.of(ElementType.INT16, in);
                MultiHistogramEven even = new MultiHistogramEven(
                        device, samples, 4, 3, ElementType.FLOAT32, ElementType.UINT32)) {
            in.copyFrom(pixels);
            even.call(stream, samples, counts, BINS, LOWER, UPPER, PIXELS);
            stream.sync();
            counts.copyTo(found);
            assertArrayEquals(expected(pixels), found);
            InvalidArgumentException fewer = assertThrows(InvalidArgumentException.class,
                    () -> even.call(stream, samples, counts, new long[] {1, 2}, LOWER, UPPER, PIXELS));
            assertTrue(fewer.getMessage().contains("2 given"), fewer.getMessage());
            assertThrows(InvalidArgumentException.class,
                    () -> even.call(stream, samples, counts, BINS, new int[3], UPPER, PIXELS));
            assertThrows(InvalidArgumentException.class,
                    () -> even.call(stream, samples, counts, BINS, LOWER, UPPER, PIXELS + 1));
            assertThrows(InvalidArgumentException.class,
                    () -> even.call(stream, samples, counts, new long[] {10, 301, 1}, LOWER, UPPER, PIXELS));
            assertThrows(InvalidArgumentException.class, () -> new MultiHistogramEven(
                    device, samples, 5, 3, ElementType.FLOAT32, ElementType.UINT32));
        }
    }

    @Test
    void theChannelsOfPixelsAreCountedOnTheHostsCores() {
        short[] pixels = pixels();
        int[] found = new int[311];
        try (ElementIterator samples = ElementIterator.of(ElementType.INT16);
                MultiHistogramEven even = new MultiHistogramEven(
                        Execution.HOST, samples, 4, 3, ElementType.FLOAT32, ElementType.INT32)) {
            even.call(pixels, found, BINS, LOWER, UPPER, PIXELS);
            assertArrayEquals(expected(pixels), found);
        }
    }

    @Test
    void eachChannelHasRangesOfItsOwn() {
        int[] pixels = {255, 0, 10, 200, 64, 20, 0, 65, 30, 130, 255, 40};
        int[] levels = {0, 128, 256, 0, 60, 200, 256};
        long[] bins = {2, 3};
        int[] expected = {1, 3, 1, 2, 1};
        int[] found = new int[5];
        try (ElementIterator samples = ElementIterator.of(ElementType.INT32);
                MultiHistogramRange ranges = new MultiHistogramRange(
                        Execution.HOST, samples, 3, 2, ElementType.INT32, ElementType.INT32)) {
            ranges.call(pixels, levels, found, bins, 4);
            assertArrayEquals(expected, found);
        }
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer in = device.allocate(48);
                Buffer inLevels = device.allocate(28);
                Buffer counts = device.allocate(20);
                ElementIterator samples = ElementIterator.of(ElementType.INT32, in);
                MultiHistogramRange ranges = new MultiHistogramRange(
                        device, samples, 3, 2, ElementType.INT32, ElementType.INT32)) {
            in.copyFrom(pixels);
            inLevels.copyFrom(levels);
            counts.copyFrom(new int[5]);
            ranges.call(stream, samples, inLevels, counts, bins, 4);
            stream.sync();
            counts.copyTo(found);
            assertArrayEquals(expected, found);
            assertThrows(InvalidArgumentException.class,
                    () -> ranges.call(stream, samples, inLevels, counts, new long[] {2, 4}, 4));
        }
    }
}
