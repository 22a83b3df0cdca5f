using System;
using System.Globalization;

namespace Cuprum {

/// <summary>
/// A value that is known only on the device. A function of symbols is called once, and what it does to them becomes
/// CUDA C++ text, which has the same meaning there as in C#: <c>(a, b) =&gt; a + b</c>.
/// </summary>
/// <remarks>
/// Arithmetic, comparisons, bits, the functions of this class, and the fields of structs (<c>a["x"]</c>). Decisions
/// (<c>if</c>, <c>? :</c>, <c>&amp;&amp;</c>, <c>||</c>) cannot be traced: see <see cref="Where"/>, <c>&amp;</c> and
/// <c>|</c>.
/// <para>As in C#, integers wrap around, division truncates, shifts take their count modulo the width, and <c>%</c>
/// works on floating-point numbers too. Where C# throws, there is a result: integers divided by 0 give 0, quotient and
/// remainder; the smallest integer divided by -1 is itself, and so is its absolute value. One thing differs: two
/// operands of different types are converted as in C++, <c>int</c> with <c>uint</c> a <c>uint</c>.</para>
/// </remarks>
public sealed class Symbol {
    private static readonly Symbol[] none = new Symbol[0];

    /// <summary>C++ with placeholders for the texts of the arguments, as in <c>string.Format</c>.</summary>
    internal readonly string Format;
    internal readonly Symbol[] Arguments;
    /// <summary>The expression to use when it is the whole function; null if the same.</summary>
    internal readonly string RootText;
    /// <summary>Whether the format may have an argument several times.</summary>
    internal readonly bool RepeatsArguments;

    internal Symbol(string text) : this(text.Replace("{", "{{").Replace("}", "}}"), none, null, false) {}

    private Symbol(string format, Symbol[] arguments, string rootText, bool repeatsArguments) {
        Array.ForEach(arguments, RequireValue);
        Format = format;
        Arguments = arguments;
        RootText = rootText;
        RepeatsArguments = repeatsArguments;
    }

    /// <summary>A field of a struct.</summary>
    public Symbol this[string field] {
        get { return Expression("{0}." + field, this); }
    }

    /// <summary>A constant of its own type.</summary>
    public static implicit operator Symbol(int value) {
        return value == int.MinValue ? new Symbol("(-2147483647 - 1)") :
            new Symbol(value < 0 ? "(" + value.ToString(CultureInfo.InvariantCulture) + ")"
                                    : value.ToString(CultureInfo.InvariantCulture));
    }
    /// <summary>A constant of its own type.</summary>
    public static implicit operator Symbol(long value) {
        return value == long.MinValue ? new Symbol("(-9223372036854775807LL - 1)")
                                      : new Symbol("(" + value.ToString(CultureInfo.InvariantCulture) + "LL)");
    }
    /// <summary>A constant of its own type.</summary>
    public static implicit operator Symbol(ulong value) {
        return new Symbol(value.ToString(CultureInfo.InvariantCulture) + "ULL");
    }
    /// <summary>A constant of its own type.</summary>
    public static implicit operator Symbol(uint value) {
        return new Symbol(value.ToString(CultureInfo.InvariantCulture) + "U");
    }
    /// <summary>A constant of its own type.</summary>
    public static implicit operator Symbol(bool value) {
        return new Symbol(value ? "true" : "false");
    }
    /// <summary>A constant of its own type.</summary>
    public static implicit operator Symbol(float value) {
        return new Symbol("static_cast<float>(" + Real(value) + ")");
    }
    /// <summary>A constant of its own type.</summary>
    public static implicit operator Symbol(double value) {
        return new Symbol(Real(value));
    }

    private static string Real(double value) {
        if (double.IsNaN(value) || double.IsInfinity(value)) {
            return "__longlong_as_double(" + BitConverter.DoubleToInt64Bits(value).ToString(CultureInfo.InvariantCulture)
                + "LL)";
        }
        string text = value.ToString("R", CultureInfo.InvariantCulture);
        return "(" + (text.IndexOfAny(new[] { '.', 'E', 'e' }) < 0 ? text + ".0" : text) + ")";
    }

