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
        StringAssert.Contains("(a + (b * 2))", TextOf((a, b) => a + b * 2));
    }
}
