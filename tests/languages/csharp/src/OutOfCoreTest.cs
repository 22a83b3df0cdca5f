using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Algorithms over host memory that is larger than the device's memory that they may take, against plain loops.
/// </summary>
[TestFixture]
public class OutOfCoreTest : LeavesNothing {
    private const ulong limit = 65536;
    private const int count = 40001;    // of 4 bytes: more than twice the memory
    private static readonly int[] numbers = Numbers();

    private static int[] Numbers() {
        var random = new Random(1);
        return Enumerable.Range(0, count).Select(i => random.Next(-1000, 1000)).ToArray();
    }

    private static DeviceMemory Memory() {
        return new DeviceMemory(new Device(0), limit);
    }

    [Test]
    public void ReducesAndScans() {
        var total = new long[1];
        var sums = new long[count];
        using (var plus = new Operator(OpKind.Plus))
        using (var reduce = new OutOfCore.Reduce<int, long>(Memory(), plus))
        using (var scan = new OutOfCore.Scan<int, long>(Memory(), ScanKind.Exclusive, plus)) {
            reduce.Call(numbers, total, 7);
            Assert.AreEqual(numbers.Sum(each => (long)each) + 7, total[0]);
            reduce.Call(numbers, total);
            Assert.AreEqual(numbers.Sum(each => (long)each), total[0]);
            scan.Call(numbers, sums, 3);
            Assert.Throws<InvalidArgumentException>(() => scan.Call(numbers, sums));
        }
        long sum = 3;
        Assert.AreEqual(numbers.Select(each => (sum += each) - each).ToArray(), sums);
    }

    [Test]
    public void SortsKeysInPageLockedMemory() {
        var sorted = new int[count];
        using (var pageLocked = new LegacyPinnedMemoryResource())
        using (Buffer keys = pageLocked.Allocate(4 * count))
        using (Buffer target = pageLocked.Allocate(4 * count))
        using (var sort = new OutOfCore.RadixSort<int>(Memory(), SortOrder.Ascending)) {
            keys.CopyFrom(numbers);
            sort.Call(keys, target, keys);    // the runs overwrite the keys
            target.CopyTo(sorted);
        }
        Assert.AreEqual(numbers.OrderBy(each => each).ToArray(), sorted);
    }

    [Test]
    public void SortsPairsWithMemoryOfAPool() {
        var keys = (int[])numbers.Clone();
        var places = new int[count];
        var device = new Device(0);
        using (var pool = new DeviceMemoryResource(device, limit))
        using (var sort =
            new OutOfCore.RadixSort<int, int>(new DeviceMemory(device, limit, pool), SortOrder.Descending)) {
            sort.Call(keys, keys, Enumerable.Range(0, count).ToArray(), places);
        }
        int[] expected = Enumerable.Range(0, count).OrderByDescending(place => numbers[place]).ToArray();
        Assert.AreEqual(expected, places);
        Assert.AreEqual(expected.Select(place => numbers[place]).ToArray(), keys);
    }

    [Test]
    public void CountsAndReducesByKey() {
        int[] keys = numbers.Select(each => Math.Abs(each) % 97).ToArray();
        var counts = new ulong[10];
        var sums = new int[97];
        for (int i = 0; i < count; ++i) {
            sums[keys[i]] += numbers[i];
            if (numbers[i] >= -500 && numbers[i] < 500) {
                ++counts[(numbers[i] + 500) / 100];
            }
        }
        var histogram = new ulong[10];
        int[] different = new int[97], results = new int[97];
        using (var plus = new Operator(OpKind.Plus))
        using (var make = new OutOfCore.HistogramEven<int, int, ulong>(Memory()))
        using (var reduce = new OutOfCore.ReduceByKey<int, int, int>(Memory(), plus)) {
            make.Call(numbers, histogram, 10, -500, 500);
            Assert.AreEqual(counts, histogram);
            Assert.AreEqual(97, reduce.Call(keys, numbers, different, results));
            Assert.AreEqual(Enumerable.Range(0, 97).ToArray(), different);
            Assert.AreEqual(sums, results);
            string message = Assert.Throws<InvalidArgumentException>(
                () => reduce.Call(keys, numbers, new int[96], results)).Message;
            StringAssert.Contains("there are 97 different", message);
        }
    }

