using C = Cuprum.Native.CuprumNative;

namespace Cuprum {

/// <summary>What kind of failure it was. The numbers are those of the C ABI.</summary>
public enum Status {
    /// <summary>The call succeeded.</summary>
    Success = C.CUPRUM_SUCCESS,
    /// <summary>A value that the call does not accept. The call had no effect.</summary>
    InvalidArgument = C.CUPRUM_ERROR_INVALID_ARGUMENT,
    /// <summary>A handle that was never valid, or whose object has been destroyed.</summary>
    InvalidHandle = C.CUPRUM_ERROR_INVALID_HANDLE,
    /// <summary>An object that is closed, or in the wrong state for the call.</summary>
    InvalidState = C.CUPRUM_ERROR_INVALID_STATE,
    /// <summary>Host or device memory is exhausted.</summary>
    OutOfMemory = C.CUPRUM_ERROR_OUT_OF_MEMORY,
    /// <summary>A library that was not found.</summary>
    LibraryNotFound = C.CUPRUM_ERROR_LIBRARY_NOT_FOUND,
    /// <summary>A header folder that was not found.</summary>
    HeaderNotFound = C.CUPRUM_ERROR_HEADER_NOT_FOUND,
    /// <summary>A function that the library in use does not have.</summary>
    SymbolNotFound = C.CUPRUM_ERROR_SYMBOL_NOT_FOUND,
    /// <summary>A CUDA driver call that failed.</summary>
    Driver = C.CUPRUM_ERROR_DRIVER,
    /// <summary>An NVRTC call that failed for a reason other than an error in the source.</summary>
    Nvrtc = C.CUPRUM_ERROR_NVRTC,
    /// <summary>An nvJitLink call that failed.</summary>
    NvJitLink = C.CUPRUM_ERROR_NVJITLINK,
    /// <summary>A program that does not compile.</summary>
    Compile = C.CUPRUM_ERROR_COMPILE,
    /// <summary>A kernel name that the compiled program does not have.</summary>
    KernelNotFound = C.CUPRUM_ERROR_KERNEL_NOT_FOUND,
    /// <summary>Kernel arguments that do not fit the kernel's parameters.</summary>
    ArgumentMismatch = C.CUPRUM_ERROR_ARGUMENT_MISMATCH,
    /// <summary>A fault on the device, such as an illegal address.</summary>
    DeviceFault = C.CUPRUM_ERROR_DEVICE_FAULT,
    /// <summary>Something that this driver, device, toolkit or build cannot do.</summary>
    Unsupported = C.CUPRUM_ERROR_UNSUPPORTED,
    /// <summary>Something that has not happened yet.</summary>
    NotReady = C.CUPRUM_ERROR_NOT_READY,
    /// <summary>A libNVVM call that failed for a reason other than an error in the NVVM IR.</summary>
    Nvvm = C.CUPRUM_ERROR_NVVM,
    /// <summary>A bug in Cuprum.</summary>
    Internal = C.CUPRUM_ERROR_INTERNAL,
}

/// <summary>The library that <see cref="CuprumException.Code"/> comes from.</summary>
public enum ErrorDomain {
    /// <summary>Cuprum itself.</summary>
    Cuprum = C.CUPRUM_DOMAIN_CUPRUM,
    /// <summary>The CUDA driver: a CUresult.</summary>
    Driver = C.CUPRUM_DOMAIN_DRIVER,
    /// <summary>The CUDA runtime: a cudaError_t.</summary>
    Runtime = C.CUPRUM_DOMAIN_RUNTIME,
    /// <summary>NVRTC: an nvrtcResult.</summary>
    Nvrtc = C.CUPRUM_DOMAIN_NVRTC,
    /// <summary>nvJitLink: an nvJitLinkResult.</summary>
    NvJitLink = C.CUPRUM_DOMAIN_NVJITLINK,
    /// <summary>The search for the toolkit.</summary>
    Pathfinder = C.CUPRUM_DOMAIN_PATHFINDER,
    /// <summary>libNVVM: an nvvmResult.</summary>
    Nvvm = C.CUPRUM_DOMAIN_NVVM,
    /// <summary>NVML: an nvmlReturn_t.</summary>
    Nvml = C.CUPRUM_DOMAIN_NVML,
    /// <summary>NCCL: an ncclResult_t.</summary>
    Nccl = C.CUPRUM_DOMAIN_NCCL,
}

}
