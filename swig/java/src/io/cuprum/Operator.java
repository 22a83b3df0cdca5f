package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.NativeHandle;
import java.lang.ref.Reference;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What a parallel algorithm does to its elements: the name of a well-known operator ("plus", "multiplies", "minimum",
 * "less", "negate" ...), CUDA C++ over the operands {@code a} and {@code b}, an expression ("a * b + 1") or a function's
 * body ("if (a &lt; b) return a; return b;"), or a traced function of {@link Symbol}s.
 */
public final class Operator implements AutoCloseable {
    /** What texts call their operands. */
    private static final String OPERANDS = "abcdefgh";

    private final NativeHandle handle;
    private final String text;
    private final ElementType stateType;    // null where there is none

    /**
     * An operator without a state.
     *
     * @param text the operator's text or name
     */
    public Operator(String text) {
        this(text, null);
    }

    /**
     * A well-known operator.
     *
     * @param kind the operator
     */
    public Operator(OpKind kind) {
        this(kind.text(), null);
    }

    private Operator(Symbol result) {
        this(ExpressionText.of(result), null);
    }

    /**
     * A function of two operands, which is called once to see what it does: {@code Operator.of((a, b) -> a.plus(b))}.
     *
     * @param function returns the result
     * @return the operator
     */
    public static Operator of(BinaryOperator<Symbol> function) {
        return new Operator(function.apply(Symbol.operand("a"), Symbol.operand("b")));
    }

    /**
     * A function of one operand, which is called once to see what it does: {@code Operator.of(a -> a.times(2))}.
     *
     * @param function returns the result
     * @return the operator
     */
    public static Operator of(UnaryOperator<Symbol> function) {
        return new Operator(function.apply(Symbol.operand("a")));
    }

    /**
     * A function of any number of operands, which is called once to see what it does: {@code Operator.of(3, x ->
     * x[0].times(x[1]).plus(x[2]))}. More than two are for a {@link Transform} of as many inputs.
     *
     * @param operands how many, 1 to 8
     * @param function returns the result
     * @return the operator
     */
    public static Operator of(int operands, Function<Symbol[], Symbol> function) {
        if (operands < 1 || operands > OPERANDS.length()) {
            throw Errors.invalidArgument("making an operator", "operands",
                    "is " + operands + ", expected 1 to " + OPERANDS.length());
        }
        Symbol[] symbols = new Symbol[operands];
        for (int i = 0; i < operands; ++i) {
            symbols[i] = Symbol.operand(OPERANDS.substring(i, i + 1));
        }
        return new Operator(function.apply(symbols));
    }

    /**
     * An operator with a state, whose bytes are passed with each call and not compiled in.
     *
     * @param text the operator's text, which sees the state's fields by their names
     * @param state a value of a struct type, such as {@code structure("Scale", field("factor", FLOAT64))}; null for
     *     none
     */
    public Operator(String text, Value state) {
        long[] created = new long[1];
        CuprumNative.cuprum_parallel_operator_create(created, Objects.requireNonNull(text, "text must not be null"),
                state == null ? null : state.type().text(),
                state == null ? 0 : state.address(), state == null ? 0 : state.type().size());
        Reference.reachabilityFence(state);
        this.text = text;
        stateType = state == null ? null : state.type();
        handle = new NativeHandle(this, created[0], CuprumNative::cuprum_parallel_operator_destroy);
    }

    private Operator(String name, ElementType stateType, long operator) {
        text = name;
        this.stateType = stateType;
        handle = new NativeHandle(this, operator, CuprumNative::cuprum_parallel_operator_destroy);
    }

    /**
     * A device function that was compiled elsewhere, and is linked into each algorithm that is built with it: PTX, LTO-IR
     * (which is optimised together with the algorithm) or what else a {@link Linker} takes, of relocatable device code.
     * What does not fit is an {@link NvJitLinkException} there. Whether it was compiled for the algorithm's types is not
     * checked.
     *
     * @param name as in the code: declare it {@code extern "C"}
     * @param code has the function; may be closed afterwards
     * @param passing how it takes its operands
     * @return the operator
     */
    public static Operator compiled(String name, ObjectCode code, Passing passing) {
        return compiled(name, code, passing, null);
    }

    /**
     * The same with a state, whose bytes are passed with each call.
     *
     * @param name as in the code: declare it {@code extern "C"}
     * @param code has the function; may be closed afterwards
     * @param passing {@link Passing#POINTERS}, unless there is no state
     * @param state a value of a struct type, whose address the function takes first; null for none
     * @return the operator
     */
    public static Operator compiled(String name, ObjectCode code, Passing passing, Value state) {
        long[] created = new long[1];
        code.with("making an operator", object -> {
            CuprumNative.cuprum_parallel_operator_create_compiled(created,
                    Objects.requireNonNull(name, "name must not be null"), object, passing.ordinal(),
                    state == null ? null : state.type().text(), state == null ? 0 : state.address(),
                    state == null ? 0 : state.type().size());
            return null;
        });
        Reference.reachabilityFence(state);
        return new Operator(name, state == null ? null : state.type(), created[0]);
    }

    /**
     * A comparison of structs by some of their numbers: whether {@code a} comes before {@code b}. Each has the order that
     * a radix sort gives it. On the host's cores a merge sort takes it.
     *
     * @param type the structs' type
     * @param fields their names, that of the number that counts most first: "age, -weight"; behind a "-" the largest
     *     comes first, "place.x" is a field of a field, and a field that is a struct stands for its numbers
     * @return the operator
     * @throws InvalidArgumentException when the type is no struct, or lacks a field
     */
    public static Operator byFields(ElementType type, String fields) {
        long[] created = new long[1];
        CuprumNative.cuprum_parallel_operator_by_fields(created, type.text(),
                Objects.requireNonNull(fields, "fields must not be null"));
        return new Operator("by fields " + fields, null, created[0]);
    }

    /**
     * The same operator with more code, which its function calls.
     *
     * @param code more code; may be closed afterwards
     * @return a new operator
     * @throws InvalidArgumentException when this operator was not compiled elsewhere
     */
    public Operator withCode(ObjectCode code) {
        long[] created = new long[1];
        code.with("making an operator", object -> {
            CuprumNative.cuprum_parallel_operator_with_code(created, open("making an operator"), object);
            return null;
        });
        Reference.reachabilityFence(this);
        return new Operator(text, stateType, created[0]);
    }

    /**
     * The same operator with another state, for {@link CallOptions#op}.
     *
     * @param state a state of the same type
     * @return a new operator
     * @throws IllegalArgumentException when the state is of another type, or this operator has none
     */
    public Operator withState(Value state) {
        if (!state.type().equals(stateType)) {
            String own = stateType == null ? "no state" : "a state of the type " + stateType;
            throw new IllegalArgumentException(this + " has " + own + ", given a " + state.type());
        }
        long[] created = new long[1];
        CuprumNative.cuprum_parallel_operator_with_state(created, open("binding an operator's state"),
                state.type().text(), state.address(), state.type().size());
        Reference.reachabilityFence(state);
        Reference.reachabilityFence(this);
        return new Operator(text, stateType, created[0]);
    }

    @Override
    public void close() {
        handle.close();
    }

    @Override
    public String toString() {
        return "Operator \"" + text + '"';
    }

    /** The native handle; the caller keeps this operator reachable for as long as it uses it. */
    long open(String operation) {
        if (handle.isClosed()) {
            throw Errors.closed(this, operation);
        }
        return handle.value();
    }
}
