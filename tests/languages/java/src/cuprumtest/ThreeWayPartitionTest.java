package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cuprum.Buffer;
import io.cuprum.CallOptions;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.InvalidArgumentException;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.Stream;
import io.cuprum.ThreeWayPartition;
import io.cuprum.Value;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** Elements in three parts, against a plain loop. */
final class ThreeWayPartitionTest {
    private static final int COUNT = 10007;
    private static final int[] DATA = new Random(1).ints(COUNT, 0, 100).toArray();

    private static int[] part(Buffer memory, long count) {
        int[] elements = new int[COUNT];
        memory.copyTo(elements);
        return Arrays.copyOf(elements, (int) count);
    }

    private static int[] those(IntPredicate condition) {
        return Arrays.stream(DATA).filter(condition).toArray();
    }

    @Test
    void bothConditionsTakeAStateOfTheCall() {
        Device device = new Device(0);
        ElementType limit = ElementType.structure("Limit", ElementType.field("limit", ElementType.INT32));
        try (Stream stream = device.createStream();
                Buffer input = device.allocate(4L * COUNT);
                Buffer first = device.allocate(4L * COUNT);
                Buffer second = device.allocate(4L * COUNT);
                Buffer rest = device.allocate(4L * COUNT);
                Buffer counts = device.allocate(16);
                ElementIterator elements = ElementIterator.of(ElementType.INT32, input);
                Operator above = new Operator("a > limit", Value.of(limit, 70));
                Operator below = new Operator("a < limit", Value.of(limit, 20));
                ThreeWayPartition partition = new ThreeWayPartition(device, elements, above, below);
                Operator below50 = below.withState(Value.of(limit, 50))) {
            input.copyFrom(DATA);
            long[] found = new long[2];
            partition.call(stream, elements, first, second, rest, counts, COUNT);
            stream.sync();
            counts.copyTo(found);
            assertArrayEquals(those(a -> a > 70), part(first, found[0]));
            assertArrayEquals(those(a -> a < 20), part(second, found[1]));
            assertArrayEquals(those(a -> a >= 20 && a <= 70), part(rest, COUNT - found[0] - found[1]));

            partition.call(stream, elements, first, second, rest, counts, COUNT, new CallOptions().secondOp(below50));
            stream.sync();
            counts.copyTo(found);
            assertArrayEquals(those(a -> a > 70), part(first, found[0]));
            assertArrayEquals(those(a -> a < 50), part(second, found[1]));
            assertThrows(InvalidArgumentException.class,
                    () -> partition.call(stream, elements, first, first, rest, counts, COUNT));
        }
    }

    @Test
    void arraysArePartitionedOnTheHostsCores() {
        try (ElementIterator numbers = ElementIterator.of(ElementType.INT32);
                Operator isZero = new Operator(OpKind.LOGICAL_NOT);
                Operator isOther = new Operator(OpKind.IDENTITY);
                ThreeWayPartition partition = new ThreeWayPartition(Execution.HOST, numbers, isZero, isOther)) {
            int[] first = {9, 9, 9, 9};
            int[] second = {9, 9, 9, 9};
            int[] rest = {9, 9, 9, 9};
            long[] counts = new long[2];
            partition.call(new int[] {0, 3, 0, 4}, first, second, rest, counts, 4);
            assertArrayEquals(new long[] {2, 2}, counts);
            assertArrayEquals(new int[] {0, 0, 9, 9}, first);
            assertArrayEquals(new int[] {3, 4, 9, 9}, second);
            assertArrayEquals(new int[] {9, 9, 9, 9}, rest);
            assertThrows(InvalidArgumentException.class,
                    () -> partition.call(new int[4], first, second, rest, new long[1], 4));
        }
    }
}