    private static Symbol Expression(string format, params Symbol[] arguments) {
        return new Symbol(format, arguments, null, false);
    }
    private static Symbol Binary(Symbol left, string operation, Symbol right) {
        return Expression("({0} " + operation + " {1})", left, right);
    }
    /// <summary>
    /// Operators that C++ leaves undefined where integers overflow. Applied to the function's own operands alone, this
    /// is the well-known operator, which the algorithms are tuned for, and whose result is stored at its own width.
    /// </summary>
    private static Symbol Wrapping(Symbol left, string operation, string function, Symbol right) {
        string rootText = IsOperand(left) && IsOperand(right) && left.Format != right.Format
            ? "(" + left.Format + " " + operation + " " + right.Format + ")"
            : null;
        return new Symbol(
            "cuprum_arithmetic::" + function + "({0}, {1})", new[] { left, right }, rootText, false);
    }
    private static bool IsOperand(Symbol symbol) {
        RequireValue(symbol);
        return symbol.Arguments.Length == 0 && (symbol.Format == "a" || symbol.Format == "b");
    }
    /// <summary>A function of CUDA C++, or one of <c>parallel/src/arithmetic.cpp</c>.</summary>
    private static Symbol Call(string name, params Symbol[] values) {
        return Expression(name + (values.Length == 1 ? "({0})" : "({0}, {1})"), values);
    }

    /// <exception cref="InvalidOperationException">The value is null.</exception>
    internal static void RequireValue(Symbol symbol) {
        if ((object)symbol == null) {
            throw new InvalidOperationException(
                "tracing an operator: the function gave or used null where a value was expected. Give an expression of its "
                + "operands, such as (a, b) => a + b, or the operator as CUDA C++ text.");
        }
    }

#pragma warning disable 1591    // operators mean what they mean
    public static Symbol operator +(Symbol a, Symbol b) { return Wrapping(a, "+", "add", b); }
    public static Symbol operator -(Symbol a, Symbol b) { return Wrapping(a, "-", "subtract", b); }
    public static Symbol operator *(Symbol a, Symbol b) { return Wrapping(a, "*", "multiply", b); }
    public static Symbol operator /(Symbol a, Symbol b) { return Call("cuprum_arithmetic::truncating_divide", a, b); }
    public static Symbol operator %(Symbol a, Symbol b) { return Call("cuprum_arithmetic::truncating_remainder", a, b); }
    public static Symbol operator &(Symbol a, Symbol b) { return Binary(a, "&", b); }
    public static Symbol operator |(Symbol a, Symbol b) { return Binary(a, "|", b); }
    public static Symbol operator ^(Symbol a, Symbol b) { return Binary(a, "^", b); }
    public static Symbol operator <<(Symbol a, int b) { return Call("cuprum_arithmetic::masked_shift_left", a, b); }
    public static Symbol operator >>(Symbol a, int b) { return Call("cuprum_arithmetic::masked_shift_right", a, b); }
    public static Symbol operator <(Symbol a, Symbol b) { return Binary(a, "<", b); }
    public static Symbol operator >(Symbol a, Symbol b) { return Binary(a, ">", b); }
    public static Symbol operator <=(Symbol a, Symbol b) { return Binary(a, "<=", b); }
    public static Symbol operator >=(Symbol a, Symbol b) { return Binary(a, ">=", b); }
    public static Symbol operator ==(Symbol a, Symbol b) { return Binary(a, "==", b); }
    public static Symbol operator !=(Symbol a, Symbol b) { return Binary(a, "!=", b); }
    public static Symbol operator -(Symbol a) { return Call("cuprum_arithmetic::negate", a); }
    public static Symbol operator ~(Symbol a) { return Expression("(~{0})", a); }
    public static Symbol operator !(Symbol a) { return Expression("(!{0})", a); }
    public static bool operator true(Symbol a) { throw Decision(); }
    public static bool operator false(Symbol a) { throw Decision(); }
    public override bool Equals(object other) { throw Decision(); }
    public override int GetHashCode() { throw Decision(); }
#pragma warning restore 1591

