package io.cuprum;

import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;

/**
 * A value that is known only on the device. A function of symbols is called once, and what it does to them becomes CUDA
 * C++ text, which has the same meaning there as in Java: {@code Parallel.reduce(data, 0f, (a, b) -> a.plus(b))}.
 *
 * <p>As in Java, integers wrap around, division truncates, shifts take their count modulo the width, and {@link
 * #remainder(Symbol) remainder} works on floating-point numbers too. Where Java throws an ArithmeticException, for
 * integers divided by 0, quotient and remainder are 0. Two operands of different types are converted as in C++,
 * which is what Java does, except for the unsigned types that Java lacks.
 *
 * <p>Fields of structs are {@code a.get("x")}. Decisions ({@code if}, {@code ? :}, {@code &&}) cannot be traced: see
 * {@link #where where}, {@link #and(Symbol) and} and {@link #or(Symbol) or}. Immutable.
 */
public final class Symbol {
    private static final Symbol[] NONE = {};

    /** The text of the expression from those of its arguments. */
    private final Function<String[], String> emit;
    private final Symbol[] arguments;
    private final String rootText;    // the expression to use as the whole function; null: the same
    private final boolean repeatsArguments;

    private Symbol(
            Function<String[], String> emit, Symbol[] arguments, String rootText, boolean repeatsArguments) {
        for (Symbol argument : arguments) {
            requireValue(argument);
        }
        this.emit = emit;
        this.arguments = arguments;
        this.rootText = rootText;
        this.repeatsArguments = repeatsArguments;
    }

    static Symbol operand(String name) {
        return new Symbol(texts -> name, NONE, name, false);
    }

    private static Symbol literal(String text) {
        return new Symbol(texts -> text, NONE, null, false);
    }

    static Symbol requireValue(Symbol value) {
        return Objects.requireNonNull(value, "tracing an operator: the function gave or used null where a value was "
                + "expected. Give an expression of its operands, such as (a, b) -> a.plus(b), or the operator as CUDA "
                + "C++ text.");
    }

    Symbol[] arguments() {
        return arguments;
    }

    String rootText() {
        return rootText;
    }

    boolean repeatsArguments() {
        return repeatsArguments;
    }

    String text(String[] texts) {
        return emit.apply(texts);
    }

    private static Symbol expression(Function<String[], String> emit, Symbol... arguments) {
        return new Symbol(emit, arguments, null, false);
    }

    private static Symbol binary(Symbol left, String operation, Symbol right) {
        return expression(texts -> "(" + texts[0] + " " + operation + " " + texts[1] + ")", left, right);
    }

    /** A function of CUDA C++, or one of parallel/src/arithmetic.cpp. */
    private static Symbol call(String name, Symbol... values) {
        return expression(texts -> name + "(" + String.join(", ", texts) + ")", values);
    }

    /**
     * Operators that C++ leaves undefined where integers overflow. Applied to the function's own operands alone, this
     * is the well-known operator, which the algorithms are tuned for, and whose result is stored at its own width.
     */
    private static Symbol wrapping(String operation, String function, Symbol left, Symbol right) {
        boolean areOperands = left.isOperand() && requireValue(right).isOperand();
        boolean isWellKnown = areOperands && !left.rootText.equals(right.rootText);
        String rootText = isWellKnown ? "(" + left.rootText + " " + operation + " " + right.rootText + ")" : null;
        return new Symbol(texts -> "cuprum_arithmetic::" + function + "(" + texts[0] + ", " + texts[1] + ")",
                new Symbol[] {left, right}, rootText, false);
    }

    /** Of those that well-known operators have. */
    private boolean isOperand() {
        return arguments.length == 0 && ("a".equals(rootText) || "b".equals(rootText));
    }

