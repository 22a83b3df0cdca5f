package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cuprum.BinarySearch;
import io.cuprum.Bound;
import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.InvalidArgumentException;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Stream;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where values belong among sorted elements, against a plain loop. */
final class BinarySearchTest {
    private static final int COUNT = 3000;
    private static final int[] DATA = new Random(1).ints(COUNT, 0, 1000).sorted().toArray();
    private static final int[] VALUES = new Random(2).ints(COUNT, -5, 1005).toArray();

    /** How many elements are before the value, or not behind it. */
    private static long[] expected(Bound bound) {
        return Arrays.stream(VALUES).mapToLong(value -> IntStream.of(DATA)
                .filter(element -> bound == Bound.LOWER ? element < value : element <= value).count()).toArray();
    }

    @Test
    void valuesAreSearchedOnADevice() {
        Device device = new Device(0);
        try (Stream stream = device.createStream();
                Buffer elements = device.allocate(4L * COUNT);
                Buffer wanted = device.allocate(4L * COUNT);
                Buffer positions = device.allocate(8L * COUNT);
                ElementIterator data = ElementIterator.of(ElementType.INT32, elements);
                ElementIterator values = ElementIterator.of(ElementType.INT32, wanted);
                Operator less = new Operator(OpKind.LESS)) {
            elements.copyFrom(DATA);
            wanted.copyFrom(VALUES);
            for (Bound bound : Bound.values()) {
                try (BinarySearch search = new BinarySearch(device, bound, data, values, less, ElementType.INT64)) {
                    search.call(stream, data, COUNT, values, positions, COUNT);
                    stream.sync();
                    long[] found = new long[COUNT];
                    positions.copyTo(found);
                    assertArrayEquals(expected(bound), found);
                    assertThrows(InvalidArgumentException.class,
                            () -> search.call(stream, data, COUNT, values, elements, COUNT));
                }
            }
        }
    }

    @Test
    void valuesAreSearchedOnTheHostsCores() {
        try (ElementIterator numbers = ElementIterator.of(ElementType.INT32);
                Operator less = new Operator(OpKind.LESS)) {
            for (Bound bound : Bound.values()) {
                try (BinarySearch search =
                        new BinarySearch(Execution.HOST, bound, numbers, numbers, less, ElementType.INT64)) {
                    long[] found = new long[COUNT];
                    search.call(DATA, COUNT, VALUES, found, COUNT);
                    assertArrayEquals(expected(bound), found);
                    assertThrows(InvalidArgumentException.class,
                            () -> search.call(DATA, COUNT, VALUES, new int[COUNT], COUNT));
                    assertThrows(InvalidArgumentException.class,
                            () -> search.call(DATA, COUNT + 1, VALUES, found, COUNT));
                }
            }
        }
    }
}
