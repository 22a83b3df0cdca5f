using System;
using Cuprum.Native;

namespace Cuprum {

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