    /**
     * A constant of its own type.
     *
     * @param value a Byte, Short, Integer, Long, Float or Double
     * @return the constant
     * @throws IllegalArgumentException for another kind of number
     */
    public static Symbol of(Number value) {
        if (value instanceof Float) {
            return literal("static_cast<float>(" + real(value.doubleValue()) + ")");
        } else if (value instanceof Double) {
            return literal(real(value.doubleValue()));
        } else if (value instanceof Long) {
            long number = value.longValue();
            return literal(number == Long.MIN_VALUE ? "(-9223372036854775807LL - 1)" : "(" + number + "LL)");
        } else if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            int number = value.intValue();
            return literal(number == Integer.MIN_VALUE ? "(-2147483647 - 1)" : "(" + number + ")");
        }
        throw new IllegalArgumentException("tracing an operator: expected a Byte, Short, Integer, Long, Float or Double, "
                + "given " + (value == null ? "null" : "a " + value.getClass().getName()));
    }

    /**
     * A constant.
     *
     * @param value true or false
     * @return the constant
     */
    public static Symbol of(boolean value) {
        return literal(value ? "true" : "false");
    }

    private static String real(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return "__longlong_as_double(" + Double.doubleToLongBits(value) + "LL)";
        }
        return "(" + value + ")";
    }

    /**
     * A field of a struct.
     *
     * @param field its name
     * @return its value
     */
    public Symbol get(String field) {
        return expression(texts -> texts[0] + "." + field, this);
    }

    /**
     * The sum; integers wrap around.
     *
     * @param other the right operand
     * @return the result
     */
    public Symbol plus(Symbol other) {
        return wrapping("+", "add", this, other);
    }

    /**
     * The sum; integers wrap around.
     *
     * @param other the right operand, of its own type
     * @return the result
     */
    public Symbol plus(Number other) {
        return plus(of(other));
    }

    /**
     * The difference; integers wrap around.
     *
     * @param other the right operand
     * @return the result
     */
    public Symbol minus(Symbol other) {
        return wrapping("-", "subtract", this, other);
    }

    /**
     * The difference; integers wrap around.
     *
     * @param other the right operand, of its own type
     * @return the result
     */
    public Symbol minus(Number other) {
        return minus(of(other));
    }

    /**
     * The product; integers wrap around.
     *
     * @param other the right operand
     * @return the result
     */
    public Symbol times(Symbol other) {
        return wrapping("*", "multiply", this, other);
    }

    /**
     * The product; integers wrap around.
     *
     * @param other the right operand, of its own type
     * @return the result
     */
    public Symbol times(Number other) {
        return times(of(other));
    }

    /**
     * The quotient, truncated for integers; an integer divided by 0 gives 0.
     *
     * @param other the right operand
     * @return the result
     */
    public Symbol dividedBy(Symbol other) {
        return call("cuprum_arithmetic::truncating_divide", this, other);
    }

    /**
     * The quotient, truncated for integers; an integer divided by 0 gives 0.
     *
     * @param other the right operand, of its own type
     * @return the result
     */
    public Symbol dividedBy(Number other) {
        return dividedBy(of(other));
    }

    /**
     * The result of {@code %}, with the sign of this value; an integer divided by 0 gives 0.
     *
     * @param other the right operand
     * @return the result
     */
    public Symbol remainder(Symbol other) {
        return call("cuprum_arithmetic::truncating_remainder", this, other);
    }

    /**
     * The result of {@code %}, with the sign of this value; an integer divided by 0 gives 0.
     *
     * @param other the right operand, of its own type
     * @return the result
     */
    public Symbol remainder(Number other) {
        return remainder(of(other));
    }

    /**
     * {@code &}, bitwise or of booleans.
     *
     * @param other the right operand
     * @return the result
     */
    public Symbol and(Symbol other) {
        return binary(this, "&", other);
    }

    /**
     * {@code &}, bitwise or of booleans.
     *
     * @param other the right operand, of its own type
     * @return the result
     */
    public Symbol and(Number other) {
        return and(of(other));
    }

    /**
     * {@code |}, bitwise or of booleans.
     *
     * @param other the right operand
     * @return the result
     */
    public Symbol or(Symbol other) {
        return binary(this, "|", other);
    }

    /**
     * {@code |}, bitwise or of booleans.
     *
     * @param other the right operand, of its own type
     * @return the result
     */
    public Symbol or(Number other) {
        return or(of(other));
    }

    /**
     * {@code ^}, bitwise or of booleans.
     *
     * @param other the right operand
     * @return the result
     */
    public Symbol xor(Symbol other) {
        return binary(this, "^", other);
    }

    /**
     * {@code ^}, bitwise or of booleans.
     *
     * @param other the right operand, of its own type
     * @return the result
     */
    public Symbol xor(Number other) {
        return xor(of(other));
    }

    /**
     * Whether this value is less than another.
     *
     * @param other the right operand
     * @return the result
     */
    public Symbol lessThan(Symbol other) {
        return binary(this, "<", other);
    }

    /**
     * Whether this value is less than another.
     *
     * @param other the right operand, of its own type
     * @return the result
     */
    public Symbol lessThan(Number other) {
        return lessThan(of(other));
    }

    /**
     * Whether this value is at most another.
     *
     * @param other the right operand
     * @return the result
     */
    public Symbol lessOrEqual(Symbol other) {
        return binary(this, "<=", other);
    }

    /**
     * Whether this value is at most another.
     *
     * @param other the right operand, of its own type
     * @return the result
     */
    public Symbol lessOrEqual(Number other) {
        return lessOrEqual(of(other));
    }

    /**
     * Whether this value is greater than another.
     *
     * @param other the right operand
     * @return the result
     */
    public Symbol greaterThan(Symbol other) {
        return binary(this, ">", other);
    }

    /**
     * Whether this value is greater than another.
     *
     * @param other the right operand, of its own type
     * @return the result
     */
    public Symbol greaterThan(Number other) {
        return greaterThan(of(other));
    }

    /**
     * Whether this value is at least another.
     *
     * @param other the right operand
     * @return the result
     */
    public Symbol greaterOrEqual(Symbol other) {
        return binary(this, ">=", other);
    }

    /**
     * Whether this value is at least another.
     *
     * @param other the right operand, of its own type
     * @return the result
     */
    public Symbol greaterOrEqual(Number other) {
        return greaterOrEqual(of(other));
    }

    /**
     * Whether both are the same number.
     *
     * @param other the right operand
     * @return the result
     */
    public Symbol equalTo(Symbol other) {
        return binary(this, "==", other);
    }

    /**
     * Whether both are the same number.
     *
     * @param other the right operand, of its own type
     * @return the result
     */
    public Symbol equalTo(Number other) {
        return equalTo(of(other));
    }

    /**
     * Whether they are different numbers.
     *
     * @param other the right operand
     * @return the result
     */
    public Symbol notEqualTo(Symbol other) {
        return binary(this, "!=", other);
    }

    /**
     * Whether they are different numbers.
     *
     * @param other the right operand, of its own type
     * @return the result
     */
    public Symbol notEqualTo(Number other) {
        return notEqualTo(of(other));
    }

    /**
     * <code>&lt;&lt;</code>: the count is taken modulo the width, 32 or 64.
     *
     * @param count how many bits
     * @return the result
     */
    public Symbol shiftLeft(int count) {
        return shiftLeft(of(count));
    }

    /**
     * <code>&lt;&lt;</code>: the count is taken modulo the width, 32 or 64.
     *
     * @param count how many bits
     * @return the result
     */
    public Symbol shiftLeft(Symbol count) {
        return call("cuprum_arithmetic::masked_shift_left", this, count);
    }

    /**
     * <code>&gt;&gt;</code>: the count is taken modulo the width, 32 or 64.
     *
     * @param count how many bits
     * @return the result
     */
    public Symbol shiftRight(int count) {
        return shiftRight(of(count));
    }

    /**
     * <code>&gt;&gt;</code>: the count is taken modulo the width, 32 or 64.
     *
     * @param count how many bits
     * @return the result
     */
    public Symbol shiftRight(Symbol count) {
        return call("cuprum_arithmetic::masked_shift_right", this, count);
    }

    /**
     * <code>&gt;&gt;&gt;</code>: the count is taken modulo the width, 32 or 64.
     *
     * @param count how many bits
     * @return the result
     */
    public Symbol unsignedShiftRight(int count) {
        return unsignedShiftRight(of(count));
    }

    /**
     * <code>&gt;&gt;&gt;</code>: the count is taken modulo the width, 32 or 64.
     *
     * @param count how many bits
     * @return the result
     */
    public Symbol unsignedShiftRight(Symbol count) {
        return call("cuprum_arithmetic::masked_unsigned_shift_right", this, count);
    }

    /** {@return the negated value; the smallest integer stays as it is} */
    public Symbol negate() {
        return call("cuprum_arithmetic::negate", this);
    }

    /** {@return <code>~</code>: all bits inverted} */
    public Symbol bitNot() {
        return expression(texts -> "(~" + texts[0] + ")", this);
    }

    /** {@return <code>!</code>: whether it is false or 0} */
    public Symbol logicalNot() {
        return expression(texts -> "(!" + texts[0] + ")", this);
    }

    /**
     * One of two values.
     *
     * @param condition the condition
     * @param left the value where the condition holds
     * @param right the value where it does not
     * @return either; both are computed
     */
    public static Symbol where(Symbol condition, Symbol left, Symbol right) {
        return expression(
                texts -> "(" + texts[0] + " ? " + texts[1] + " : " + texts[2] + ")", condition, left, right);
    }

    /**
     * The smaller of the two; a NaN if there is one.
     *
     * @param first a value
     * @param second a value
     * @return the result
     */
    public static Symbol min(Symbol first, Symbol second) {
        return call("cuprum_arithmetic::minimum", first, second);
    }

    /**
     * The larger of the two; a NaN if there is one.
     *
     * @param first a value
     * @param second a value
     * @return the result
     */
    public static Symbol max(Symbol first, Symbol second) {
        return call("cuprum_arithmetic::maximum", first, second);
    }

    /**
     * One number to the power of another.
     *
     * @param first a value
     * @param second a value
     * @return the result
     */
    public static Symbol pow(Symbol first, Symbol second) {
        return call("pow", first, second);
    }

    /**
     * The angle of the point (second, first).
     *
     * @param first a value
     * @param second a value
     * @return the result
     */
    public static Symbol atan2(Symbol first, Symbol second) {
        return call("atan2", first, second);
    }

    /**
     * The length of the vector.
     *
     * @param first a value
     * @param second a value
     * @return the result
     */
    public static Symbol hypot(Symbol first, Symbol second) {
        return call("hypot", first, second);
    }

    /**
     * The absolute value; the smallest integer stays as it is.
     *
     * @param value a value
     * @return the result
     */
    public static Symbol abs(Symbol value) {
        return call("cuprum_arithmetic::absolute", value);
    }

    /**
     * The square root.
     *
     * @param value a value
     * @return the result
     */
    public static Symbol sqrt(Symbol value) {
        return call("sqrt", value);
    }

    /**
     * The cube root.
     *
     * @param value a value
     * @return the result
     */
    public static Symbol cbrt(Symbol value) {
        return call("cbrt", value);
    }

    /**
     * e to the power of the value.
     *
     * @param value a value
     * @return the result
     */
    public static Symbol exp(Symbol value) {
        return call("exp", value);
    }

    /**
     * The natural logarithm.
     *
     * @param value a value
     * @return the result
     */
    public static Symbol log(Symbol value) {
        return call("log", value);
    }

    /**
     * The logarithm to base 10.
     *
     * @param value a value
     * @return the result
     */
    public static Symbol log10(Symbol value) {
        return call("log10", value);
    }

    /**
     * The sine.
     *
     * @param value a value
     * @return the result
     */
    public static Symbol sin(Symbol value) {
        return call("sin", value);
    }

    /**
     * The cosine.
     *
     * @param value a value
     * @return the result
     */
    public static Symbol cos(Symbol value) {
        return call("cos", value);
    }

    /**
     * The tangent.
     *
     * @param value a value
     * @return the result
     */
    public static Symbol tan(Symbol value) {
        return call("tan", value);
    }

    /**
     * The arc sine.
     *
     * @param value a value
     * @return the result
     */
    public static Symbol asin(Symbol value) {
        return call("asin", value);
    }

    /**
     * The arc cosine.
     *
     * @param value a value
     * @return the result
     */
    public static Symbol acos(Symbol value) {
        return call("acos", value);
    }

    /**
     * The arc tangent.
     *
     * @param value a value
     * @return the result
     */
    public static Symbol atan(Symbol value) {
        return call("atan", value);
    }

    /**
     * The hyperbolic sine.
     *
     * @param value a value
     * @return the result
     */
    public static Symbol sinh(Symbol value) {
        return call("sinh", value);
    }

    /**
     * The hyperbolic cosine.
     *
     * @param value a value
     * @return the result
     */
    public static Symbol cosh(Symbol value) {
        return call("cosh", value);
    }

    /**
     * The hyperbolic tangent.
     *
     * @param value a value
     * @return the result
     */
    public static Symbol tanh(Symbol value) {
        return call("tanh", value);
    }

    /**
     * Rounds down to an integer.
     *
     * @param value a value
     * @return the result
     */
    public static Symbol floor(Symbol value) {
        return call("floor", value);
    }

    /**
     * Rounds up to an integer.
     *
     * @param value a value
     * @return the result
     */
    public static Symbol ceil(Symbol value) {
        return call("ceil", value);
    }

    /**
     * The nearest integer; ties go to the even one.
     *
     * @param value a value
     * @return the result
     */
    public static Symbol rint(Symbol value) {
        return call("rint", value);
    }

    /**
     * Whether the value is a NaN.
     *
     * @param value a value
     * @return the result
     */
    public static Symbol isNaN(Symbol value) {
        return call("isnan", value);
    }

    /**
     * Anything else: CUDA C++ with the values inserted as {@link String#format} does. It has the meaning
     * that CUDA C++ gives it.
     *
     * @param format with {@code %s} for each value
     * @param values the values to insert
     * @return the result
     */
    public static Symbol cpp(String format, Symbol... values) {
        return new Symbol(
                texts -> String.format(Locale.ROOT, format, (Object[]) texts), values.clone(), null, true);
    }

    /** Not defined: a comparison on the device is {@link #equalTo(Symbol)}. */
    @Override
    public boolean equals(Object other) {
        throw decision();
    }

    /** Not defined, as {@link #equals} is not. */
    @Override
    public int hashCode() {
        throw decision();
    }

    private static UnsupportedOperationException decision() {
        return new UnsupportedOperationException("tracing an operator: the function decides by a value that is known on "
                + "the device only (equals, hashCode). Use equalTo, Symbol.where(condition, a, b), Symbol.min and "
                + "Symbol.max, or give the operator as CUDA C++ text.");
    }
}
