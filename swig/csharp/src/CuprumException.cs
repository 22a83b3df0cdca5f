using System;

namespace Cuprum {

/// <summary>What one failure says; no text is null.</summary>
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

    /// <summary>Whose code <see cref="Code"/> is.</summary>
    public ErrorDomain Domain { get { return details.Domain; } }

    /// <summary>The domain's own code, for example the CUresult; 0 where there is none.</summary>
    public int Code { get { return details.Code; } }

    /// <summary>The code's name, such as "CUDA_ERROR_INVALID_VALUE"; may be empty.</summary>
    public string Name { get { return details.Name; } }

    /// <summary>What was being done; may be empty.</summary>
    public string Operation { get { return details.Operation; } }

    /// <summary>To which object it was done; may be empty.</summary>
    public string Object { get { return details.Object; } }

    /// <summary>What was expected and what was given, or what the library itself said; may be empty.</summary>
    public string Detail { get { return details.Detail; } }

    /// <summary>What to do about it; may be empty.</summary>
    public string Advice { get { return details.Advice; } }

    /// <summary>A compile's log, with line numbers; empty for everything else.</summary>
    public string Log { get { return details.Log; } }
}

/// <summary>A value that the call does not take, such as a launch beyond the device's limits.</summary>
public sealed class InvalidArgumentException : CuprumException {
    internal InvalidArgumentException(ErrorDetails details) : base(details) {}
}

/// <summary>A native handle that is none, or no longer one.</summary>
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

/// <summary>A fault on the device, such as an access out of bounds; Detail says what is known of it. On a GPU the
/// process can use that device no more.</summary>
public sealed class DeviceFaultException : DriverException {
    internal DeviceFaultException(ErrorDetails details) : base(details) {}
}

/// <summary>An NVRTC call that failed for another reason than the program's text; Code is the nvrtcResult.</summary>
public sealed class NvrtcException : CuprumException {
    internal NvrtcException(ErrorDetails details) : base(details) {}
}

/// <summary>An nvJitLink call that failed; Code is the nvJitLinkResult.</summary>
public sealed class NvJitLinkException : CuprumException {
    internal NvJitLinkException(ErrorDetails details) : base(details) {}
}

/// <summary>A program that does not compile; Log is what the compiler said.</summary>
public sealed class CompileException : CuprumException {
    internal CompileException(ErrorDetails details) : base(details) {}
}

/// <summary>A kernel name that the compiled program does not have; Detail names those that it has.</summary>
public sealed class KernelNotFoundException : CuprumException {
    internal KernelNotFoundException(ErrorDetails details) : base(details) {}
}

/// <summary>Kernel arguments that do not fit the kernel's parameters; Detail names the position, what the parameter
/// takes and what it was given.</summary>
public sealed class ArgumentMismatchException : CuprumException {
    internal ArgumentMismatchException(ErrorDetails details) : base(details) {}
}

/// <summary>Something that this driver, device, toolkit or build cannot do.</summary>
public sealed class UnsupportedException : CuprumException {
    internal UnsupportedException(ErrorDetails details) : base(details) {}
}

/// <summary>Something that has not happened yet, such as an event that is still to come.</summary>
public sealed class NotReadyException : CuprumException {
    internal NotReadyException(ErrorDetails details) : base(details) {}
}

}