    [Test]
    public void RefusesWhatDoesNotFit() {
        var target = new int[count];
        using (var sort = new OutOfCore.RadixSort<int>(new DeviceMemory(new Device(0), 1000), SortOrder.Ascending)) {
            string message = Assert.Throws<InvalidArgumentException>(() => sort.Call(numbers, target)).Message;
            StringAssert.Contains("1000 bytes may be taken", message);
            StringAssert.Contains("need at least", message);
            Assert.Throws<InvalidArgumentException>(() => sort.Call(numbers, new int[count - 1]));
            sort.Dispose();
            Assert.Throws<InvalidStateException>(() => sort.Call(numbers, target));
        }
        using (Buffer onDevice = new Device(0).Allocate(100))
        using (var sort = new OutOfCore.RadixSort<int>(Memory(), SortOrder.Ascending)) {
            Assert.Throws<InvalidArgumentException>(() => sort.Call(onDevice, onDevice));
        }
    }

    /// <summary>As many as there are, three in the test csharp_distributed; the last one first.</summary>
    private static DeviceMemory[] Devices() {
        return Device.GetAllDevices().Reverse().Select(device => new DeviceMemory(device, limit)).ToArray();
    }

    [Test]
    public void DoesTheSameOnSeveralDevices() {
        var total = new long[1];
        int[] sums = new int[count], sorted = new int[count], places = new int[count];
        int[] keys = new int[97], results = new int[97], expected = new int[97];
        uint[] counts = new uint[10], expectedCounts = new uint[10];
        int[] groups = numbers.Select(each => Math.Abs(each) % 97).ToArray();
        for (int i = 0; i < count; ++i) {
            expected[groups[i]] += numbers[i];
            if (numbers[i] >= -500 && numbers[i] < 500) {
                ++expectedCounts[(numbers[i] + 500) / 100];
            }
        }
        using (var plus = new Operator(OpKind.Plus))
        using (var reduce = new OutOfCore.Reduce<int, long>(Devices(), plus))
        using (var scan = new OutOfCore.Scan<int, int>(Devices(), ScanKind.Inclusive, plus))
        using (var histogram = new OutOfCore.HistogramEven<int, int, uint>(Devices()))
        using (var sort = new OutOfCore.RadixSort<int, int>(Devices(), SortOrder.Descending))
        using (var byKey = new OutOfCore.ReduceByKey<int, int, int>(Devices(), plus)) {
            reduce.Call(numbers, total, 7);
            scan.Call(numbers, sums);
            histogram.Call(numbers, counts, 10, -500, 500);
            sort.Call(numbers, sorted, Enumerable.Range(0, count).ToArray(), places);
            Assert.AreEqual(97, byKey.Call(groups, numbers, keys, results));
        }
        Assert.AreEqual(numbers.Sum(each => (long)each) + 7, total[0]);
        int sum = 0;
        Assert.AreEqual(numbers.Select(each => sum += each).ToArray(), sums);
        Assert.AreEqual(expectedCounts, counts);
        int[] order = Enumerable.Range(0, count).OrderByDescending(place => numbers[place]).ToArray();
        Assert.AreEqual(order, places);
        Assert.AreEqual(order.Select(place => numbers[place]).ToArray(), sorted);
        Assert.AreEqual(Enumerable.Range(0, 97).ToArray(), keys);
        Assert.AreEqual(expected, results);
    }

    [Test]
    public void RefusesDevicesThatDoNotFit() {
        DeviceMemory[] devices = Devices();
        StringAssert.Contains("given twice", Assert.Throws<InvalidArgumentException>(
            () => new OutOfCore.RadixSort<int>(devices.Concat(devices), SortOrder.Ascending)).Message);
        StringAssert.Contains("there are none, expected at least one", Assert.Throws<InvalidArgumentException>(
            () => new OutOfCore.RadixSort<int>(new DeviceMemory[0], SortOrder.Ascending)).Message);
    }
}
