using System;
using System.Collections.Generic;

namespace Cuprum {

/// <summary>The details of one failure; no text is null.</summary>
internal struct ErrorDetails {
    public Status Status;
    public ErrorDomain Domain;
    public int Code;
    public string Name, Message, Operation, Object, Detail, Advice, Log;
}

/// <summary>
/// The root of all exceptions that Cuprum throws. Its message is everything below in one readable text. A call that
/// throws has changed nothing.
/// </summary>
public class CuprumException : Exception {
    private readonly ErrorDetails details;

    internal CuprumException(ErrorDetails details) : base(details.Message) {
        this.details = details;
    }

    /// <summary>What kind of failure it was.</summary>
    public Status Status { get { return details.Status; } }

    /// <summary>The library that <see cref="Code"/> comes from.</summary>
    public ErrorDomain Domain { get { return details.Domain; } }

    /// <summary>The domain's own code, for example the CUresult; 0 if it has none.</summary>
    public int Code { get { return details.Code; } }

    /// <summary>The code's name, such as "CUDA_ERROR_INVALID_VALUE"; may be empty.</summary>
    public string Name { get { return details.Name; } }

    /// <summary>What was being done; may be empty.</summary>
    public string Operation { get { return details.Operation; } }

    /// <summary>The object that it was being done to; may be empty.</summary>
    public string Object { get { return details.Object; } }

    /// <summary>What was expected and what was given, or the library's own message; may be empty.</summary>
    public string Detail { get { return details.Detail; } }

    /// <summary>What to do about it; may be empty.</summary>
    public string Advice { get { return details.Advice; } }

    /// <summary>A compile's log, with line numbers; empty for everything else.</summary>
    public string Log { get { return details.Log; } }

    /// <summary>The diagnostics of the compiler or the linker, one by one; empty for everything else.</summary>
    public IReadOnlyList<Diagnostic> Diagnostics { get { return Diagnostic.Parse(details.Log); } }
}

/// <summary>A value that the call does not accept, such as a launch beyond the device's limits.</summary>
public sealed class InvalidArgumentException : CuprumException {
    internal InvalidArgumentException(ErrorDetails details) : base(details) {}
}

/// <summary>A handle that was never valid, or whose object has been destroyed.</summary>
public sealed class InvalidHandleException : CuprumException {
    internal InvalidHandleException(ErrorDetails details) : base(details) {}
}

/// <summary>An object that is closed, or in the wrong state for the call.</summary>
public sealed class InvalidStateException : CuprumException {
    internal InvalidStateException(ErrorDetails details) : base(details) {}
}

/// <summary>Host or device memory is exhausted.</summary>
public sealed class MemoryExhaustedException : CuprumException {
    internal MemoryExhaustedException(ErrorDetails details) : base(details) {}
}

/// <summary>
/// A library, a header folder or a function that was not found; Detail lists every place searched.
/// </summary>
public sealed class NotFoundException : CuprumException {
    internal NotFoundException(ErrorDetails details) : base(details) {}
}

/// <summary>A CUDA driver call that failed; Code is the CUresult.</summary>
public class DriverException : CuprumException {
    internal DriverException(ErrorDetails details) : base(details) {}
}

/// <summary>A fault on the device, such as an access out of bounds; Detail says what is known about it. On a GPU
/// the process can no longer use that device.</summary>
public sealed class DeviceFaultException : DriverException {
    internal DeviceFaultException(ErrorDetails details) : base(details) {}
}

/// <summary>An NVRTC call that failed for a reason other than an error in the source; Code is the
/// nvrtcResult.</summary>
public sealed class NvrtcException : CuprumException {
    internal NvrtcException(ErrorDetails details) : base(details) {}
}

/// <summary>An nvJitLink call that failed; Code is the nvJitLinkResult.</summary>
public sealed class NvJitLinkException : CuprumException {
    internal NvJitLinkException(ErrorDetails details) : base(details) {}
}

/// <summary>A libNVVM call that failed for a reason other than an error in the NVVM IR; Code is the nvvmResult.</summary>
public sealed class NvvmException : CuprumException {
    internal NvvmException(ErrorDetails details) : base(details) {}
}

/// <summary>A program that does not compile; Log has the compiler's messages.</summary>
public sealed class CompileException : CuprumException {
    internal CompileException(ErrorDetails details) : base(details) {}
}

/// <summary>A kernel name that the compiled program does not have; Detail names those that it has.</summary>
public sealed class KernelNotFoundException : CuprumException {
    internal KernelNotFoundException(ErrorDetails details) : base(details) {}
}

/// <summary>Kernel arguments that do not fit the kernel's parameters; Detail names the position, what the parameter
/// accepts and what was passed.</summary>
public sealed class ArgumentMismatchException : CuprumException {
    internal ArgumentMismatchException(ErrorDetails details) : base(details) {}
}

/// <summary>Something that this driver, device, toolkit or build cannot do.</summary>
public sealed class UnsupportedException : CuprumException {
    internal UnsupportedException(ErrorDetails details) : base(details) {}
}

/// <summary>Something that has not happened yet, such as an event that is not yet complete.</summary>
public sealed class NotReadyException : CuprumException {
    internal NotReadyException(ErrorDetails details) : base(details) {}
}

}
