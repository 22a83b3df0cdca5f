using Cuprum.Native;

namespace Cuprum {

/// <summary>Makes the exceptions.</summary>
internal static class Errors {
    /// <summary>Throws the exception for this thread's failed call; does nothing for success.</summary>
    public static void Check(int status) {
        if (status != 0) {
            throw Last((Status)status);
        }
    }

    /// <summary><paramref name="owner"/> was used after it had been closed.</summary>
    public static CuprumException Closed(object owner, string operation) {
        return Make(Status.InvalidState, "CUPRUM_ERROR_INVALID_STATE", operation, owner, "it is closed",
                    "use it before Dispose, or inside its using block");
    }

    /// <summary>A buffer that cannot move, since its memory is viewed.</summary>
    public static CuprumException Viewed(object owner, string operation) {
        return Make(Status.InvalidState, "CUPRUM_ERROR_INVALID_STATE", operation, owner,
                    "it is viewed as host memory, and may get another address", "dispose of its views first");
    }

    /// <summary>A value that does not fit <paramref name="owner"/>.</summary>
    public static CuprumException InvalidArgument(object owner, string operation, string detail) {
        return Make(Status.InvalidArgument, "CUPRUM_ERROR_INVALID_ARGUMENT", operation, owner, detail, "");
    }

    private static CuprumException Make(Status status, string name, string operation, object owner, string detail,
                                        string advice) {
        ErrorDetails details = new ErrorDetails();
        details.Status = status;
        details.Domain = ErrorDomain.Cuprum;
        details.Name = name;
        details.Operation = operation;
        details.Object = owner.ToString();
        details.Detail = detail;
        details.Advice = advice;
        details.Log = "";
        details.Message = operation + " (" + details.Object + "): " + detail + (advice == "" ? "" : "\n" + advice);
        return Of(details);
    }

    private static CuprumException Last(Status status) {
        int domain;
        ErrorDetails details = new ErrorDetails();
        CuprumNative.cuprum_csharp_error(
            out domain, out details.Code, out details.Name, out details.Message, out details.Operation,
            out details.Object, out details.Detail, out details.Advice, out details.Log);
        details.Status = status;
        details.Domain = (ErrorDomain)domain;
        if (status == Status.Internal && details.Object == "memory resource of the program's") {
            UserMemory.ThrowAgain();    // what an allocator of the program's has thrown comes out as it is
        }
        return Of(details);
    }

    private static CuprumException Of(ErrorDetails details) {
        switch (details.Status) {
            case Status.InvalidArgument: return new InvalidArgumentException(details);
            case Status.InvalidHandle: return new InvalidHandleException(details);
            case Status.InvalidState: return new InvalidStateException(details);
            case Status.OutOfMemory: return new MemoryExhaustedException(details);
            case Status.LibraryNotFound:
            case Status.HeaderNotFound:
            case Status.SymbolNotFound: return new NotFoundException(details);
            case Status.Driver: return new DriverException(details);
            case Status.Nvrtc: return new NvrtcException(details);
            case Status.NvJitLink: return new NvJitLinkException(details);
            case Status.Nvvm: return new NvvmException(details);
            case Status.Compile: return new CompileException(details);
            case Status.KernelNotFound: return new KernelNotFoundException(details);
            case Status.ArgumentMismatch: return new ArgumentMismatchException(details);
            case Status.DeviceFault: return new DeviceFaultException(details);
            case Status.Unsupported: return new UnsupportedException(details);
            case Status.NotReady: return new NotReadyException(details);
            default: return new CuprumException(details);
        }
    }
}

}
