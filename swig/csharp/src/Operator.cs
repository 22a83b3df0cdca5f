using System;
using Cuprum.Native;

namespace Cuprum {

/// <summary>How a device function that was compiled elsewhere takes its operands, of types A and B, and gives its result, an
/// R.</summary>
public enum Passing {
    /// <summary><c>void f(void* a, void* b, void* result)</c>; with a state <c>void f(void* state, void* a, ...)</c>.</summary>
    Pointers = 0,
    /// <summary><c>R f(A a, B b)</c>; has no state.</summary>
    Values = 1
}

/// <summary>
/// What a parallel algorithm does to its elements: the name of a well-known operator ("plus", "multiplies", "minimum",
/// "less", "negate" ...), CUDA C++ over the operands <c>a</c> and <c>b</c>, an expression or a function's body, or a
/// traced function of <see cref="Symbol"/>s.
/// </summary>
public sealed class Operator : IDisposable {
    static Operator() {
        NativeLibraries.Load();
    }

    private readonly NativeHandle handle;
    private readonly string text;

    /// <summary>An operator by CUDA C++ text or by name.</summary>
    public Operator(string text) : this(text, null, IntPtr.Zero, 0) {}

    /// <summary>A well-known operator.</summary>
    public Operator(OpKind kind) : this(OpKindText.Of(kind)) {}

    /// <summary>A function of two operands, called once to see what it does.</summary>
    /// <exception cref="InvalidOperationException">It branches on a value that is known only on the device.</exception>
    public Operator(Func<Symbol, Symbol, Symbol> function)
        : this(ExpressionText.Of(function(new Symbol("a"), new Symbol("b")))) {}

    /// <summary>A function of one operand, called once to see what it does.</summary>
    /// <exception cref="InvalidOperationException">It branches on a value that is known only on the device.</exception>
    public Operator(Func<Symbol, Symbol> function) : this(ExpressionText.Of(function(new Symbol("a")))) {}

    /// <summary>A function of any number of operands, 1 to 8, called once to see what it does: <c>new Operator(3, x =&gt;
    /// x[0] * x[1] + x[2])</c>. More than two are for a <see cref="Transform{T}"/> of as many inputs.</summary>
    /// <exception cref="InvalidOperationException">It branches on a value that is known only on the device.</exception>
    public Operator(int operands, Func<Symbol[], Symbol> function)
        : this(ExpressionText.Of(function(OperandSymbols(operands)))) {}

    private static Symbol[] OperandSymbols(int count) {
        const string names = "abcdefgh";
        if (count < 1 || count > names.Length) {
            throw Errors.InvalidArgument(
                "operands", "making an operator", "is " + count + ", expected 1 to " + names.Length);
        }
        var symbols = new Symbol[count];
        for (int i = 0; i < count; ++i) {
            symbols[i] = new Symbol(names.Substring(i, 1));
        }
        return symbols;
    }

    private Operator(string text, string stateType, IntPtr state, ulong size) {
        this.text = Require.NotNull(text, nameof(text));
        IntPtr created;
        CuprumNative.cuprum_parallel_operator_create(out created, text, stateType, state, size);
        handle = new NativeHandle(created, CuprumNative.cuprum_release_parallel_operator);
    }

    /// <summary>
    /// CUDA C++ that sees the fields of <paramref name="state"/> by their names; its bytes are passed with each call
    /// and not compiled in.
    /// </summary>
    public static Operator WithState<T>(string text, T state) where T : struct {
        using (var memory = new PinnedValue<T>(state)) {
            return new Operator(text, ElementText<T>.Value, memory.Address, memory.Size);
        }
    }

    private Operator(string name, ObjectCode code, Passing passing, string stateType, IntPtr state, ulong size) {
        text = Require.NotNull(name, nameof(name));
        IntPtr created;
        CuprumNative.cuprum_parallel_operator_create_compiled(out created, name,
            Require.NotNull(code, nameof(code)).Use("making an operator"), (int)passing, stateType, state, size);
        handle = new NativeHandle(created, CuprumNative.cuprum_release_parallel_operator);
    }

    private Operator(string text, IntPtr handle) {
        this.text = text;
        this.handle = new NativeHandle(handle, CuprumNative.cuprum_release_parallel_operator);
    }

    /// <summary>
    /// A device function that was compiled elsewhere, and is linked into each algorithm that is built with it: PTX, LTO-IR
    /// (which is optimised together with the algorithm) or what else a Linker takes, of relocatable device code. What does
    /// not fit is an NvJitLinkException there. Whether it was compiled for the algorithm's types is not checked.
    /// </summary>
    /// <param name="name">As in the code: declare it extern "C".</param>
    /// <param name="code">Has the function; may be disposed of afterwards.</param>
    /// <param name="passing">How it takes its operands.</param>
    public static Operator Compiled(string name, ObjectCode code, Passing passing = Passing.Pointers) {
        return new Operator(name, code, passing, null, IntPtr.Zero, 0);
    }

    /// <summary>The same with a state, whose address the function takes first; its bytes are passed with each call.
    /// An operator of the same code with another state is the same operator for a call.</summary>
    public static Operator CompiledWithState<T>(string name, ObjectCode code, T state) where T : struct {
        using (var memory = new PinnedValue<T>(state)) {
            return new Operator(name, code, Passing.Pointers, ElementText<T>.Value, memory.Address, memory.Size);
        }
    }

    /// <summary>
    /// A comparison of structs by some of their numbers: whether <c>a</c> comes before <c>b</c>. Each has the order that a
    /// radix sort gives it. On the host's cores a merge sort takes it.
    /// </summary>
    /// <param name="fields">Their names, that of the number that counts most first: "age, -weight"; behind a "-" the largest
    /// comes first, "place.x" is a field of a field, and a field that is a struct stands for its numbers.</param>
    /// <exception cref="InvalidArgumentException">T is no struct, or lacks a field.</exception>
    public static Operator ByFields<T>(string fields) where T : struct {
        IntPtr created;
        CuprumNative.cuprum_parallel_operator_by_fields(
            out created, ElementText<T>.Value, Require.NotNull(fields, nameof(fields)));
        return new Operator("by fields " + fields, created);
    }

    /// <summary>The same operator with more code, which its function calls.</summary>
    /// <exception cref="InvalidArgumentException">This operator was not compiled elsewhere.</exception>
    public Operator WithCode(ObjectCode code) {
        IntPtr created;
        CuprumNative.cuprum_parallel_operator_with_code(out created, Use("making an operator"),
            Require.NotNull(code, nameof(code)).Use("making an operator"));
        return new Operator(text, created);
    }

    /// <summary>May be called more than once.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    /// <summary>Shows the text.</summary>
    public override string ToString() {
        return "Operator \"" + text + "\"";
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }
}

}
