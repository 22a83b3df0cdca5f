package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.Communicator;
import io.cuprum.CompileException;
import io.cuprum.CuprumException;
import io.cuprum.Device;
import io.cuprum.Distributed;
import io.cuprum.ElementType;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidStateException;
import io.cuprum.Operator;
import io.cuprum.ReducedShard;
import io.cuprum.ScanKind;
import io.cuprum.Shard;
import io.cuprum.SortOrder;
import io.cuprum.Stream;
import io.cuprum.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Algorithms over as many devices as there are, three in the test java_distributed, against plain loops. */
@ExtendWith(NoLeaks.class)
final class DistributedTest {
    private static final ElementType INT32 = ElementType.INT32;
    private static final int COUNT = 1500;
    private static final int[] NUMBERS = new Random(1).ints(COUNT, -100, 100).toArray();

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T closed(T object) {
        opened.add(0, object);
        return object;
    }

    /** All devices, the last one first: ranks are not ordinals. */
    private static List<Device> devices(int size) {
        return IntStream.range(0, size).mapToObj(rank -> new Device(size - 1 - rank)).toList();
    }

    private static int[] sizes() {
        return IntStream.rangeClosed(1, Math.min(3, Device.getAllDevices().size())).toArray();
    }

    private List<Shard> allocate(List<Device> devices, long... counts) {
        List<Shard> shards = new ArrayList<>();
        for (int rank = 0; rank < devices.size(); ++rank) {
            shards.add(Shard.of(INT32, closed(devices.get(rank).allocate(4 * counts[rank]))));
        }
        return shards;
    }

    private static long[] each(int ranks, long count) {
        long[] counts = new long[ranks];
        Arrays.fill(counts, count);
        return counts;
    }

    /** Of different lengths; the second rank of three has none. */
    private List<Shard> spread(List<Device> devices, int[] numbers) {
        long[] counts = new long[devices.size()];
        counts[0] = 2L * numbers.length / 5;
        counts[devices.size() - 1] += numbers.length - counts[0];
        if (devices.size() == 1) {
            counts[0] = numbers.length;
        }
        List<Shard> shards = allocate(devices, counts);
        int begin = 0;
        for (Shard shard : shards) {
            int end = begin + (int) shard.count();
            shard.memory().copyFrom(Arrays.copyOfRange(numbers, begin, end));
            begin = end;
        }
        return shards;
    }

    private static int[] gather(List<Shard> shards) {
        return shards.stream().flatMapToInt(shard -> {
            int[] elements = new int[(int) shard.count()];
            shard.memory().copyTo(elements);
            return Arrays.stream(elements);
        }).toArray();
    }

    private static int[] repeated(int number, int times) {
        return IntStream.generate(() -> number).limit(times).toArray();
    }

    @Test
    void reductionsGiveEveryRankTheResult() {
        for (int size : sizes()) {
            List<Device> devices = devices(size);
            List<Shard> inputs = spread(devices, NUMBERS);
            List<Shard> sums = allocate(devices, each(size, 1));
            int sum = Arrays.stream(NUMBERS).sum();
            try (Communicator communicator = new Communicator(devices);
                    Operator plus = new Operator("plus");
                    Distributed.Reduce reduce = new Distributed.Reduce(communicator, INT32, plus, INT32)) {
                assertEquals(size, communicator.size());
                assertEquals(size - 1, communicator.device(0).deviceId());
                reduce.call(inputs, sums);
                assertArrayEquals(repeated(sum, size), gather(sums));
                reduce.call(inputs, sums, 5);
                assertArrayEquals(repeated(sum + 5, size), gather(sums));
                reduce.call(inputs, sums, Value.of(7));
                assertArrayEquals(repeated(sum + 7, size), gather(sums));
                assertThrows(InvalidArgumentException.class, () -> reduce.call(inputs, sums, Value.of(7L)));
            }
        }
    }

    @Test
    void scansGoOnFromRankToRank() {
        for (int size : sizes()) {
            List<Device> devices = devices(size);
            List<Shard> inputs = spread(devices, NUMBERS);
            try (Communicator communicator = new Communicator(devices);
                    Operator plus = Operator.of((a, b) -> a.plus(b));
                    Distributed.Scan scan =
                            new Distributed.Scan(communicator, ScanKind.EXCLUSIVE, INT32, plus, INT32)) {
                assertThrows(InvalidArgumentException.class, () -> scan.call(inputs, inputs));
                scan.call(inputs, inputs, 3);
                int[] expected = new int[COUNT];
                int sum = 3;
                for (int i = 0; i < COUNT; ++i) {
                    expected[i] = sum;
                    sum += NUMBERS[i];
                }
                assertArrayEquals(expected, gather(inputs));
            }
        }
    }

