package io.cuprum;

/** How a device function that was compiled elsewhere takes its operands, of types A and B, and gives its result, an R. */
public enum Passing {
    /** {@code void f(void* a, void* b, void* result)}; with a state {@code void f(void* state, void* a, ...)}. */
    POINTERS,
    /** {@code R f(A a, B b)}; has no state. */
    VALUES
}
