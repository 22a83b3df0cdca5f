using System;
using System.Collections.Generic;
using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Algorithms over as many devices as there are, three in the test csharp_distributed, against plain loops.
/// </summary>
[TestFixture]
public class DistributedTest : LeavesNothing {
    private const int count = 1500;
    private static readonly int[] numbers = Numbers();
    private static readonly int[] positions = Enumerable.Range(0, count).ToArray();

    private readonly List<IDisposable> opened = new List<IDisposable>();

    private static int[] Numbers() {
        var random = new Random(1);
        return Enumerable.Range(0, count).Select(i => random.Next(-100, 100)).ToArray();
    }

    private static IEnumerable<int> Sizes { get { return Enumerable.Range(1, Math.Min(3, DeviceCount)); } }

    private static int DeviceCount { get { return Device.GetAllDevices().Count; } }

    private void DisposeOfAll() {
        opened.ForEach(each => each.Dispose());
        opened.Clear();
    }

    /// <summary>The last device first: ranks are not ordinals.</summary>
    private static Device[] Devices(int size) {
        return Enumerable.Range(0, size).Select(rank => new Device(size - 1 - rank)).ToArray();
    }

    private Shard[] Allocate(Device[] devices, params int[] counts) {
        return devices.Select((device, rank) => {
            Buffer memory = device.Allocate((ulong)counts[rank] * 4);
            opened.Add(memory);
            return Shard.Of<int>(memory);
        }).ToArray();
    }

    private Shard[] AllocateEach(Device[] devices, int each) {
        return Allocate(devices, devices.Select(device => each).ToArray());
    }

    /// <summary>Of different lengths; the second rank of three has none.</summary>
    private Shard[] Spread(Device[] devices, int[] elements) {
        var counts = new int[devices.Length];
        counts[0] = 2 * elements.Length / 5;
        counts[devices.Length - 1] += elements.Length - counts[0];
        if (devices.Length == 1) {
            counts[0] = elements.Length;
        }
        Shard[] shards = Allocate(devices, counts);
        int begin = 0;
        foreach (Shard shard in shards) {
            shard.Memory.CopyFrom(elements.Skip(begin).Take((int)shard.Count).ToArray());
            begin += (int)shard.Count;
        }
        return shards;
    }

    private static int[] Gather(params Shard[] shards) {
        return shards.SelectMany(shard => Elements(shard.Memory, shard.Count)).ToArray();
    }

    private static int[] Elements(Buffer memory, ulong number) {
        var elements = new int[number];
        memory.CopyTo(elements);
        return elements;
    }

    [Test]
    public void ReductionsGiveEveryRankTheResult() {
        foreach (int size in Sizes) {
            Device[] devices = Devices(size);
            Shard[] inputs = Spread(devices, numbers), sums = AllocateEach(devices, 1);
            using (var communicator = new Communicator(devices))
            using (var plus = new Operator("plus"))
            using (var reduce = new Distributed.Reduce<int, int>(communicator, plus)) {
                Assert.AreEqual(size, communicator.Size);
                Assert.AreEqual(size - 1, communicator.Device(0).DeviceId);
                reduce.Call(inputs, sums);
                Assert.AreEqual(Enumerable.Repeat(numbers.Sum(), size), Gather(sums));
                reduce.Call(inputs, sums, 5);
                Assert.AreEqual(Enumerable.Repeat(numbers.Sum() + 5, size), Gather(sums));
            }
            DisposeOfAll();
        }
    }

    [Test]
    public void ScansGoOnFromRankToRank() {
        foreach (int size in Sizes) {
            Device[] devices = Devices(size);
            Shard[] inputs = Spread(devices, numbers);
            using (var communicator = new Communicator(devices))
            using (var plus = new Operator((a, b) => a + b))
            using (var scan = new Distributed.Scan<int, int>(communicator, ScanKind.Exclusive, plus)) {
                Assert.Throws<InvalidArgumentException>(() => scan.Call(inputs, inputs));
                scan.Call(inputs, inputs, 3);
                int sum = 3;
                Assert.AreEqual(numbers.Select(number => (sum += number) - number), Gather(inputs));
            }
            DisposeOfAll();
        }
    }

    [Test]
    public void KeysAndPairsAreSorted() {
        int[] order = positions.OrderBy(i => numbers[i]).ToArray();
        foreach (int size in Sizes) {
            Device[] devices = Devices(size);
            Shard[] keys = Spread(devices, numbers), values = Spread(devices, positions);
            var allOnTheLast = new int[size];
            allOnTheLast[size - 1] = count;
            Shard[] sorted = Allocate(devices, allOnTheLast), moved = Allocate(devices, allOnTheLast);
            using (var communicator = new Communicator(devices))
            using (var pairs = new Distributed.RadixSort<int, int>(communicator, SortOrder.Ascending))
            using (var sort = new Distributed.RadixSort<int>(communicator, SortOrder.Descending)) {
                pairs.Call(keys, sorted, values, moved);
                Assert.AreEqual(order.Select(i => numbers[i]), Gather(sorted));
                Assert.AreEqual(order, Gather(moved));
                Assert.Throws<InvalidArgumentException>(() => pairs.Call(keys, sorted, values, new Shard[0]));
                sort.Call(keys, keys);
                Assert.AreEqual(numbers.OrderByDescending(number => number), Gather(keys));
            }
            DisposeOfAll();
        }
    }

