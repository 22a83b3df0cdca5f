using System.Collections.Generic;
using System.Globalization;

namespace Cuprum {

/// <summary>
/// Options of one linker, under cuda.core's names. An option that is not set (null, empty) has nvJitLink's default.
/// </summary>
public sealed class LinkerOptions {
    /// <summary>All defaults.</summary>
    public LinkerOptions() {
        Name = "default_linker";
        KernelsUsed = new List<string>();
        VariablesUsed = new List<string>();
        PtxasOptions = new List<string>();
        ExtraOptions = new List<string>();
    }

    /// <summary>The name of the linked code, in errors.</summary>
    public string Name { get; set; }

    /// <summary>The architecture to link for, "sm_90" or "compute_90"; else that of device 0.</summary>
    public string Arch { get; set; }

    /// <summary>Limits the registers of each thread.</summary>
    public int? MaxRegisterCount { get; set; }

    /// <summary>Writes the time of each phase to the info log.</summary>
    public bool Time { get; set; }

    /// <summary>Writes registers and memory of each kernel to the info log.</summary>
    public bool Verbose { get; set; }

    /// <summary>Optimises across all inputs. LTO-IR turns it on.</summary>
    public bool LinkTimeOptimization { get; set; }

    /// <summary>Creates the nvJitLink handle for PTX. <see cref="Linker.Link"/> decides by its target.</summary>
    public bool Ptx { get; set; }

    /// <summary>How much to optimise: 0 or 3.</summary>
    public int? OptimizationLevel { get; set; }

    /// <summary>Generates debug information.</summary>
    public bool Debug { get; set; }

    /// <summary>Generates line numbers.</summary>
    public bool Lineinfo { get; set; }

    /// <summary>Whether single-precision denormals are flushed to zero, in LTO-IR.</summary>
    public bool? Ftz { get; set; }

    /// <summary>Whether single-precision divisions are rounded correctly, in LTO-IR.</summary>
    public bool? PrecDiv { get; set; }

    /// <summary>Whether single-precision square roots are rounded correctly, in LTO-IR.</summary>
    public bool? PrecSqrt { get; set; }

    /// <summary>Whether multiplications and additions are contracted, in LTO-IR.</summary>
    public bool? Fma { get; set; }

    /// <summary>Kernels that are used, by name or name expression; others may be removed.</summary>
    public IList<string> KernelsUsed { get; }

    /// <summary>Variables that are used, by name or name expression; others may be removed.</summary>
    public IList<string> VariablesUsed { get; }

    /// <summary>Removes variables that no code uses.</summary>
    public bool OptimizeUnusedVariables { get; set; }

    /// <summary>Options for the assembler, such as "-v".</summary>
    public IList<string> PtxasOptions { get; }

    /// <summary>How many threads compile; 0 is one for each core.</summary>
    public int? SplitCompile { get; set; }

    /// <summary>The same, split further, which may make the code slower.</summary>
    public int? SplitCompileExtended { get; set; }

    /// <summary>Turns off nvJitLink's own cache.</summary>
    public bool NoCache { get; set; }

    /// <summary>nvJitLink's own options, passed on as they are after all others.</summary>
    public IList<string> ExtraOptions { get; }

    internal string[] ToLinkOptions() {
        var options = new List<string>();
        if (!string.IsNullOrEmpty(Arch)) {
            options.Add("-arch=" + Arch);
        }
        AddNumber(options, "-maxrregcount=", MaxRegisterCount);
        AddFlag(options, "-time", Time);
        AddFlag(options, "-verbose", Verbose);
        AddFlag(options, "-lto", LinkTimeOptimization);
        AddFlag(options, "-ptx", Ptx);
        AddNumber(options, "-O", OptimizationLevel);
        AddFlag(options, "-g", Debug);
        AddFlag(options, "-lineinfo", Lineinfo);
        AddChoice(options, "-ftz=", Ftz);
        AddChoice(options, "-prec-div=", PrecDiv);
        AddChoice(options, "-prec-sqrt=", PrecSqrt);
        AddChoice(options, "-fma=", Fma);
        AddAll(options, "-kernels-used=", KernelsUsed);
        AddAll(options, "-variables-used=", VariablesUsed);
        AddFlag(options, "-optimize-unused-variables", OptimizeUnusedVariables);
        AddAll(options, "-Xptxas=", PtxasOptions);
        AddNumber(options, "-split-compile=", SplitCompile);
        AddNumber(options, "-split-compile-extended=", SplitCompileExtended);
        AddFlag(options, "-no-cache", NoCache);
        AddAll(options, "", ExtraOptions);
        return options.ToArray();
    }

    private static void AddFlag(List<string> options, string option, bool enabled) {
        if (enabled) {
            options.Add(option);
        }
    }

    private static void AddChoice(List<string> options, string option, bool? choice) {
        if (choice.HasValue) {
            options.Add(option + (choice.Value ? "1" : "0"));
        }
    }

    private static void AddNumber(List<string> options, string option, int? number) {
        if (number.HasValue) {
            options.Add(option + number.Value.ToString(CultureInfo.InvariantCulture));
        }
    }

    private static void AddAll(List<string> options, string option, IEnumerable<string> values) {
        foreach (string value in values) {
            options.Add(option + value);
        }
    }
}

}
