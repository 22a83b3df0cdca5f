using System.Text;

namespace Cuprum {

/// <summary>The operators that CUB knows and has tuned its algorithms for.</summary>
public enum OpKind {
    /// <summary>a + b</summary>
    Plus = 0,
    /// <summary>a - b</summary>
    Minus = 1,
    /// <summary>a * b</summary>
    Multiplies = 2,
    /// <summary>a / b</summary>
    Divides = 3,
    /// <summary>a % b</summary>
    Modulus = 4,
    /// <summary>The smaller one; compares with &lt;, and the result is unspecified for NaNs.</summary>
    Minimum = 5,
    /// <summary>The larger one; compares with &lt;, and the result is unspecified for NaNs.</summary>
    Maximum = 6,
    /// <summary>a &amp; b</summary>
    BitAnd = 7,
    /// <summary>a | b</summary>
    BitOr = 8,
    /// <summary>a ^ b</summary>
    BitXor = 9,
    /// <summary>a &amp;&amp; b</summary>
    LogicalAnd = 10,
    /// <summary>a || b</summary>
    LogicalOr = 11,
    /// <summary>a == b</summary>
    EqualTo = 12,
    /// <summary>a != b</summary>
    NotEqualTo = 13,
    /// <summary>a &lt; b</summary>
    Less = 14,
    /// <summary>a &lt;= b</summary>
    LessEqual = 15,
    /// <summary>a &gt; b</summary>
    Greater = 16,
    /// <summary>a &gt;= b</summary>
    GreaterEqual = 17,
    /// <summary>a</summary>
    Identity = 18,
    /// <summary>-a</summary>
    Negate = 19,
    /// <summary>!a</summary>
    LogicalNot = 20,
    /// <summary>~a</summary>
    BitNot = 21,
}

internal static class OpKindText {
    /// <summary>The operator's name in every language: "bit_and".</summary>
    public static string Of(OpKind kind) {
        var text = new StringBuilder();
        foreach (char letter in kind.ToString()) {
            if (char.IsUpper(letter) && text.Length > 0) {
                text.Append('_');
            }
            text.Append(char.ToLowerInvariant(letter));
        }
        return text.ToString();
    }
}

}