    private static InvalidOperationException Decision() {
        return new InvalidOperationException(
            "tracing an operator: the function decides by a value that is known on the device only (if, ? :, &&, ||). "
            + "Use Symbol.Where(condition, a, b), Symbol.Min, Symbol.Max, & and |, or give the operator as CUDA C++ text.");
    }

    /// <summary><paramref name="left"/> where the condition holds, else <paramref name="right"/>.</summary>
    public static Symbol Where(Symbol condition, Symbol left, Symbol right) {
        return Expression("({0} ? {1} : {2})", condition, left, right);
    }

    /// <summary>The smaller of the two; a NaN if there is one.</summary>
    public static Symbol Min(Symbol a, Symbol b) { return Call("cuprum_arithmetic::minimum", a, b); }
    /// <summary>The larger of the two; a NaN if there is one.</summary>
    public static Symbol Max(Symbol a, Symbol b) { return Call("cuprum_arithmetic::maximum", a, b); }
    /// <summary>The absolute value; the smallest integer stays as it is.</summary>
    public static Symbol Abs(Symbol a) { return Call("cuprum_arithmetic::absolute", a); }
    /// <summary>The square root.</summary>
    public static Symbol Sqrt(Symbol a) { return Call("sqrt", a); }
    /// <summary>e to the power of the value.</summary>
    public static Symbol Exp(Symbol a) { return Call("exp", a); }
    /// <summary>The natural logarithm.</summary>
    public static Symbol Log(Symbol a) { return Call("log", a); }
    /// <summary>The logarithm to base 2.</summary>
    public static Symbol Log2(Symbol a) { return Call("log2", a); }
    /// <summary>The logarithm to base 10.</summary>
    public static Symbol Log10(Symbol a) { return Call("log10", a); }
    /// <summary>The cube root.</summary>
    public static Symbol Cbrt(Symbol a) { return Call("cbrt", a); }
    /// <summary>One number to the power of another.</summary>
    public static Symbol Pow(Symbol a, Symbol b) { return Call("pow", a, b); }
    /// <summary>The sine.</summary>
    public static Symbol Sin(Symbol a) { return Call("sin", a); }
    /// <summary>The cosine.</summary>
    public static Symbol Cos(Symbol a) { return Call("cos", a); }
    /// <summary>The tangent.</summary>
    public static Symbol Tan(Symbol a) { return Call("tan", a); }
    /// <summary>The arc sine.</summary>
    public static Symbol Asin(Symbol a) { return Call("asin", a); }
    /// <summary>The arc cosine.</summary>
    public static Symbol Acos(Symbol a) { return Call("acos", a); }
    /// <summary>The arc tangent.</summary>
    public static Symbol Atan(Symbol a) { return Call("atan", a); }
    /// <summary>The angle of the point (x, y).</summary>
    public static Symbol Atan2(Symbol y, Symbol x) { return Call("atan2", y, x); }
    /// <summary>The hyperbolic sine.</summary>
    public static Symbol Sinh(Symbol a) { return Call("sinh", a); }
    /// <summary>The hyperbolic cosine.</summary>
    public static Symbol Cosh(Symbol a) { return Call("cosh", a); }
    /// <summary>The hyperbolic tangent.</summary>
    public static Symbol Tanh(Symbol a) { return Call("tanh", a); }
    /// <summary>Rounds down to an integer.</summary>
    public static Symbol Floor(Symbol a) { return Call("floor", a); }
    /// <summary>Rounds up to an integer.</summary>
    public static Symbol Ceiling(Symbol a) { return Call("ceil", a); }

    /// <summary>The nearest integer; ties go to the even one.</summary>
    public static Symbol Round(Symbol a) { return Call("rint", a); }
    /// <summary>The integer part.</summary>
    public static Symbol Truncate(Symbol a) { return Call("trunc", a); }
    /// <summary>Whether the value is a NaN.</summary>
    public static Symbol IsNaN(Symbol a) { return Call("isnan", a); }

    /// <summary>
    /// Anything else: CUDA C++ with the values inserted as <c>string.Format</c> does. It has the meaning that CUDA C++
    /// gives it.
    /// </summary>
    public static Symbol Cpp(string format, params Symbol[] values) {
        return new Symbol(format, values, null, true);
    }
}

}
