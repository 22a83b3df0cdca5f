package io.cuprum;

import io.cuprum.internal.CuprumNativeConstants;

/** What kind of failure it was. */
public enum Status {
    /** The call succeeded. */
    SUCCESS(CuprumNativeConstants.CUPRUM_SUCCESS),
    /** A value that the call does not accept. The call had no effect. */
    INVALID_ARGUMENT(CuprumNativeConstants.CUPRUM_ERROR_INVALID_ARGUMENT),
    /** A handle that was never valid, or whose object has been destroyed. */
    INVALID_HANDLE(CuprumNativeConstants.CUPRUM_ERROR_INVALID_HANDLE),
    /** An object that is closed, or in the wrong state for the call. */
    INVALID_STATE(CuprumNativeConstants.CUPRUM_ERROR_INVALID_STATE),
    /** Host or device memory is exhausted. */
    OUT_OF_MEMORY(CuprumNativeConstants.CUPRUM_ERROR_OUT_OF_MEMORY),
    /** A library that was not found. */
    LIBRARY_NOT_FOUND(CuprumNativeConstants.CUPRUM_ERROR_LIBRARY_NOT_FOUND),
    /** A header folder that was not found. */
    HEADER_NOT_FOUND(CuprumNativeConstants.CUPRUM_ERROR_HEADER_NOT_FOUND),
    /** A function that the library in use does not have. */
    SYMBOL_NOT_FOUND(CuprumNativeConstants.CUPRUM_ERROR_SYMBOL_NOT_FOUND),
    /** A CUDA driver call that failed. */
    DRIVER(CuprumNativeConstants.CUPRUM_ERROR_DRIVER),
    /** An NVRTC call that failed for a reason other than an error in the source. */
    NVRTC(CuprumNativeConstants.CUPRUM_ERROR_NVRTC),
    /** An nvJitLink call that failed. */
    NVJITLINK(CuprumNativeConstants.CUPRUM_ERROR_NVJITLINK),
    /** A program that does not compile. */
    COMPILE(CuprumNativeConstants.CUPRUM_ERROR_COMPILE),
    /** A kernel name that the compiled program does not have. */
    KERNEL_NOT_FOUND(CuprumNativeConstants.CUPRUM_ERROR_KERNEL_NOT_FOUND),
    /** Kernel arguments that do not fit the kernel's parameters. */
    ARGUMENT_MISMATCH(CuprumNativeConstants.CUPRUM_ERROR_ARGUMENT_MISMATCH),
    /** A fault on the device, such as an illegal address. */
    DEVICE_FAULT(CuprumNativeConstants.CUPRUM_ERROR_DEVICE_FAULT),
    /** Something that this driver, device, toolkit or build cannot do. */
    UNSUPPORTED(CuprumNativeConstants.CUPRUM_ERROR_UNSUPPORTED),
    /** Something that has not happened yet. */
    NOT_READY(CuprumNativeConstants.CUPRUM_ERROR_NOT_READY),
    /** A libNVVM call that failed for a reason other than an error in the NVVM IR. */
    NVVM(CuprumNativeConstants.CUPRUM_ERROR_NVVM),
    /** A bug in Cuprum. */
    INTERNAL(CuprumNativeConstants.CUPRUM_ERROR_INTERNAL);

    private final int value;

    Status(int value) {
        this.value = value;
    }

    /** {@return the number that the C ABI uses} */
    public int value() {
        return value;
    }

    /** INTERNAL for any other number. */
    static Status of(int value) {
        for (Status status : values()) {
            if (status.value == value) {
                return status;
            }
        }
        return INTERNAL;
    }
}
