using System;
using System.Linq;
using Cuprum;
using NUnit.Framework;

/// <summary>Functions as operators: what they are traced to means on the device what it means in C#.</summary>
[TestFixture]
public class SymbolTest {
    private static readonly double[] values = { -2.5, -0.75, -0.0, 0.25, 0.5, 1.5, 7.125 };

    private static string TextOf(Func<Symbol, Symbol, Symbol> function) {
        using (var op = new Operator(function)) {
            return op.ToString();
        }
    }

    [Test]
    public void EveryMathematicalFunctionIsThatOfMath() {
        var traced = new Func<Symbol, Symbol>[] {
            Symbol.Abs, Symbol.Sqrt, Symbol.Exp, Symbol.Log, Symbol.Log2, Symbol.Log10, Symbol.Cbrt,
            x => Symbol.Pow(x, 3.0), Symbol.Sin, Symbol.Cos, Symbol.Tan, Symbol.Asin, Symbol.Acos, Symbol.Atan,
            x => Symbol.Atan2(x, 2), Symbol.Sinh, Symbol.Cosh, Symbol.Tanh, Symbol.Floor, Symbol.Ceiling, Symbol.Round,
            Symbol.Truncate, x => Symbol.Where(Symbol.IsNaN(Symbol.Sqrt(x)), 1, 0), x => Symbol.Min(x, 0.5),
            x => Symbol.Max(x, 0.5),
        };
        var plain = new Func<double, double>[] {
            Math.Abs, Math.Sqrt, Math.Exp, Math.Log, x => Math.Log(x) / Math.Log(2), Math.Log10,
            x => Math.Sign(x) * Math.Pow(Math.Abs(x), 1.0 / 3), x => Math.Pow(x, 3), Math.Sin, Math.Cos, Math.Tan,
            Math.Asin, Math.Acos, Math.Atan, x => Math.Atan2(x, 2), Math.Sinh, Math.Cosh, Math.Tanh, Math.Floor,
            Math.Ceiling, Math.Round, Math.Truncate, x => double.IsNaN(Math.Sqrt(x)) ? 1 : 0, x => Math.Min(x, 0.5),
            x => Math.Max(x, 0.5),
        };
        // One operator for all, which takes the function's number beside the value: it is compiled once.
        int[] numbers = Enumerable.Range(0, traced.Length * values.Length).Select(i => i / values.Length).ToArray();
        double[] arguments = numbers.Select((number, i) => values[i % values.Length]).ToArray();
        double[] results = Parallel.Transform<int, double, double>(numbers, arguments, (number, x) => {
            Symbol result = 0.0;
            for (int i = 0; i < traced.Length; ++i) {
                result = Symbol.Where(number == i, traced[i](x), result);
            }
            return result;
        });
        for (int i = 0; i < numbers.Length; ++i) {
            double expected = plain[numbers[i]](arguments[i]);
            Assert.AreEqual(
                expected, results[i], 1e-12 * Math.Max(1, Math.Abs(expected)),
                "function " + numbers[i] + " of " + arguments[i]);
        }
    }

    [Test]
    public void ComparisonsBitsAndConstantsAreTheDevices() {
        int[] data = { -7, 0, 5, 12 };
        int[] results = Parallel.Transform<int, int>(data, a => Symbol.Where(
            (a >= 0) & !(a == 5) | (a != 5) & (a <= -7) | (a < -100), ((a << 3) ^ 6) >> 1, ~a & 0xFF | (-a + 100u)));
        Assert.AreEqual(
            data.Select(a => (a >= 0 && a != 5) || a <= -7 ? ((a << 3) ^ 6) >> 1 : ~a & 0xFF | (-a + 100)), results);
        Assert.AreEqual(
            new[] { true, false, false, false }, Parallel.Transform<int, bool>(data, a => Symbol.Where(a < 0, true, false)));
        ulong[] wide = Parallel.Transform<int, ulong>(new[] { 0 }, a => Symbol.Where(a == 0, Fixtures.Wide, 0UL));
        Assert.AreEqual(new[] { Fixtures.Wide }, wide);
    }

