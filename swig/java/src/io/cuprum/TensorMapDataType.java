package io.cuprum;

/** What an element of a tensor is. The order of the constants is the driver's (CUtensorMapDataType). */
public enum TensorMapDataType {
    /** An unsigned integer of 8 bits. */
    UINT8,
    /** An unsigned integer of 16 bits. */
    UINT16,
    /** An unsigned integer of 32 bits. */
    UINT32,
    /** An integer of 32 bits. */
    INT32,
    /** An unsigned integer of 64 bits. */
    UINT64,
    /** An integer of 64 bits. */
    INT64,
    /** A float of 16 bits. */
    FLOAT16,
    /** A float of 32 bits. */
    FLOAT32,
    /** A float of 64 bits. */
    FLOAT64,
    /** A bfloat16. */
    BFLOAT16,
    /** A float of 32 bits; subnormal numbers become zero. */
    FLOAT32_FTZ,
    /** A TF32. */
    TFLOAT32,
    /** A TF32; subnormal numbers become zero. */
    TFLOAT32_FTZ
}
