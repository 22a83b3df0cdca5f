package cuprumtest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cuprum.Buffer;
import io.cuprum.Device;
import io.cuprum.DeviceMemory;
import io.cuprum.DeviceMemoryResource;
import io.cuprum.ElementType;
import io.cuprum.HostArray;
import io.cuprum.HostElements;
import io.cuprum.InvalidArgumentException;
import io.cuprum.InvalidStateException;
import io.cuprum.LegacyPinnedMemoryResource;
import io.cuprum.OpKind;
import io.cuprum.Operator;
import io.cuprum.OutOfCore;
import io.cuprum.ScanKind;
import io.cuprum.SortOrder;
import io.cuprum.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Algorithms over host memory that is larger than the device's memory that they may take, against plain loops. */
@ExtendWith(NoLeaks.class)
final class OutOfCoreTest {
    private static final ElementType INT32 = ElementType.INT32;
    private static final long LIMIT = 65536;
    private static final int COUNT = 40_001;    // of 4 bytes: more than twice the memory
    private static final int[] NUMBERS = new Random(1).ints(COUNT, -1000, 1000).toArray();

    private final DeviceMemory memory = new DeviceMemory(new Device(0), LIMIT);

    private static HostArray array(int[] elements) {
        HostArray array = new HostArray(INT32, elements.length);
        array.memory().asIntBuffer().put(elements);
        return array;
    }

    private static int[] ints(HostArray array) {
        int[] elements = new int[array.length()];
        array.memory().asIntBuffer().get(elements);
        return elements;
    }

    @Test
    void reducesAndScans() {
        HostElements numbers = HostElements.of(array(NUMBERS));
        HostArray total = new HostArray(ElementType.INT64, 1);
        HostArray sums = new HostArray(ElementType.INT64, COUNT);
        try (Operator plus = new Operator(OpKind.PLUS);
                OutOfCore.Reduce reduce = new OutOfCore.Reduce(memory, INT32, plus, ElementType.INT64);
                OutOfCore.Scan scan =
                        new OutOfCore.Scan(memory, ScanKind.EXCLUSIVE, INT32, plus, ElementType.INT64)) {
            reduce.call(numbers, HostElements.of(total), 7);
            assertEquals(Arrays.stream(NUMBERS).asLongStream().sum() + 7, total.get(0).number().longValue());
            reduce.call(numbers, HostElements.of(total), Value.of(8L));
            assertEquals(Arrays.stream(NUMBERS).asLongStream().sum() + 8, total.get(0).number().longValue());
            reduce.call(numbers, HostElements.of(total));
            assertEquals(Arrays.stream(NUMBERS).asLongStream().sum(), total.get(0).number().longValue());
            scan.call(numbers, HostElements.of(sums), 3);
            assertThrows(InvalidArgumentException.class, () -> scan.call(numbers, HostElements.of(sums)));
        }
        long[] expected = new long[COUNT];
        long sum = 3;
        for (int i = 0; i < COUNT; ++i) {
            expected[i] = sum;
            sum += NUMBERS[i];
        }
        long[] found = new long[COUNT];
        sums.memory().asLongBuffer().get(found);
        assertArrayEquals(expected, found);
    }

    @Test
    void sortsKeysInPageLockedMemory() {
        int[] sorted = new int[COUNT];
        try (LegacyPinnedMemoryResource pageLocked = new LegacyPinnedMemoryResource();
                Buffer keys = pageLocked.allocate(4L * COUNT);
                Buffer target = pageLocked.allocate(4L * COUNT);
                OutOfCore.RadixSort sort = new OutOfCore.RadixSort(memory, SortOrder.ASCENDING, INT32)) {
            keys.copyFrom(NUMBERS);
            HostElements elements = HostElements.of(INT32, keys);
            assertEquals(COUNT, elements.count());
            sort.call(elements, HostElements.of(INT32, target), elements);    // the runs overwrite the keys
            target.copyTo(sorted);
        }
        assertArrayEquals(Arrays.stream(NUMBERS).sorted().toArray(), sorted);
    }