    @Test
    void keysAndPairsAreSorted() {
        int[] sorted = Arrays.stream(NUMBERS).sorted().toArray();
        for (int size : sizes()) {
            List<Device> devices = devices(size);
            List<Shard> keys = spread(devices, NUMBERS);
            List<Shard> values = spread(devices, IntStream.range(0, COUNT).toArray());
            long[] allOnTheLast = new long[size];
            allOnTheLast[size - 1] = COUNT;
            List<Shard> sortedKeys = allocate(devices, allOnTheLast);
            List<Shard> moved = allocate(devices, allOnTheLast);
            try (Communicator communicator = new Communicator(devices);
                    Distributed.RadixSort pairs =
                            new Distributed.RadixSort(communicator, SortOrder.ASCENDING, INT32, INT32);
                    Distributed.RadixSort sort =
                            new Distributed.RadixSort(communicator, SortOrder.DESCENDING, INT32)) {
                pairs.call(keys, sortedKeys, values, moved);
                assertArrayEquals(sorted, gather(sortedKeys));
                int[] order = IntStream.range(0, COUNT).boxed()
                        .sorted((a, b) -> Integer.compare(NUMBERS[a], NUMBERS[b])).mapToInt(i -> i).toArray();
                assertArrayEquals(order, gather(moved));
                assertThrows(InvalidArgumentException.class, () -> pairs.call(keys, sortedKeys));
                assertThrows(InvalidArgumentException.class, () -> sort.call(keys, sortedKeys, values, moved));
                sort.call(keys, keys);
                int[] found = gather(keys);
                for (int i = 0; i < COUNT; ++i) {
                    assertEquals(sorted[COUNT - 1 - i], found[i]);
                }
            }
        }
    }

    @Test
    void samplesAreCounted() {
        int[] expected = new int[8];
        for (int number : NUMBERS) {
            if (number >= -64 && number < 64) {
                ++expected[(number + 64) / 16];
            }
        }
        for (int size : sizes()) {
            List<Device> devices = devices(size);
            List<Shard> samples = spread(devices, NUMBERS);
            List<Shard> histograms = allocate(devices, each(size, 8));
            try (Communicator communicator = new Communicator(devices);
                    Distributed.HistogramEven histogram =
                            new Distributed.HistogramEven(communicator, INT32, ElementType.INT64, INT32)) {
                histogram.call(samples, histograms, 8, -64, 64);
                for (Shard each : histograms) {
                    assertArrayEquals(expected, gather(List.of(each)));
                }
                histogram.call(samples, histograms, 8, Value.of(-64L), Value.of(64L));
                assertArrayEquals(expected, gather(histograms.subList(0, 1)));
                assertThrows(InvalidArgumentException.class, () -> histogram.call(samples, histograms, 9, -64, 64));
            }
        }
    }

    @Test
    void valuesOfEqualKeysAreReduced() {
        Map<Integer, Integer> expected = new TreeMap<>();
        for (int i = 0; i < COUNT; ++i) {
            expected.merge(NUMBERS[i], i, Integer::sum);
        }
        for (int size : sizes()) {
            List<Device> devices = devices(size);
            List<Shard> keys = spread(devices, NUMBERS);
            List<Shard> values = spread(devices, IntStream.range(0, COUNT).toArray());
            try (Communicator communicator = new Communicator(devices);
                    Operator plus = new Operator("plus");
                    Distributed.ReduceByKey sum =
                            new Distributed.ReduceByKey(communicator, INT32, INT32, plus, INT32)) {
                List<ReducedShard> reduced = sum.call(keys, values);
                assertEquals(size, reduced.size());
                List<Shard> ofKeys = reduced.stream().map(each -> new Shard(INT32, each.keys(), each.count())).toList();
                List<Shard> ofValues =
                        reduced.stream().map(each -> new Shard(INT32, each.values(), each.count())).toList();
                assertArrayEquals(expected.keySet().stream().mapToInt(i -> i).toArray(), gather(ofKeys));
                assertArrayEquals(expected.values().stream().mapToInt(i -> i).toArray(), gather(ofValues));
                assertEquals(size - 1, reduced.get(0).keys().device().deviceId());
                reduced.forEach(ReducedShard::close);
            }
        }
    }

