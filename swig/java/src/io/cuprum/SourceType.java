package io.cuprum;

import io.cuprum.internal.CuprumNativeConstants;

/** The language of a {@link Program}'s text. */
public enum SourceType {
    /** CUDA C++. */
    CXX(CuprumNativeConstants.CUPRUM_SOURCE_CXX),
    /** PTX, NVIDIA's portable assembly language. */
    PTX(CuprumNativeConstants.CUPRUM_SOURCE_PTX),
    /** NVVM IR, which libNVVM compiles. */
    NVVM(CuprumNativeConstants.CUPRUM_SOURCE_NVVM);

    final int value;

    SourceType(int value) {
        this.value = value;
    }
}