    [Test]
    public void WhatCannotBeTracedIsSaid() {
        foreach (Func<Symbol, Symbol, Symbol> function in new Func<Symbol, Symbol, Symbol>[] {
                     (a, b) => a < b ? a : b,
                     (a, b) => a > 0 && b > 0 ? a : b,
                     (a, b) => { if (a == b) { return a; } return b; },
                     (a, b) => a.Equals(b) ? a : b,
                 }) {
            Fixtures.AssertMentions(
                Assert.Throws<InvalidOperationException>(() => TextOf(function)), "Symbol.Where", "CUDA C++ text");
        }
        Fixtures.AssertMentions(Assert.Throws<InvalidOperationException>(() => TextOf((a, b) => null)), "null");
        Fixtures.AssertMentions(
            Assert.Throws<InvalidOperationException>(() => TextOf((a, b) => a + (Symbol)null)), "null");
    }

    /// <summary>For each number and each operation, in one program.</summary>
    private static T[] Results<T>(T[] left, T[] right, Func<Symbol, Symbol, Symbol>[] operations, Symbol zero)
        where T : struct {
        int count = left.Length;
        int[] positions = Enumerable.Range(0, operations.Length * count).ToArray();
        // The operands are the fields of a struct, and beside them the operation's number.
        var elements = positions.Select(i => new Pair<T> { number = i / count, x = left[i % count], y = right[i % count] });
        Pair<T>[] pairs = elements.ToArray();
        if (typeof(T) == typeof(int)) {
            var rows = pairs.Select(p => new IntPair { number = p.number, x = (int)(object)p.x, y = (int)(object)p.y });
            return Parallel.Transform<IntPair, T>(rows.ToArray(), row => Chosen(row, operations, zero));
        }
        var longs = pairs.Select(p => new LongPair { number = p.number, x = (long)(object)p.x, y = (long)(object)p.y });
        return Parallel.Transform<LongPair, T>(longs.ToArray(), row => Chosen(row, operations, zero));
    }

    private static Symbol Chosen(Symbol row, Func<Symbol, Symbol, Symbol>[] operations, Symbol zero) {
        Symbol result = zero;
        for (int i = 0; i < operations.Length; ++i) {
            result = Symbol.Where(row["number"] == i, operations[i](row["x"], row["y"]), result);
        }
        return result;
    }

    private struct Pair<T> {
        public int number;
        public T x;
        public T y;
    }
    private struct IntPair {
        public int number;
        public int x;
        public int y;
    }
    private struct LongPair {
        public int number;
        public long x;
        public long y;
    }

    [Test]
    public void IntegersMeanWhatTheyMeanInCSharpAndWhereItThrowsThereIsAResult() {
        unchecked {
            int[] numbers = { 0, 1, -1, 2, -3, 7, 31, 32, 33, int.MaxValue, int.MinValue };
            int[] left = numbers.SelectMany(x => numbers.Select(y => x)).ToArray();
            int[] right = numbers.SelectMany(x => numbers).ToArray();
            Func<Symbol, Symbol, Symbol>[] traced = {
                (x, y) => x / y, (x, y) => x % y, (x, y) => x + y, (x, y) => x - y, (x, y) => x * y, (x, y) => -x,
                (x, y) => Symbol.Abs(x), (x, y) => x << 33, (x, y) => x >> 33, (x, y) => x << -1, (x, y) => x >> 31,
                (x, y) => Symbol.Where(x + 1 > x, 1, 0), (x, y) => x / 3, (x, y) => x ^ int.MinValue,
            };
            Func<int, int, int>[] plain = {
                (x, y) => y == 0 ? 0 : y == -1 ? -x : x / y, (x, y) => y == 0 || y == -1 ? 0 : x % y, (x, y) => x + y,
                (x, y) => x - y, (x, y) => x * y, (x, y) => -x, (x, y) => x < 0 ? -x : x, (x, y) => x << 33,
                (x, y) => x >> 33, (x, y) => x << -1, (x, y) => x >> 31, (x, y) => x + 1 > x ? 1 : 0, (x, y) => x / 3,
                (x, y) => x ^ int.MinValue,
            };
            Assert.AreEqual(
                plain.SelectMany(f => left.Select((x, i) => f(x, right[i]))), Results(left, right, traced, 0));

            long[] wrapped = Parallel.Transform<int, int, long>(new[] { int.MaxValue }, new[] { 1 }, (x, y) => x + y);
            Assert.AreEqual(new long[] { int.MinValue }, wrapped);

            long[] wide = { 0, 1, -1, 63, 64, long.MaxValue, long.MinValue };
            long[] divisors = { 0, -1, -1, 7, -7, 0, -1 };
            Func<Symbol, Symbol, Symbol>[] tracedWide = {
                (x, y) => x / y, (x, y) => x % y, (x, y) => x << 65, (x, y) => x >> 65, (x, y) => x * 3 + y,
            };
            Func<long, long, long>[] plainWide = {
                (x, y) => y == 0 ? 0 : y == -1 ? -x : x / y, (x, y) => y == 0 || y == -1 ? 0 : x % y, (x, y) => x << 65,
                (x, y) => x >> 65, (x, y) => x * 3 + y,
            };
            Assert.AreEqual(
                plainWide.SelectMany(f => wide.Select((x, i) => f(x, divisors[i]))),
                Results(wide, divisors, tracedWide, 0L));
        }
    }

