package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cuprum.Buffer;
import io.cuprum.CallOptions;
import io.cuprum.Device;
import io.cuprum.ElementIterator;
import io.cuprum.ElementType;
import io.cuprum.Execution;
import io.cuprum.InvalidArgumentException;
import io.cuprum.NonTrivialRuns;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.ReduceByKey;
import io.cuprum.RunLengthEncode;
import io.cuprum.Stream;
import io.cuprum.Value;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs of equal elements: reduced, counted and found. */
final class RunsTest {
    private static final int[] KEYS = {5, 5, 5, 2, 7, 7, 5, 5};

    @Test
    void bothOperatorsTakeAStateOfTheCall() {
        int count = 10000;
        Device device = new Device(0);
        ElementType step = ElementType.structure("Step", ElementType.field("step", ElementType.INT32));
        try (Stream stream = device.createStream();
                Buffer keysOut = device.allocate(4L * count);
                Buffer sums = device.allocate(8L * count);
                Buffer runCount = device.allocate(8);
                ElementIterator keys = ElementIterator.counting(ElementType.INT32, 0);
                ElementIterator ones = ElementIterator.constant(ElementType.INT64, 1);
                Operator add = Operator.of((a, b) -> a.plus(b));
                Operator isSameStep = new Operator("a / step == b / step", Value.of(step, 100));
                ReduceByKey reduce = new ReduceByKey(device, keys, ones, add, ElementType.INT64, isSameStep);
                Operator isSameThousand = isSameStep.withState(Value.of(step, 1000))) {
            long[] found = new long[count];
            int[] first = new int[count];
            long[] runs = new long[1];
            for (int length : new int[] {100, 1000}) {
                CallOptions options = new CallOptions();
                reduce.call(stream, keys, ones, keysOut, sums, runCount, count,
                        length == 100 ? options : options.secondOp(isSameThousand));
                stream.sync();
                keysOut.copyTo(first);
                sums.copyTo(found);
                runCount.copyTo(runs);
                assertEquals(count / length, runs[0]);
                assertArrayEquals(IntStream.range(0, count / length).map(i -> length * i).toArray(),
                        Arrays.copyOf(first, count / length));
                assertEquals(length, found[count / length - 1]);
            }
        }
    }

    @Test
    void runsAreFoundOnTheHostsCores() {
        try (ElementIterator numbers = ElementIterator.of(ElementType.INT32);
                Operator plus = new Operator(OpKind.PLUS);
                Operator isEqual = new Operator(OpKind.EQUAL_TO);
                ReduceByKey reduce =
                        new ReduceByKey(Execution.HOST, numbers, numbers, plus, ElementType.INT32, isEqual);
                RunLengthEncode encode = new RunLengthEncode(Execution.HOST, numbers, ElementType.INT32, isEqual);
                NonTrivialRuns find = new NonTrivialRuns(Execution.HOST, numbers, ElementType.INT64, isEqual)) {
            int[] kept = new int[8];
            int[] numbersOut = new int[8];
            assertEquals(4, reduce.call(KEYS, KEYS, kept, numbersOut, 8));
            assertArrayEquals(new int[] {5, 2, 7, 5, 0, 0, 0, 0}, kept);
            assertArrayEquals(new int[] {15, 2, 14, 10, 0, 0, 0, 0}, numbersOut);
            assertEquals(4, encode.call(KEYS, kept, numbersOut, 8));
            assertArrayEquals(new int[] {3, 1, 2, 2}, Arrays.copyOf(numbersOut, 4));
            long[] offsets = new long[8];
            long[] lengths = new long[8];
            assertEquals(3, find.call(KEYS, offsets, lengths, 8));
            assertArrayEquals(new long[] {0, 4, 6}, Arrays.copyOf(offsets, 3));
            assertArrayEquals(new long[] {3, 2, 2}, Arrays.copyOf(lengths, 3));
            assertThrows(InvalidArgumentException.class, () -> find.call(KEYS, new long[7], lengths, 8));
            assertThrows(InvalidArgumentException.class,
                    () -> new NonTrivialRuns(Execution.HOST, numbers, ElementType.FLOAT32, isEqual));
        }
    }
}
