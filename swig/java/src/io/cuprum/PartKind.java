package io.cuprum;

/** The kinds of part that {@link Pathfinder} finds. */
public enum PartKind {
    /** A shared library, such as "nvrtc". */
    DYNAMIC_LIBRARY(0),
    /** A folder to include from, such as that of "cudart" or "cccl". */
    HEADERS(1),
    /** LLVM bitcode, such as "device" (libdevice). */
    BITCODE_LIBRARY(2),
    /** A static library, such as "cudadevrt". */
    STATIC_LIBRARY(3),
    /** A program, such as "nvcc". */
    BINARY_UTILITY(4);

    private final int number;

    PartKind(int number) {
        this.number = number;
    }

    /** The C ABI's number. */
    int number() {
        return number;
    }
}
