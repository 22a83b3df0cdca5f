// One kernel per kind of fault. faults.ptx is made of this with
//     nvcc -ptx -rdc=true -lineinfo -arch=compute_80 -o faults.ptx faults.cu
// and the folders taken out of its .file directives.
// The test finds the source line that a report must name by its comment, "fault: KERNEL". The thread at fault is 37 of
// block 2, where a fault is one thread's.
#include <cassert>

#define KERNEL extern "C" __global__ void

__device__ bool chosen() { return blockIdx.x == 2 && threadIdx.x == 37; }

__constant__ int table[4] = {10, 20, 30, 40};

// --- addresses ---

KERNEL write_past_the_end(int* p, long long i) {
    if (chosen()) p[i] = 1;  // fault: write_past_the_end
}

KERNEL read_past_the_end(int* p, long long i) {
    if (chosen()) p[0] = p[i];  // fault: read_past_the_end
}

KERNEL add_past_the_end(int* p, long long i) {
    if (chosen()) asm volatile("red.global.add.u32 [%0], 1;" ::"l"(p + i));  // fault: add_past_the_end
}

KERNEL read_freed(int* p, long long i) {
    if (chosen()) p[i] = p[i] + 1;  // fault: read_freed
}

KERNEL past_shared(int* p, long long i) {
    __shared__ int words[4];
    words[threadIdx.x % 4] = 7;
    __syncthreads();
    if (chosen()) p[0] = words[i];  // fault: past_shared
}

KERNEL past_local(int* p, long long i) {
    int words[4];
    for (int k = 0; k < 4; ++k) words[k] = p[k];
    if (chosen()) p[0] = words[i];  // fault: past_local
}

KERNEL past_constant(int* p, long long i) {
    if (chosen()) p[0] = table[i];  // fault: past_constant
}

KERNEL write_constant(int*, long long i) {
    int* const word = const_cast<int*>(table) + i;
    if (chosen()) asm volatile("st.u32 [%0], 1;" ::"l"(word));  // fault: write_constant
}

KERNEL misaligned_global(int* p, long long i) {
    if (chosen()) *reinterpret_cast<int*>(reinterpret_cast<char*>(p) + i) = 1;  // fault: misaligned_global
}

KERNEL misaligned_shared(int*, long long i) {
    __shared__ int words[64];
    volatile char* const bytes = reinterpret_cast<char*>(words);
    bytes[threadIdx.x] = 0;
    __syncthreads();
    if (chosen()) *reinterpret_cast<volatile int*>(bytes + i) = 1;  // fault: misaligned_shared
}

KERNEL misaligned_local(int* p, long long i) {
    int words[4];
    for (int k = 0; k < 4; ++k) words[k] = p[k];
    if (chosen()) p[0] = *reinterpret_cast<volatile int*>(reinterpret_cast<char*>(words) + i);  // fault: misaligned_local
}

// Atomic operations are not for local memory.
KERNEL add_to_local(int* p, long long i) {
    int words[4];
    for (int k = 0; k < 4; ++k) words[k] = p[k];
    unsigned sum = 0;
    if (chosen()) asm volatile("atom.add.u32 %0, [%1], 1;" : "=r"(sum) : "l"(words + i) : "memory");  // fault: add_to_local
    p[0] = static_cast<int>(sum) + words[i];
}

// --- execution ---

KERNEL fail_assertion(int*, long long i) {
    if (chosen()) assert(i == 1);  // fault: fail_assertion
}

KERNEL stop(int*, long long) {
    if (chosen()) __trap();  // fault: stop
}

KERNEL stop_at_breakpoint(int*, long long) {
    if (chosen()) asm volatile("brkpt;");  // fault: stop_at_breakpoint
}

KERNEL call_no_function(int* p, long long i) {
    const auto pointer = reinterpret_cast<int (*)(int)>(i);
    if (chosen()) p[0] = pointer(1);  // fault: call_no_function
}

__device__ __noinline__ long long descend(int* p, long long depth) {
    volatile int words[64];
    words[depth % 64] = p[0];
    if (depth == 0) return words[0];
    return descend(p, depth - 1) + words[depth % 64];  // fault: overflow_the_stack
}