    [Test]
    public void SamplesAreCounted() {
        var expected = new int[8];
        foreach (int number in numbers.Where(each => each >= -64 && each < 64)) {
            ++expected[(number + 64) / 16];
        }
        foreach (int size in Sizes) {
            Device[] devices = Devices(size);
            Shard[] samples = Spread(devices, numbers), histograms = AllocateEach(devices, 8);
            using (var communicator = new Communicator(devices))
            using (var histogram = new Distributed.HistogramEven<int, long, int>(communicator)) {
                histogram.Call(samples, histograms, 8, -64, 64);
                foreach (Shard each in histograms) {
                    Assert.AreEqual(expected, Gather(each));
                }
                Assert.Throws<InvalidArgumentException>(() => histogram.Call(samples, histograms, 9, -64, 64));
            }
            DisposeOfAll();
        }
    }

    [Test]
    public void ValuesOfEqualKeysAreReduced() {
        var expected = positions.GroupBy(i => numbers[i]).OrderBy(group => group.Key).ToArray();
        foreach (int size in Sizes) {
            Device[] devices = Devices(size);
            Shard[] keys = Spread(devices, numbers), values = Spread(devices, positions);
            using (var communicator = new Communicator(devices))
            using (var plus = new Operator("plus"))
            using (var sum = new Distributed.ReduceByKey<int, int, int>(communicator, plus)) {
                ReducedShard[] reduced = sum.Call(keys, values);
                Assert.AreEqual(size, reduced.Length);
                Assert.AreEqual(expected.Select(group => group.Key),
                                reduced.SelectMany(each => Elements(each.Keys, each.Count)));
                Assert.AreEqual(expected.Select(group => group.Sum()),
                                reduced.SelectMany(each => Elements(each.Values, each.Count)));
                Assert.AreEqual(size - 1, reduced[0].Keys.Device.DeviceId);
                foreach (ReducedShard each in reduced) {
                    each.Dispose();
                }
            }
            DisposeOfAll();
        }
    }

    private static void AssertRefused(TestDelegate action, params string[] words) {
        Fixtures.AssertMentions(Assert.Throws<InvalidArgumentException>(action), words);
    }

    [Test]
    public void WhatDoesNotFitIsRefused() {
        var first = new Device(0);
        AssertRefused(() => new Communicator(new Device[0]), "at least one");
        AssertRefused(() => new Communicator(new[] { first, first }), "rank 0 and rank 1");
        Assert.Throws<ArgumentNullException>(() => new Communicator(null));
        Assert.Throws<ArgumentNullException>(() => Shard.Of<int>(null));
        Assert.Throws<ArgumentException>(() => Shard.Empty<decimal>());
        int size = DeviceCount;
        Device[] devices = Devices(size);
        Shard[] inputs = Spread(devices, numbers), sums = AllocateEach(devices, 1);
        string last = "rank " + (size - 1) + " (device 0)";
        using (var communicator = new Communicator(devices))
        using (var plus = new Operator("plus"))
        using (var wrong = new Operator("a +* b"))
        using (var reduce = new Distributed.Reduce<int, int>(communicator, plus)) {
            AssertRefused(() => communicator.Device((uint)size), "expected 0 to " + (size - 1));
            AssertRefused(() => communicator.Stream((uint)size), "expected 0 to");
            Assert.Throws<CompileException>(() => new Distributed.Reduce<int, int>(communicator, wrong));
            Assert.Throws<ArgumentNullException>(() => new Distributed.Reduce<int, int>(communicator, null));
            Assert.Throws<ArgumentNullException>(() => new Distributed.Reduce<int, int>(null, plus));
            Assert.Throws<ArgumentNullException>(() => reduce.Call(null, sums));
            Assert.Throws<ArgumentNullException>(() => reduce.Call(new Shard[size], sums));
            AssertRefused(() => reduce.Call(new Shard[0], sums), "0 shards are given", "one for each rank");
            var others = (Shard[])sums.Clone();
            others[size - 1] = Shard.Empty<int>();
            AssertRefused(() => reduce.Call(inputs, others), last, "output", "it has no memory");
            others[size - 1] = Shard.Of<float>(sums[size - 1].Memory);
            AssertRefused(() => reduce.Call(inputs, others), last, "float32");
            if (size > 1) {
                others[size - 1] = sums[0];
                AssertRefused(() => reduce.Call(inputs, others), last, "memory of device " + (size - 1));
            }
            others[size - 1] = Shard.Of<int>(inputs[size - 1].Memory, count + 1);
            AssertRefused(() => reduce.Call(others, sums), last, "expected room for");
        }
        DisposeOfAll();
    }

    [Test]
    public void DisposedObjectsAreRefused() {
        int size = DeviceCount;
        Device[] devices = Devices(size);
        Shard[] inputs = Spread(devices, numbers), sums = AllocateEach(devices, 1);
        using (var every = new Communicator()) {
            Assert.AreEqual(size, every.Size);
        }
        var communicator = new Communicator(devices);
        using (Stream stream = communicator.Stream(0))
        using (var plus = new Operator("plus")) {
            var reduce = new Distributed.Reduce<int, int>(communicator, plus);
            communicator.Sync();
            communicator.Dispose();
            communicator.Dispose();
            Assert.Throws<InvalidStateException>(() => communicator.Size.ToString());
            Assert.Throws<InvalidStateException>(() => communicator.Sync());
            Assert.Throws<InvalidStateException>(() => communicator.Stream(0));
            Assert.Throws<InvalidStateException>(() => new Distributed.Reduce<int, int>(communicator, plus));
            // What was made of it goes on.
            reduce.Call(inputs, sums);
            Assert.AreEqual(numbers.Sum(), Gather(sums)[0]);
            stream.Sync();
            inputs[0].Memory.Dispose();
            Assert.Throws<InvalidStateException>(() => reduce.Call(inputs, sums));
            reduce.Dispose();
            Assert.Throws<InvalidStateException>(() => reduce.Call(sums, sums));
        }
        DisposeOfAll();
    }
}
