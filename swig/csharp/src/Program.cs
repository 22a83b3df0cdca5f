using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;
using Cuprum.Native;

namespace Cuprum {

/// <summary>Source text with the options to compile it.</summary>
public sealed partial class Program : IDisposable {
    private readonly NativeHandle handle;
    private readonly string name;

    static Program() {
        NativeLibraries.Load();
    }

    /// <summary>CUDA C++. Compiles nothing yet.</summary>
    /// <param name="code">The text.</param>
    /// <param name="options">The compile options, which are copied; null for the defaults.</param>
    public Program(string code, ProgramOptions options = null) : this(code, SourceType.Cxx, options) {}

    /// <summary>Source text. Compiles nothing yet.</summary>
    /// <param name="code">The text.</param>
    /// <param name="type">Its language.</param>
    /// <param name="options">The compile options, which are copied; null for the defaults.</param>
    public Program(string code, SourceType type, ProgramOptions options = null) {
        options = options ?? new ProgramOptions();
        name = options.Name;
        Require.NotNull(code, nameof(code));
        if (type == SourceType.Nvvm) {
            handle = CreateNvvm(Encoding.UTF8.GetBytes(code), options);
            return;
        }
        IntPtr program;
        CuprumNative.cuprum_program_create(out program, code, (int)type, name, options.ToCompilerOptions());
        handle = WithModules(program, options);
    }

    /// <summary>NVVM IR. Compiles nothing yet.</summary>
    /// <param name="code">Text or bitcode, which is copied.</param>
    /// <param name="options">The compile options, which are copied; null for the defaults.</param>
    public static Program OfNvvm(byte[] code, ProgramOptions options = null) {
        options = options ?? new ProgramOptions();
        return new Program(CreateNvvm(Require.NotNull(code, nameof(code)), options), options.Name);
    }

    private Program(NativeHandle handle, string name) {
        this.handle = handle;
        this.name = name;
    }

    private static NativeHandle CreateNvvm(byte[] code, ProgramOptions options) {
        GCHandle pin = GCHandle.Alloc(code, GCHandleType.Pinned);
        try {
            IntPtr program;
            CuprumNative.cuprum_program_create_nvvm(out program, pin.AddrOfPinnedObject(), (ulong)code.LongLength,
                                                    options.Name, options.ToCompilerOptions());
            return WithModules(program, options);
        } finally {
            pin.Free();
        }
    }

    private static NativeHandle WithModules(IntPtr program, ProgramOptions options) {
        var handle = new NativeHandle(program, CuprumNative.cuprum_release_program);
        try {
            foreach (KeyValuePair<string, byte[]> module in options.ExtraSources) {
                GCHandle pin = GCHandle.Alloc(Require.NotNull(module.Value, module.Key), GCHandleType.Pinned);
                try {
                    CuprumNative.cuprum_program_add_module(handle, pin.AddrOfPinnedObject(),
                                                           (ulong)module.Value.LongLength, module.Key);
                } finally {
                    pin.Free();
                }
            }
            return handle;
        } catch {
            handle.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Compiles; blocks meanwhile. The toolkit's own header folders are found and added. May be called from several
    /// threads at once. The caller disposes of the result.
    /// </summary>
    /// <param name="target">The type of code to make; by default what the device loads directly.</param>
    /// <param name="nameExpressions">C++ names of template instances and the like, found again by
    /// <see cref="ObjectCode.GetKernel"/>.</param>
    /// <exception cref="CompileException">The source has errors.</exception>
    /// <exception cref="NotFoundException">NVRTC or its headers are missing; for NVVM IR, libNVVM or the libdevice asked
    /// for.</exception>
    public ObjectCode Compile(CodeType target = CodeType.Native, params string[] nameExpressions) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, Operations.ProgramCompile);
        }
        IntPtr objectCode;
        CuprumNative.cuprum_program_compile(out objectCode, handle, (int)target, nameExpressions);
        return new ObjectCode(objectCode);
    }

    /// <summary>The compiler's log of the last successful compile on this thread, such as warnings; may be empty.
    /// </summary>
    public static string LastLog {
        get {
            string log;
            CuprumNative.cuprum_program_log(out log);
            return log;
        }
    }

    /// <summary>The diagnostics, such as warnings, of the last successful compile on this thread.</summary>
    public static IReadOnlyList<Diagnostic> LastDiagnostics { get { return Diagnostic.Parse(LastLog); } }

    /// <summary>Whether this object is closed.</summary>
    public bool IsClosed { get { return handle.IsDisposed; } }

    /// <summary>May be called more than once.</summary>
    public void Dispose() {
        handle.Dispose();
    }

    /// <summary>Names the program.</summary>
    public override string ToString() {
        return "Program \"" + name + "\"";
    }
}

}
