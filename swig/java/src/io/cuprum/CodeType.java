package io.cuprum;

import io.cuprum.internal.CuprumNativeConstants;

/** The form of compiled code. */
public enum CodeType {
    /** Only as a target: what the device loads directly, a cubin for a GPU and PTX for the simulator. */
    NATIVE(CuprumNativeConstants.CUPRUM_CODE_NATIVE),
    /** PTX text, for any device of the same or a later architecture. */
    PTX(CuprumNativeConstants.CUPRUM_CODE_PTX),
    /** Machine code of one architecture. */
    CUBIN(CuprumNativeConstants.CUPRUM_CODE_CUBIN),
    /** Input of the link-time optimiser: a {@link Linker} turns it into code that a device loads. */
    LTOIR(CuprumNativeConstants.CUPRUM_CODE_LTOIR),
    /** Code for several architectures. */
    FATBIN(CuprumNativeConstants.CUPRUM_CODE_FATBIN),
    /** An object file, as nvcc writes it: input of a {@link Linker}. */
    OBJECT(CuprumNativeConstants.CUPRUM_CODE_OBJECT),
    /** A library of object files: input of a {@link Linker}, which takes from it what other inputs use. */
    LIBRARY(CuprumNativeConstants.CUPRUM_CODE_LIBRARY);

    final int value;

    CodeType(int value) {
        this.value = value;
    }

    static CodeType of(int value) {
        for (CodeType type : values()) {
            if (type.value == value) {
                return type;
            }
        }
        throw new AssertionError("code type " + value);
    }
}
