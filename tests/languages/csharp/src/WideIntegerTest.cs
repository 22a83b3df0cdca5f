using System;
using System.Linq;
using System.Numerics;
using Cuprum;
using NUnit.Framework;

/// <summary>Integers of 128 bits.</summary>
[TestFixture]
public class WideIntegerTest {
    private static readonly BigInteger largest = (BigInteger.One << 127) - 1;

    private static Integer128[] Numbers(int count) {
        var random = new Random(count);
        var numbers = new Integer128[count];
        for (int i = 0; i < count; ++i) {
            BigInteger bits = 0;
            for (int word = random.Next(1, 5); word > 0; --word) {
                bits = (bits << 31) + random.Next();
            }
            numbers[i] = (Integer128)(random.Next(2) == 0 ? bits : -bits);
        }
        return numbers;
    }

    [Test]
    public void ValuesKeepAllBits() {
        foreach (BigInteger number in new[] { largest, -largest - 1, BigInteger.One, BigInteger.MinusOne }) {
            Assert.AreEqual(number, (BigInteger)(Integer128)number);
            Assert.AreEqual(number.ToString(), ((Integer128)number).ToString());
        }
        BigInteger unsigned = largest * 2;
        Assert.AreEqual(unsigned, (BigInteger)(UnsignedInteger128)unsigned);
        Assert.AreEqual((Integer128)(BigInteger)(-5), (Integer128)(-5L));
        Assert.Throws<OverflowException>(() => ((Integer128)unsigned).ToString());
        Assert.Throws<OverflowException>(() => ((UnsignedInteger128)BigInteger.MinusOne).ToString());
        Assert.Throws<OverflowException>(() => ((UnsignedInteger128)(unsigned * 2)).ToString());
    }

    [Test]
    public void SumsAndSortsAreExact() {
        Integer128[] numbers = Numbers(1000);
        BigInteger sum = numbers.Aggregate(new BigInteger(10), (all, each) => all + (BigInteger)each);
        Assert.AreEqual(sum, (BigInteger)Parallel.Reduce(numbers, (Integer128)10L, "plus"));
        BigInteger[] ascending = numbers.Select(each => (BigInteger)each).OrderBy(each => each).ToArray();
        Parallel.Sort(numbers);
        Assert.AreEqual(ascending, numbers.Select(each => (BigInteger)each).ToArray());
        var unsigned = new[] { (UnsignedInteger128)(largest * 2), 3UL, (UnsignedInteger128)largest };
        Parallel.Sort(unsigned, SortOrder.Descending);
        Assert.AreEqual(
            new[] { largest * 2, largest, 3 }, unsigned.Select(each => (BigInteger)each).ToArray());
    }
}