    @Test
    void sortsPairsWithMemoryOfAPool() {
        HostArray keys = array(NUMBERS);
        HostArray places = new HostArray(INT32, COUNT);
        Device device = new Device(0);
        try (DeviceMemoryResource pool = new DeviceMemoryResource(device, LIMIT);
                OutOfCore.RadixSort sort = new OutOfCore.RadixSort(
                        new DeviceMemory(device, LIMIT, pool), SortOrder.DESCENDING, INT32, INT32)) {
            sort.call(HostElements.of(keys), HostElements.of(keys),
                    HostElements.of(array(IntStream.range(0, COUNT).toArray())), HostElements.of(places));
        }
        int[] expected = IntStream.range(0, COUNT)
                .boxed()
                .sorted(Comparator.comparing((Integer place) -> -NUMBERS[place]))
                .mapToInt(Integer::intValue)
                .toArray();
        assertArrayEquals(expected, ints(places));
        assertArrayEquals(Arrays.stream(expected).map(place -> NUMBERS[place]).toArray(), ints(keys));
    }

    @Test
    void countsAndReducesByKey() {
        int[] keys = Arrays.stream(NUMBERS).map(number -> Math.abs(number) % 97).toArray();
        int[] counts = new int[10];
        int[] sums = new int[97];
        for (int i = 0; i < COUNT; ++i) {
            sums[keys[i]] += NUMBERS[i];
            if (NUMBERS[i] >= -500 && NUMBERS[i] < 500) {
                ++counts[(NUMBERS[i] + 500) / 100];
            }
        }
        HostElements numbers = HostElements.of(array(NUMBERS));
        HostArray histogram = new HostArray(INT32, 10);
        HostArray different = new HostArray(INT32, 97);
        HostArray results = new HostArray(INT32, 97);
        try (Operator plus = new Operator(OpKind.PLUS);
                OutOfCore.HistogramEven count = new OutOfCore.HistogramEven(memory, INT32, INT32, INT32);
                OutOfCore.ReduceByKey reduce = new OutOfCore.ReduceByKey(memory, INT32, INT32, plus, INT32)) {
            count.call(numbers, HostElements.of(histogram), 10, -500, 500);
            assertArrayEquals(counts, ints(histogram));
            HostElements of = HostElements.of(array(keys));
            assertEquals(97, reduce.call(of, numbers, HostElements.of(different), HostElements.of(results)));
            assertArrayEquals(IntStream.range(0, 97).toArray(), ints(different));
            assertArrayEquals(sums, ints(results));
            HostElements small = HostElements.of(new HostArray(INT32, 96));
            InvalidArgumentException error = assertThrows(InvalidArgumentException.class,
                    () -> reduce.call(of, numbers, small, HostElements.of(results)));
            assertTrue(error.getMessage().contains("there are 97 different"), error.getMessage());
        }
    }

    @Test
    void refusesWhatDoesNotFit() {
        HostElements numbers = HostElements.of(array(NUMBERS));
        HostElements target = HostElements.of(new HostArray(INT32, COUNT));
        DeviceMemory small = new DeviceMemory(new Device(0), 1000);
        try (OutOfCore.RadixSort sort = new OutOfCore.RadixSort(small, SortOrder.ASCENDING, INT32)) {
            String message =
                    assertThrows(InvalidArgumentException.class, () -> sort.call(numbers, target)).getMessage();
            assertTrue(message.contains("1000 bytes may be taken"), message);
            assertTrue(message.contains("need at least"), message);
            HostElements other = HostElements.of(new HostArray(ElementType.FLOAT32, COUNT));
            message = assertThrows(InvalidArgumentException.class, () -> sort.call(other, target)).getMessage();
            assertTrue(message.contains("built for int32"), message);
            message = assertThrows(
                    InvalidArgumentException.class, () -> sort.call(numbers, target, numbers, target)).getMessage();
            assertTrue(message.contains("built without"), message);
            sort.close();
            assertThrows(InvalidStateException.class, () -> sort.call(numbers, target));
        }
        try (Buffer onDevice = new Device(0).allocate(100)) {
            assertThrows(InvalidArgumentException.class, () -> HostElements.of(INT32, onDevice));
        }
    }