    [Test]
    public void FloatingPointNumbersMeanWhatTheyMeanInCSharp() {
        double[] numbers = { 0.0, -0.0, 1, -2.5, 7, double.NaN, double.PositiveInfinity, double.NegativeInfinity };
        double[] left = numbers.SelectMany(x => numbers.Select(y => x)).ToArray();
        double[] right = numbers.SelectMany(x => numbers).ToArray();
        Assert.AreEqual(
            left.Select((x, i) => x % right[i]), Parallel.Transform<double, double, double>(left, right, (x, y) => x % y));
        Assert.AreEqual(
            left.Select((x, i) => Math.Min(x, right[i])),
            Parallel.Transform<double, double, double>(left, right, (x, y) => Symbol.Min(x, y)));
    }

    [Test]
    public void DeepExpressionsAreTracedInLinearTime() {
        Func<Symbol, int, Symbol> sum = (value, count) => {
            Symbol result = value;
            for (int i = 0; i < count; ++i) {
                result = i % 2 == 0 ? result * 3 + value : result ^ i;
            }
            return result;
        };
        int expected = 5;
        for (int i = 0; i < 2000; ++i) {
            expected = unchecked(i % 2 == 0 ? expected * 3 + 5 : expected ^ i);
        }
        Assert.AreEqual(new[] { expected }, Parallel.Transform<int, int>(new[] { 5 }, a => sum(a, 2000)));
        int small = TextOf((a, b) => sum(a, 5000)).Length;
        Assert.Less(TextOf((a, b) => sum(a, 50000)).Length, 12 * small);
    }

    [Test]
    public void WhatIsUsedAgainAndAgainIsComputedOnce() {
        Func<Symbol, Symbol, Symbol> doubled = (a, b) => {
            for (int i = 0; i < 60; ++i) {
                a = i % 2 == 0 ? a + a : Symbol.Cpp("({0} + {0})", a);
            }
            return a;
        };
        Assert.Less(TextOf(doubled).Length, 60 * 100);
        long[] results = Parallel.Transform<long, long, long>(new[] { 3L }, new[] { 0L }, doubled);
        Assert.AreEqual(new[] { 3L << 60 }, results);
    }

    [Test]
    public void PlainOperatorsAreTheWellKnownOnes() {
        Assert.AreEqual("Operator \"(a + b)\"", TextOf((a, b) => a + b));
        Assert.AreEqual("Operator \"(b * a)\"", TextOf((a, b) => b * a));
        Assert.AreEqual("Operator \"(a < b)\"", TextOf((a, b) => a < b));
        StringAssert.Contains("cuprum_arithmetic::add(a, cuprum_arithmetic::multiply(b, 2))", TextOf((a, b) => a + b * 2));
    }
}