    private static void assertRefused(Runnable action, String... words) {
        InvalidArgumentException error = assertThrows(InvalidArgumentException.class, action::run);
        for (String word : words) {
            assertTrue(error.getMessage().contains(word), error.getMessage());
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        Device first = new Device(0);
        assertRefused(() -> new Communicator(List.of()), "at least one");
        assertRefused(() -> new Communicator(List.of(first, first)), "rank 0 and rank 1");
        assertThrows(CuprumException.class, () -> new Communicator(List.of(new Device(99))));
        assertThrows(NullPointerException.class, () -> new Communicator(null));
        assertThrows(NullPointerException.class, () -> new Shard(null, null, 0));
        assertThrows(IllegalArgumentException.class, () -> new Shard(INT32, null, -1));
        int size = Device.getAllDevices().size();
        List<Device> devices = devices(size);
        List<Shard> inputs = spread(devices, NUMBERS);
        List<Shard> sums = allocate(devices, each(size, 1));
        String last = "rank " + (size - 1) + " (device 0)";
        try (Communicator communicator = new Communicator(devices);
                Operator plus = new Operator("plus");
                Operator wrong = new Operator("a +* b");
                Distributed.Reduce reduce = new Distributed.Reduce(communicator, INT32, plus, INT32)) {
            assertRefused(() -> communicator.device(size), "expected 0 to " + (size - 1));
            assertRefused(() -> communicator.stream(-1).close(), "expected 0 to");
            assertThrows(CompileException.class, () -> new Distributed.Reduce(communicator, INT32, wrong, INT32));
            assertThrows(NullPointerException.class, () -> reduce.call(null, sums));
            assertRefused(() -> reduce.call(List.of(), sums), "0 shards are given", "one for each rank");
            List<Shard> others = new ArrayList<>(sums);
            others.set(size - 1, Shard.empty(INT32));
            assertRefused(() -> reduce.call(inputs, others), last, "output", "it has no memory");
            others.set(size - 1, new Shard(ElementType.FLOAT32, sums.get(size - 1).memory(), 1));
            assertRefused(() -> reduce.call(inputs, others), last, "float32");
            if (size > 1) {
                others.set(size - 1, sums.get(0));
                assertRefused(() -> reduce.call(inputs, others), last, "memory of device " + (size - 1));
            }
            others.set(size - 1, new Shard(INT32, inputs.get(size - 1).memory(), COUNT + 1));
            assertRefused(() -> reduce.call(others, sums), last, "expected room for");
        }
    }

    @Test
    void closedObjectsAreRefused() {
        int size = Device.getAllDevices().size();
        List<Device> devices = devices(size);
        List<Shard> inputs = spread(devices, NUMBERS);
        List<Shard> sums = allocate(devices, each(size, 1));
        Communicator communicator = new Communicator();
        assertEquals(Device.getAllDevices().size(), communicator.size());
        communicator.close();
        communicator = new Communicator(devices);
        try (Operator plus = new Operator("plus"); Stream stream = communicator.stream(0)) {
            Distributed.Reduce reduce = new Distributed.Reduce(communicator, INT32, plus, INT32);
            communicator.sync();
            communicator.close();
            communicator.close();
            assertTrue(communicator.isClosed());
            assertThrows(InvalidStateException.class, communicator::size);
            assertThrows(InvalidStateException.class, communicator::sync);
            Communicator gone = communicator;
            assertThrows(InvalidStateException.class, () -> gone.stream(0));
            assertThrows(InvalidStateException.class, () -> new Distributed.Reduce(gone, INT32, plus, INT32));
            // What was made of it goes on.
            reduce.call(inputs, sums);
            assertEquals(Arrays.stream(NUMBERS).sum(), gather(sums)[0]);
            stream.sync();
            Buffer memory = inputs.get(0).memory();
            memory.close();
            assertThrows(InvalidStateException.class, () -> reduce.call(inputs, sums));
            reduce.close();
            assertThrows(InvalidStateException.class, () -> reduce.call(sums, sums));
        }
    }
}
