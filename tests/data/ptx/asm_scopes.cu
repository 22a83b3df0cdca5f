// Inline assembly as libraries write it: blocks with registers of their own, several statements on a line, guards.
__device__ unsigned add_with_predicate(unsigned x, unsigned src, unsigned mask, unsigned offset) {
    unsigned sum;
    asm volatile("{  .reg .u32 r0;  .reg .pred p;  shfl.sync.up.b32 r0|p, %1, %2, 0, %3;  @p add.u32 r0, r0, %4;  mov.u32 %0, r0;}"
                 : "=r"(sum) : "r"(x), "r"(offset), "r"(mask), "r"(src));
    return sum;
}
__device__ unsigned ballot_bits(unsigned label) {
    unsigned mask = ~0u;
    for (int bit = 0; bit < 3; ++bit) {
        unsigned result;
        const unsigned current = 1u << bit;
        asm("{\n    .reg .pred %%p1;\n    and.b32 %0, %1, %2;    setp.ne.u32 %%p1, %0, 0;\n"
            "    vote.ballot.sync.b32 %0, %%p1, 0xffffffff;\n    @!%%p1 not.b32 %0, %0;\n}\n"
            : "=r"(result) : "r"(label), "r"(current));
        mask &= result;
    }
    return mask;
}
extern "C" __global__ void asm_scopes(unsigned* data) {
    const unsigned i = threadIdx.x;
    data[i] = add_with_predicate(data[i], i, 0xffffffffu, 1) + ballot_bits(data[i + 1]);
    asm volatile("{ .reg .b32 seen; .reg .pred done; WAIT: ld.volatile.global.u32 seen, [%0+4]; setp.ne.u32 done, seen, 0; @!done bra WAIT; }"
                 : : "l"(data) : "memory");
    asm volatile("{ .reg .b32 seen; .reg .pred done; WAIT: ld.volatile.global.u32 seen, [%0+-8]; setp.ne.u32 done, seen, 0; @done bra END; bra WAIT; END: }"
                 : : "l"(data) : "memory");
    unsigned high, low;
    asm("{ .reg .b64 wide; .reg .v2 .u32 pair; mul.wide.u32 wide, %2, %3; mov.b64 {pair.x, pair.y}, wide; mov.b64 {%0, _}, wide; mov.u32 %1, pair.y; }"
        : "=r"(low), "=r"(high) : "r"(i), "r"(0x10001u));
    data[i + 2] = high ^ low;
}