KERNEL overflow_the_stack(int* p, long long i) {
    if (chosen()) p[0] = static_cast<int>(descend(p, i));
}

// --- the kernels' heap ---

KERNEL free_twice(int* p, long long) {
    if (!chosen()) return;
    char* const memory = static_cast<char*>(malloc(16));
    p[0] = *memory = 1;
    free(memory);
    free(memory);  // fault: free_twice
}

KERNEL read_freed_heap(int* p, long long) {
    if (!chosen()) return;
    volatile char* const memory = static_cast<char*>(malloc(16));
    memory[4] = 1;
    free(const_cast<char*>(memory));
    p[0] = memory[4];  // fault: read_freed_heap
}

// --- what no GPU tells ---

KERNEL unwritten_address(int* p, long long) {
    if (!chosen()) return;
    asm volatile("{ .reg .b64 never; st.global.u32 [never], 1; }");  // fault: unwritten_address
}

KERNEL unwritten_branch(int* p, long long) {
    if (!chosen()) return;
    asm volatile("{ .reg .pred never; @never bra L; st.global.u32 [%0], 1; L: }" ::"l"(p));  // fault: unwritten_branch
}

KERNEL unwritten_guard(int* p, long long) {
    if (!chosen()) return;
    asm volatile("{ .reg .pred never; @never st.global.u32 [%0], 1; }" ::"l"(p));  // fault: unwritten_guard
}

KERNEL unwritten_sum(int* p, long long) {
    if (!chosen()) return;
    int sum;
    asm volatile("{ .reg .b32 never; add.u32 %0, never, 1; }" : "=r"(sum));
    p[0] = sum;  // fault: unwritten_sum
}

KERNEL unwritten_global(int* p, long long i) {
    if (chosen()) p[0] = p[i];  // fault: unwritten_global
}

KERNEL unwritten_shared(int* p, long long) {
    __shared__ int words[64];
    if (!chosen()) words[threadIdx.x] = 1;
    __syncthreads();
    if (chosen()) p[0] = words[threadIdx.x];  // fault: unwritten_shared
}

KERNEL unwritten_local(int* p, long long i) {
    volatile int words[4];
    words[i] = p[0];
    if (chosen()) p[0] = words[i + 1];  // fault: unwritten_local
}

KERNEL race(int* p, long long) {
    __shared__ int words[64];
    words[threadIdx.x] = p[0];
    if (chosen()) p[0] = words[0];  // fault: race
}

KERNEL diverging_barrier(int* p, long long) {
    if (blockIdx.x != 2) return;
    if (threadIdx.x == 37) {
        asm volatile("bar.sync 0;" ::: "memory");  // fault: diverging_barrier
        p[1] = 1;
    } else {
        p[0] = 1;
        asm volatile("bar.sync 0;" ::: "memory");
    }
}

KERNEL different_counts(int* p, long long) {
    if (blockIdx.x != 2) return;
    if (threadIdx.x < 32) {
        asm volatile("bar.sync 1;" ::: "memory");
        p[1] = 1;
    } else {
        p[0] = 1;
        asm volatile("bar.sync 1, 64;" ::: "memory");  // fault: different_counts
    }
}

// The first warp waits for the second one, which is gone.
KERNEL wait_in_vain(int*, long long) {
    if (blockIdx.x != 2) return;
    if (threadIdx.x < 32) asm volatile("bar.sync 3, 64;" ::: "memory");  // fault: wait_in_vain
}

// The lanes of a warp wait for each other, at instructions that do different things.
KERNEL exchange_in_vain(int* p, long long) {
    if (blockIdx.x != 2) return;
    int other = 0;
    if (threadIdx.x == 37) {
        asm volatile("shfl.sync.down.b32 %0, %0, 1, 31, -1;" : "+r"(other));
        p[0] = other;
    } else {
        asm volatile("shfl.sync.up.b32 %0, %0, 1, 0, -1;" : "+r"(other));  // fault: exchange_in_vain
        p[1] = other;
    }
}

KERNEL uninitialised_mbarrier(int* p, long long) {
    __shared__ long long barrier;
    const unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
    if (!chosen()) return;
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(address));  // fault: uninitialised_mbarrier
}
