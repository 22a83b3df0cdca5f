using System.Collections.Generic;
using Cuprum.Native;

namespace Cuprum {

/// <summary>One message of a compiler or a linker: an error, a warning or a remark.</summary>
public sealed class Diagnostic {
    private readonly string file, code, text;
    private readonly int severity, line, column;

    private Diagnostic(uint index) {
        CuprumNative.cuprum_diagnostic(out severity, out line, out column, out file, out code, out text, index);
    }

    /// <summary>The severity.</summary>
    public Severity Severity { get { return (Severity)severity; } }

    /// <summary>The file, by its name in the compile; empty if the log does not name one.</summary>
    public string File { get { return file; } }

    /// <summary>From 1 on; 0 where the log has none.</summary>
    public int Line { get { return line; } }

    /// <summary>From 1 on; 0 where the log has none.</summary>
    public int Column { get { return column; } }

    /// <summary>The compiler's number for it, such as "177-D"; empty if it has none.</summary>
    public string Code { get { return code; } }

    /// <summary>The message; several lines where the log has more details.</summary>
    public string Text { get { return text; } }

    /// <summary>The diagnostics in a log of NVRTC, ptxas or nvJitLink, in order.</summary>
    public static IReadOnlyList<Diagnostic> Parse(string log) {
        uint count;
        // A NUL ends a text in C.
        CuprumNative.cuprum_diagnostics_parse(out count, Require.NotNull(log, nameof(log)).Replace('\0', ' '));
        var found = new Diagnostic[count];
        for (uint i = 0; i < count; ++i) {
            found[i] = new Diagnostic(i);
        }
        return found;
    }

    /// <summary>The location, severity and text, as compilers print them.</summary>
    public override string ToString() {
        return (file.Length == 0 ? "" : file + "(" + line + "): ") + Severity.ToString().ToLowerInvariant() + ": " + text;
    }
}

}
