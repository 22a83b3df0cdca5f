using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;
using Buffer = Cuprum.Buffer;

/// <summary>Iterators made of each other, read and written.</summary>
[TestFixture]
public class IteratorsTest {
    private const int count = 1000;

    public struct Pair {
        public int Number;
        public long Position;
    }

    [Test]
    public void TheyAreReadAndWrittenOnADevice() {
        int[] numbers = Enumerable.Range(0, count).Select(i => i * 7 % 1001).ToArray();
        var device = new Device(0);
        using (Stream stream = device.CreateStream())
        using (Buffer input = device.Allocate(4 * count))
        using (Buffer output = device.Allocate(8 * count))
        using (ElementIterator loaded = ElementIterator.CacheModified<int>(input, CacheModifier.Stream))
        using (ElementIterator backwards = loaded.Reverse(count - 1))
        using (ElementIterator positions = ElementIterator.Counting(5L))
        using (ElementIterator odd = positions.Strided(2, 1))
        using (ElementIterator pairs = ElementIterator.Zip<Pair>(backwards, odd))
        using (ElementIterator results = ElementIterator.Of<long>(output))
        using (var negate = new Operator(OpKind.Negate))
        using (ElementIterator negative = results.TransformOutput<long>(negate))
        using (ElementIterator there = negative.Reverse(count - 1))
        using (var sum = new Operator("a.Number * 10000LL + a.Position"))
        using (var transform = new Transform<long>(device, pairs, sum, there)) {
            input.CopyFrom(numbers);
            transform.Call(stream, pairs, there, count);
            stream.Sync();
            var found = new long[count];
            output.CopyTo(found);
            for (int i = 0; i < count; ++i) {
                Assert.AreEqual(-(numbers[count - 1 - i] * 10000L + 6 + 2L * i), found[count - 1 - i]);
            }
            Assert.Throws<InvalidArgumentException>(() => transform.Call(stream, pairs, output, count));
            Assert.Throws<InvalidArgumentException>(() => transform.Call(stream, pairs, there, count + 1));
        }
    }

    [Test]
    public void TheyAreReadAndWrittenOnTheHostsCores() {
        var results = new int[8];
        var keys = new[] { 3, 3, 0, 4, 4, 4, 0, 9 };
        using (ElementIterator elements = ElementIterator.Of(keys))
        using (ElementIterator there = ElementIterator.Of(results))
        using (ElementIterator backwards = there.Reverse(7))
        using (ElementIterator nowhere = ElementIterator.Discard<int>())
        using (ElementIterator positions = ElementIterator.Counting(0))
        using (var plus = new Operator(OpKind.Plus))
        using (var identity = new Operator(OpKind.Identity))
        using (var equal = new Operator(OpKind.EqualTo))
        using (var reduce = new Reduce<int>(Execution.Host, elements, plus, backwards))
        using (var scan = new Scan<int>(Execution.Host, ScanKind.Inclusive, elements, plus, backwards))
        using (var select = new Select<int>(Execution.Host, elements, identity, backwards))
        using (var unique = new UniqueByKey<int, int>(Execution.Host, elements, positions, equal, nowhere, backwards)) {
            reduce.Call(elements, backwards, 8, 1);
            Assert.AreEqual(28, results[7]);
            scan.Call(elements, backwards, 8);
            Assert.AreEqual(new[] { 27, 18, 18, 14, 10, 6, 6, 3 }, results);
            Assert.AreEqual(6, select.Call(elements, backwards, 8));
            Assert.AreEqual(new[] { 9, 4, 4, 4, 3, 3 }, results.Skip(2));
            Assert.AreEqual(5, unique.Call(elements, positions, nowhere, backwards, 8));
            Assert.AreEqual(new[] { 7, 6, 3, 2, 0 }, results.Skip(3));
        }
    }

    [Test]
    public void AShuffleIsAPermutation() {
        int[] numbers = Enumerable.Range(0, count).ToArray();
        using (ElementIterator inOrder = ElementIterator.Of(numbers))
        using (ElementIterator order = ElementIterator.Shuffle(count, 0xFFFFFFFF00000001UL))
        using (ElementIterator shuffled = inOrder.Permute(order))
        using (var identity = new Operator(OpKind.Identity))
        using (var copy = new Transform<int>(Execution.Host, shuffled, identity)) {
            var found = new int[count];
            copy.Call(shuffled, found, count);
            Assert.AreNotEqual(numbers, found);
            Array.Sort(found);
            Assert.AreEqual(numbers, found);
        }
    }

    [Test]
    public void WhatTheyCannotDoIsRefused() {
        using (ElementIterator constant = ElementIterator.Constant(1))
        using (ElementIterator nowhere = ElementIterator.Discard<int>())
        using (ElementIterator halves = ElementIterator.Constant(0.5f))
        using (var negate = new Operator(OpKind.Negate)) {
            Assert.Throws<InvalidArgumentException>(() => constant.TransformOutput<int>(negate));
            Assert.Throws<InvalidArgumentException>(() => nowhere.Transform<int>(negate));
            Assert.Throws<InvalidArgumentException>(() => constant.Permute(halves));
            Assert.Throws<InvalidArgumentException>(() => ElementIterator.Zip<Pair>(constant));
            Assert.Throws<InvalidArgumentException>(() => ElementIterator.Zip<Pair>());
            Assert.Throws<InvalidArgumentException>(() => ElementIterator.Shuffle(0, 1));
            Assert.Throws<InvalidArgumentException>(
                () => new Transform<int>(Execution.Host, constant, negate, constant));
        }
    }
}
