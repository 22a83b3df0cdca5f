package io.cuprum;

import io.cuprum.internal.CuprumNativeConstants;

/** What a kernel's parameter is. */
public enum ArgumentKind {
    /** Unknown; also a class, and an enumeration known only by its name. */
    UNKNOWN(CuprumNativeConstants.CUPRUM_PARAMETER_UNKNOWN),
    /** A bool. */
    BOOLEAN(CuprumNativeConstants.CUPRUM_PARAMETER_BOOLEAN),
    /** An integer of any size. */
    INTEGER(CuprumNativeConstants.CUPRUM_PARAMETER_INTEGER),
    /** A half, float or double, depending on the size. */
    FLOATING_POINT(CuprumNativeConstants.CUPRUM_PARAMETER_FLOATING_POINT),
    /** A bfloat16. */
    BFLOAT16(CuprumNativeConstants.CUPRUM_PARAMETER_BFLOAT16),
    /** A pointer. */
    POINTER(CuprumNativeConstants.CUPRUM_PARAMETER_POINTER),
    /** A pointer or an integer: PTX often says no more about a parameter of 8 bytes. */
    INTEGER_OR_POINTER(CuprumNativeConstants.CUPRUM_PARAMETER_INTEGER_OR_POINTER);

    private final int number;

    ArgumentKind(int number) {
        this.number = number;
    }

    static ArgumentKind of(int number) {
        for (ArgumentKind kind : values()) {
            if (kind.number == number) {
                return kind;
            }
        }
        return UNKNOWN;
    }
}