    /** As many as there are, three in the test java_distributed; the last one first. */
    private static List<DeviceMemory> devices() {
        List<DeviceMemory> devices = new ArrayList<>();
        Device.getAllDevices().forEach(device -> devices.add(0, new DeviceMemory(device, LIMIT)));
        return devices;
    }

    @Test
    void doesTheSameOnSeveralDevices() {
        HostElements numbers = HostElements.of(array(NUMBERS));
        HostArray total = new HostArray(ElementType.INT64, 1);
        HostArray sums = new HostArray(INT32, COUNT);
        HostArray counts = new HostArray(ElementType.UINT32, 10);
        HostArray sorted = new HostArray(INT32, COUNT);
        HostArray places = new HostArray(INT32, COUNT);
        HostArray keys = new HostArray(INT32, 97);
        HostArray results = new HostArray(INT32, 97);
        int[] groups = Arrays.stream(NUMBERS).map(each -> Math.abs(each) % 97).toArray();
        int[] positions = IntStream.range(0, COUNT).toArray();
        try (Operator plus = new Operator(OpKind.PLUS);
                OutOfCore.Reduce reduce = new OutOfCore.Reduce(devices(), INT32, plus, ElementType.INT64);
                OutOfCore.Scan scan = new OutOfCore.Scan(devices(), ScanKind.INCLUSIVE, INT32, plus, INT32);
                OutOfCore.HistogramEven histogram =
                        new OutOfCore.HistogramEven(devices(), INT32, INT32, ElementType.UINT32);
                OutOfCore.RadixSort sort =
                        new OutOfCore.RadixSort(devices(), SortOrder.DESCENDING, INT32, INT32);
                OutOfCore.ReduceByKey byKey = new OutOfCore.ReduceByKey(devices(), INT32, INT32, plus, INT32)) {
            reduce.call(numbers, HostElements.of(total), 7);
            scan.call(numbers, HostElements.of(sums));
            histogram.call(numbers, HostElements.of(counts), 10, -500, 500);
            sort.call(numbers, HostElements.of(sorted), HostElements.of(array(positions)), HostElements.of(places));
            assertEquals(97, byKey.call(HostElements.of(array(groups)), numbers, HostElements.of(keys),
                    HostElements.of(results)));
        }
        assertEquals(Arrays.stream(NUMBERS).asLongStream().sum() + 7, total.get(0).number().longValue());
        int[] expectedSums = NUMBERS.clone();
        Arrays.parallelPrefix(expectedSums, Integer::sum);
        assertArrayEquals(expectedSums, ints(sums));
        int[] expectedCounts = new int[10];
        Arrays.stream(NUMBERS).filter(each -> each >= -500 && each < 500).forEach(
                each -> ++expectedCounts[(each + 500) / 100]);
        assertArrayEquals(expectedCounts, ints(counts));
        int[] order = IntStream.range(0, COUNT).boxed()
                .sorted(Comparator.comparing(place -> -NUMBERS[place])).mapToInt(place -> place).toArray();
        assertArrayEquals(order, ints(places));
        assertArrayEquals(Arrays.stream(order).map(place -> NUMBERS[place]).toArray(), ints(sorted));
        int[] expectedResults = new int[97];
        IntStream.range(0, COUNT).forEach(place -> expectedResults[groups[place]] += NUMBERS[place]);
        assertArrayEquals(IntStream.range(0, 97).toArray(), ints(keys));
        assertArrayEquals(expectedResults, ints(results));
    }

    @Test
    void refusesDevicesThatDoNotFit() {
        List<DeviceMemory> twice = devices();
        twice.add(twice.get(0));
        assertTrue(assertThrows(InvalidArgumentException.class,
                () -> new OutOfCore.RadixSort(twice, SortOrder.ASCENDING, INT32)).getMessage().contains("given twice"));
        assertTrue(assertThrows(InvalidArgumentException.class,
                () -> new OutOfCore.RadixSort(List.of(), SortOrder.ASCENDING, INT32)).getMessage()
                .contains("there are none, expected at least one"));
    }
}
