package io.cuprum;

/** What one channel of an array's elements is. */
public enum ArrayFormat {
    /** An unsigned integer of 8 bits. */
    UINT8,
    /** An unsigned integer of 16 bits. */
    UINT16,
    /** An unsigned integer of 32 bits. */
    UINT32,
    /** A signed integer of 8 bits. */
    INT8,
    /** A signed integer of 16 bits. */
    INT16,
    /** A signed integer of 32 bits. */
    INT32,
    /** A float of 16 bits. */
    FLOAT16,
    /** A float of 32 bits. */
    FLOAT32
}
