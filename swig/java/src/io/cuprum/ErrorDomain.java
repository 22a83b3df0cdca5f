package io.cuprum;

import io.cuprum.internal.CuprumNativeConstants;

/** The library that {@link CuprumException#code()} comes from. */
public enum ErrorDomain {
    /** Cuprum itself. */
    CUPRUM(CuprumNativeConstants.CUPRUM_DOMAIN_CUPRUM),
    /** The CUDA driver: a CUresult. */
    DRIVER(CuprumNativeConstants.CUPRUM_DOMAIN_DRIVER),
    /** The CUDA runtime: a cudaError_t. */
    RUNTIME(CuprumNativeConstants.CUPRUM_DOMAIN_RUNTIME),
    /** NVRTC: an nvrtcResult. */
    NVRTC(CuprumNativeConstants.CUPRUM_DOMAIN_NVRTC),
    /** nvJitLink: an nvJitLinkResult. */
    NVJITLINK(CuprumNativeConstants.CUPRUM_DOMAIN_NVJITLINK),
    /** The search for the toolkit. */
    PATHFINDER(CuprumNativeConstants.CUPRUM_DOMAIN_PATHFINDER),
    /** libNVVM: an nvvmResult. */
    NVVM(CuprumNativeConstants.CUPRUM_DOMAIN_NVVM),
    /** NVML: an nvmlReturn_t. */
    NVML(CuprumNativeConstants.CUPRUM_DOMAIN_NVML),
    /** NCCL: an ncclResult_t. */
    NCCL(CuprumNativeConstants.CUPRUM_DOMAIN_NCCL);

    private final int value;

    ErrorDomain(int value) {
        this.value = value;
    }

    /** CUPRUM for any other number. */
    static ErrorDomain of(int value) {
        for (ErrorDomain domain : values()) {
            if (domain.value == value) {
                return domain;
            }
        }
        return CUPRUM;
    }
}
