package io.cuprum;

import io.cuprum.internal.CuprumNativeConstants;

/** What a kernel's parameter is. */
public enum ArgumentKind {
    /** Not known; also a class, and an enumeration that is known by its name alone. */
    UNKNOWN(CuprumNativeConstants.CUPRUM_PARAMETER_UNKNOWN),
    /** A bool. */
    BOOLEAN(CuprumNativeConstants.CUPRUM_PARAMETER_BOOLEAN),
    /** An integer of any size. */
    INTEGER(CuprumNativeConstants.CUPRUM_PARAMETER_INTEGER),
    /** half, float or double, by the size. */
    FLOATING_POINT(CuprumNativeConstants.CUPRUM_PARAMETER_FLOATING_POINT),
    /** A bfloat16. */
    BFLOAT16(CuprumNativeConstants.CUPRUM_PARAMETER_BFLOAT16),
    /** A pointer. */
    POINTER(CuprumNativeConstants.CUPRUM_PARAMETER_POINTER),
    /** One of the two: PTX often tells no more of a parameter of 8 bytes. */
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
