using System;
using System.Globalization;

namespace Cuprum {

/// <summary>
/// A value that is known on the device only. A function of symbols is called once, and what it does to them becomes
/// CUDA C++ text, which means there what it means in C#: <c>(a, b) =&gt; a + b</c>.
/// </summary>
/// <remarks>
/// Arithmetic, comparisons, bits, the functions of this class, and the fields of structs (<c>a["x"]</c>). Decisions
/// (<c>if</c>, <c>? :</c>, <c>&amp;&amp;</c>, <c>||</c>) cannot be traced: see <see cref="Where"/>, <c>&amp;</c> and
/// <c>|</c>.
/// </remarks>
public sealed class Symbol {
    internal readonly string Text;

    internal Symbol(string text) {
        Text = text;
    }

    /// <summary>A field of a struct.</summary>
    public Symbol this[string field] {
        get { return new Symbol(Text + "." + field); }
    }

    /// <summary>A constant of its own type.</summary>
    public static implicit operator Symbol(int value) {
        return new Symbol(value < 0 ? "(" + value.ToString(CultureInfo.InvariantCulture) + ")"
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

    private static Symbol Binary(Symbol left, string operation, Symbol right) {
        return new Symbol("(" + TextOf(left) + " " + operation + " " + TextOf(right) + ")");
    }
    private static Symbol Call(string name, params Symbol[] values) {
        return new Symbol(name + "(" + string.Join(", ", Array.ConvertAll(values, TextOf)) + ")");
    }

    /// <summary>The text of what a function has made.</summary>
    /// <exception cref="InvalidOperationException">It is null.</exception>
    internal static string TextOf(Symbol symbol) {
        if ((object)symbol == null) {
            throw new InvalidOperationException(
                "tracing an operator: the function gave or used null where a value was expected. Give an expression of its "
                + "operands, such as (a, b) => a + b, or the operator as CUDA C++ text.");
        }
        return symbol.Text;
    }

#pragma warning disable 1591    // operators mean what they mean
    public static Symbol operator +(Symbol a, Symbol b) { return Binary(a, "+", b); }
    public static Symbol operator -(Symbol a, Symbol b) { return Binary(a, "-", b); }
    public static Symbol operator *(Symbol a, Symbol b) { return Binary(a, "*", b); }
    public static Symbol operator /(Symbol a, Symbol b) { return Binary(a, "/", b); }
    public static Symbol operator %(Symbol a, Symbol b) { return Binary(a, "%", b); }
    public static Symbol operator &(Symbol a, Symbol b) { return Binary(a, "&", b); }
    public static Symbol operator |(Symbol a, Symbol b) { return Binary(a, "|", b); }
    public static Symbol operator ^(Symbol a, Symbol b) { return Binary(a, "^", b); }
    public static Symbol operator <<(Symbol a, int b) { return Binary(a, "<<", b); }
    public static Symbol operator >>(Symbol a, int b) { return Binary(a, ">>", b); }
    public static Symbol operator <(Symbol a, Symbol b) { return Binary(a, "<", b); }
    public static Symbol operator >(Symbol a, Symbol b) { return Binary(a, ">", b); }
    public static Symbol operator <=(Symbol a, Symbol b) { return Binary(a, "<=", b); }
    public static Symbol operator >=(Symbol a, Symbol b) { return Binary(a, ">=", b); }
    public static Symbol operator ==(Symbol a, Symbol b) { return Binary(a, "==", b); }
    public static Symbol operator !=(Symbol a, Symbol b) { return Binary(a, "!=", b); }
    public static Symbol operator -(Symbol a) { return new Symbol("(-" + TextOf(a) + ")"); }
    public static Symbol operator ~(Symbol a) { return new Symbol("(~" + TextOf(a) + ")"); }
    public static Symbol operator !(Symbol a) { return new Symbol("(!" + TextOf(a) + ")"); }
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
        return new Symbol("(" + TextOf(condition) + " ? " + TextOf(left) + " : " + TextOf(right) + ")");
    }

    /// <summary>The smaller of the two.</summary>
    public static Symbol Min(Symbol a, Symbol b) { return Where(a < b, a, b); }
    /// <summary>The larger of the two.</summary>
    public static Symbol Max(Symbol a, Symbol b) { return Where(a > b, a, b); }
    /// <summary>The absolute value.</summary>
    public static Symbol Abs(Symbol a) { return Where(a < 0, -a, a); }
    /// <summary>The square root.</summary>
    public static Symbol Sqrt(Symbol a) { return Call("sqrt", a); }
    /// <summary>e to that power.</summary>
    public static Symbol Exp(Symbol a) { return Call("exp", a); }
    /// <summary>The natural logarithm.</summary>
    public static Symbol Log(Symbol a) { return Call("log", a); }
    /// <summary>The logarithm of base 2.</summary>
    public static Symbol Log2(Symbol a) { return Call("log2", a); }
    /// <summary>The logarithm of base 10.</summary>
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
    /// <summary>The angle of that sine.</summary>
    public static Symbol Asin(Symbol a) { return Call("asin", a); }
    /// <summary>The angle of that cosine.</summary>
    public static Symbol Acos(Symbol a) { return Call("acos", a); }
    /// <summary>The angle of that tangent.</summary>
    public static Symbol Atan(Symbol a) { return Call("atan", a); }
    /// <summary>The angle of the point (x, y).</summary>
    public static Symbol Atan2(Symbol y, Symbol x) { return Call("atan2", y, x); }
    /// <summary>The hyperbolic sine.</summary>
    public static Symbol Sinh(Symbol a) { return Call("sinh", a); }
    /// <summary>The hyperbolic cosine.</summary>
    public static Symbol Cosh(Symbol a) { return Call("cosh", a); }
    /// <summary>The hyperbolic tangent.</summary>
    public static Symbol Tanh(Symbol a) { return Call("tanh", a); }
    /// <summary>The next integer below.</summary>
    public static Symbol Floor(Symbol a) { return Call("floor", a); }
    /// <summary>The next integer above.</summary>
    public static Symbol Ceiling(Symbol a) { return Call("ceil", a); }

    /// <summary>The nearest integer; half way the even one.</summary>
    public static Symbol Round(Symbol a) { return Call("rint", a); }
    /// <summary>The integer part.</summary>
    public static Symbol Truncate(Symbol a) { return Call("trunc", a); }
    /// <summary>Whether it is no number.</summary>
    public static Symbol IsNaN(Symbol a) { return Call("isnan", a); }

    /// <summary>Anything else: CUDA C++ over the texts of the values, as <c>string.Format</c> puts them together.</summary>
    public static Symbol Cpp(string format, params Symbol[] values) {
        return new Symbol(string.Format(
            CultureInfo.InvariantCulture, format, Array.ConvertAll(values, value => (object)TextOf(value))));
    }
}

}
