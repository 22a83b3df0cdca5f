using System;
using System.Collections.Generic;
using System.Linq;
using Cuprum.Native;

namespace Cuprum {

/// <summary>One compile of many (<see cref="Program.CompileAll"/>). Immutable.</summary>
public sealed class CompileRequest {
    /// <param name="program">What to compile.</param>
    /// <param name="target">The type of code to make; by default what the device loads directly.</param>
    /// <param name="nameExpressions">C++ names of template instances and the like, found again by
    /// <see cref="ObjectCode.GetKernel"/>.</param>
    public CompileRequest(Program program, CodeType target = CodeType.Native, params string[] nameExpressions) {
        Program = Require.NotNull(program, nameof(program));
        Target = target;
        NameExpressions = (string[])Require.NotNull(nameExpressions, nameof(nameExpressions)).Clone();
    }

    /// <summary>What to compile.</summary>
    public Program Program { get; }

    /// <summary>The type of code to make.</summary>
    public CodeType Target { get; }

    /// <summary>C++ names of template instances and the like.</summary>
    public IReadOnlyList<string> NameExpressions { get; }

    internal void Add(NativeHandle batch) {
        ulong index;
        CuprumNative.cuprum_compile_batch_add(
            out index, batch, Program.Use(Operations.CompileBatchAdd), (int)Target, NameExpressions.ToArray());
    }
}

/// <summary>One compile of many that is done (<see cref="Program.CompileAll"/>).</summary>
public sealed class CompileProgress {
    internal CompileProgress(ulong index, ulong done, ulong total, bool succeeded, bool fromCache, string log) {
        Index = (int)index;
        Done = (int)done;
        Total = (int)total;
        Succeeded = succeeded;
        FromCache = fromCache;
        Log = log;
    }

    /// <summary>Which of the requests, from 0.</summary>
    public int Index { get; }

    /// <summary>How many are done, with this one.</summary>
    public int Done { get; }

    /// <summary>How many were requested.</summary>
    public int Total { get; }

    /// <summary>Whether it has succeeded.</summary>
    public bool Succeeded { get; }

    /// <summary>Whether it was found in the compile cache, and not compiled.</summary>
    public bool FromCache { get; }

    /// <summary>What the compiler said: warnings, or why it failed.</summary>
    public string Log { get; }
}

public sealed partial class Program {
    /// <summary>Compiles many programs on several threads. All are compiled, also when some fail. The codes come in the
    /// order of the requests; the caller disposes of them.</summary>
    /// <param name="requests">What to compile.</param>
    /// <param name="numThreads">The most threads; 0 for as many as there are cores.</param>
    /// <param name="progress">Called in this thread as each compile is done. What it throws cancels the compiles that
    /// have not begun, and is thrown when those that have are done.</param>
    /// <exception cref="CompileException">Sources have errors: it names each of the programs, and has the logs of all.
    /// </exception>
    public static IReadOnlyList<ObjectCode> CompileAll(
        IEnumerable<CompileRequest> requests, int numThreads = 0, Action<CompileProgress> progress = null) {
        CompileRequest[] wanted = Require.NotNull(requests, nameof(requests)).ToArray();
        if (numThreads < 0) {
            throw new ArgumentOutOfRangeException(nameof(numThreads),
                                                  "numThreads must not be negative: " + numThreads);
        }
        IntPtr made;
        CuprumNative.cuprum_compile_batch_create(out made, (uint)numThreads);
        using (var batch = new NativeHandle(made, CuprumNative.cuprum_release_compile_batch)) {
            foreach (CompileRequest request in wanted) {
                Require.NotNull(request, nameof(requests)).Add(batch);
            }
            while (TellNext(batch, progress)) {}
            CuprumNative.cuprum_compile_batch_require_success(batch);
            var codes = new ObjectCode[wanted.Length];
            for (int i = 0; i < codes.Length; ++i) {
                IntPtr code;
                CuprumNative.cuprum_compile_batch_result(out code, batch, (ulong)i);
                codes[i] = new ObjectCode(code);
            }
            return codes;
        }
    }

    internal NativeHandle Use(string operation) {
        if (handle.IsDisposed) {
            throw Errors.Closed(this, operation);
        }
        return handle;
    }

    // Whether there was one.
    private static bool TellNext(NativeHandle batch, Action<CompileProgress> progress) {
        int found, succeeded, fromCache;
        ulong index, done, total;
        string log;
        CuprumNative.cuprum_compile_batch_next(
            out found, out index, out done, out total, out succeeded, out fromCache, out log, batch);
        if (found != 0 && progress != null) {
            progress(new CompileProgress(index, done, total, succeeded != 0, fromCache != 0, log));
        }
        return found != 0;
    }
}

}
