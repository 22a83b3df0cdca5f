package io.cuprum;

import java.util.Locale;

/** The operators that CUB knows and has tuned its algorithms for. */
public enum OpKind {
    /** a + b */
    PLUS,
    /** a - b */
    MINUS,
    /** a * b */
    MULTIPLIES,
    /** a / b */
    DIVIDES,
    /** a % b */
    MODULUS,
    /** The smaller one; compares with &lt;, and the result is unspecified for NaNs. */
    MINIMUM,
    /** The larger one; compares with &lt;, and the result is unspecified for NaNs. */
    MAXIMUM,
    /** a &amp; b */
    BIT_AND,
    /** a | b */
    BIT_OR,
    /** a ^ b */
    BIT_XOR,
    /** a &amp;&amp; b */
    LOGICAL_AND,
    /** a || b */
    LOGICAL_OR,
    /** a == b */
    EQUAL_TO,
    /** a != b */
    NOT_EQUAL_TO,
    /** a &lt; b */
    LESS,
    /** a &lt;= b */
    LESS_EQUAL,
    /** a &gt; b */
    GREATER,
    /** a &gt;= b */
    GREATER_EQUAL,
    /** a */
    IDENTITY,
    /** -a */
    NEGATE,
    /** !a */
    LOGICAL_NOT,
    /** ~a */
    BIT_NOT;

    /** {@return the operator's name in every language, such as "bit_and"} */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
