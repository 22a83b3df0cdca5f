using System.Collections.Generic;

namespace Cuprum {

/// <summary>
/// Options of one compile, under cuda.core's names. An option that is not set (null, empty) has the compiler's default.
/// NVVM IR takes Name, Arch, Debug, DeviceCodeOptimize, Ftz, PrecSqrt, PrecDiv, Fma, ExtraSources, UseLibdevice, NoCache
/// and, as ExtraOptions, libNVVM's own; none of the others.
/// </summary>
public sealed class ProgramOptions {
    /// <summary>All defaults.</summary>
    public ProgramOptions() {
        Name = "default_program";
        DefineMacro = new List<KeyValuePair<string, string>>();
        UndefineMacro = new List<string>();
        IncludePath = new List<string>();
        PreInclude = new List<string>();
        DiagError = new List<int>();
        DiagSuppress = new List<int>();
        DiagWarn = new List<int>();
        ExtraOptions = new List<string>();
        ExtraSources = new List<KeyValuePair<string, byte[]>>();
    }

    /// <summary>What compile logs call the source, such as "saxpy.cu".</summary>
    public string Name { get; set; }

    /// <summary>The architecture to compile for, "sm_90" or "compute_90"; else that of device 0, or compute_75 if no
    /// driver is found.</summary>
    public string Arch { get; set; }

    /// <summary>Whether to generate code that is linked separately.</summary>
    public bool? RelocatableDeviceCode { get; set; }

    /// <summary>Whether single-precision denormals are flushed to zero.</summary>
    public bool? Ftz { get; set; }

    /// <summary>Whether single-precision square roots are rounded correctly.</summary>
    public bool? PrecSqrt { get; set; }

    /// <summary>Whether single-precision divisions are rounded correctly.</summary>
    public bool? PrecDiv { get; set; }

    /// <summary>Whether multiplications and additions are contracted.</summary>
    public bool? Fma { get; set; }

    /// <summary>Generates debug information.</summary>
    public bool Debug { get; set; }

    /// <summary>Whether to optimise, also where there is debug information.</summary>
    public bool? DeviceCodeOptimize { get; set; }

    /// <summary>Neither Cuprum nor the compiler keeps the result.</summary>
    public bool NoCache { get; set; }

    /// <summary>Links libdevice, CUDA's library of mathematical functions, to NVVM IR.</summary>
    public bool UseLibdevice { get; set; }

    /// <summary>Modules of NVVM IR, text or bitcode by name, that are compiled with the program as one.</summary>
    public IList<KeyValuePair<string, byte[]>> ExtraSources { get; }

    /// <summary>Generates line numbers.</summary>
    public bool Lineinfo { get; set; }

    /// <summary>Uses fast, less exact mathematics.</summary>
    public bool UseFastMath { get; set; }

    /// <summary>Vectorises more.</summary>
    public bool ExtraDeviceVectorization { get; set; }

    /// <summary>Prepares for link-time optimisation.</summary>
    public bool LinkTimeOptimization { get; set; }

    /// <summary>Suppresses all warnings.</summary>
    public bool DisableWarnings { get; set; }

    /// <summary>Treats all kernel pointers as restrict pointers.</summary>
    public bool Restrict { get; set; }

    /// <summary>Treats functions without an execution space as device functions.</summary>
    public bool DeviceAsDefaultExecutionSpace { get; set; }

    /// <summary>Allows __int128.</summary>
    public bool DeviceInt128 { get; set; }

    /// <summary>Limits the registers of each thread.</summary>
    public int? MaxRegisterCount { get; set; }

    /// <summary>The C++ standard, such as "c++20"; else c++17.</summary>
    public string Std { get; set; }

    /// <summary>Macros to define; null for a macro without a value.</summary>
    public IList<KeyValuePair<string, string>> DefineMacro { get; }

    /// <summary>Macros to undefine.</summary>
    public IList<string> UndefineMacro { get; }

    /// <summary>Header folders, before the toolkit's own, which are always added.</summary>
    public IList<string> IncludePath { get; }

    /// <summary>Headers to include before the text.</summary>
    public IList<string> PreInclude { get; }

    /// <summary>Diagnostics that become errors.</summary>
    public IList<int> DiagError { get; }

    /// <summary>Diagnostics to suppress.</summary>
    public IList<int> DiagSuppress { get; }

    /// <summary>Diagnostics that become warnings.</summary>
    public IList<int> DiagWarn { get; }

    /// <summary>The compiler's own options, NVRTC's or libNVVM's, passed on as they are after all others.</summary>
    public IList<string> ExtraOptions { get; }

    internal string[] ToCompilerOptions() {
        var options = new List<string>();
        if (!string.IsNullOrEmpty(Arch)) {
            options.Add("--gpu-architecture=" + Arch);
        }
        AddChoice(options, "--relocatable-device-code", RelocatableDeviceCode);
        AddChoice(options, "--ftz", Ftz);
        AddChoice(options, "--prec-sqrt", PrecSqrt);
        AddChoice(options, "--prec-div", PrecDiv);
        AddChoice(options, "--fmad", Fma);
        AddFlag(options, "--device-debug", Debug);
        AddFlag(options, "--generate-line-info", Lineinfo);
        AddFlag(options, "--use_fast_math", UseFastMath);
        AddFlag(options, "--extra-device-vectorization", ExtraDeviceVectorization);
        AddFlag(options, "--dlink-time-opt", LinkTimeOptimization);
        AddFlag(options, "--disable-warnings", DisableWarnings);
        AddFlag(options, "--restrict", Restrict);
        AddFlag(options, "--device-as-default-execution-space", DeviceAsDefaultExecutionSpace);
        AddFlag(options, "--device-int128", DeviceInt128);
        AddFlag(options, "--no-cache", NoCache);
        AddFlag(options, "--use-libdevice", UseLibdevice);
        if (DeviceCodeOptimize.HasValue) {
            options.Add(DeviceCodeOptimize.Value ? "--dopt=on" : "--dopt=off");
        }
        if (MaxRegisterCount.HasValue) {
            options.Add("--maxrregcount=" + MaxRegisterCount.Value);
        }
        if (!string.IsNullOrEmpty(Std)) {
            options.Add("--std=" + Std);
        }
        foreach (KeyValuePair<string, string> macro in DefineMacro) {
            options.Add("--define-macro=" + macro.Key + (macro.Value == null ? "" : "=" + macro.Value));
        }
        AddAll(options, "--undefine-macro=", UndefineMacro);
        AddAll(options, "--include-path=", IncludePath);
        AddAll(options, "--pre-include=", PreInclude);
        AddAll(options, "--diag-error=", DiagError);
        AddAll(options, "--diag-suppress=", DiagSuppress);
        AddAll(options, "--diag-warn=", DiagWarn);
        options.AddRange(ExtraOptions);
        return options.ToArray();
    }

    private static void AddChoice(List<string> options, string option, bool? choice) {
        if (choice.HasValue) {
            options.Add(option + (choice.Value ? "=true" : "=false"));
        }
    }

    private static void AddFlag(List<string> options, string option, bool enabled) {
        if (enabled) {
            options.Add(option);
        }
    }

    private static void AddAll<T>(List<string> options, string option, IEnumerable<T> values) {
        foreach (T value in values) {
            options.Add(option + value);
        }
    }
}

}
