extern "C" __global__ void shuffles(int* out) { int t = threadIdx.x; int v = t * 3 + 1; out[t] = __shfl_down_sync(~0u, v, 4); out[32+t] = __shfl_xor_sync(~0u, v, 5); out[64+t] = __shfl_up_sync(~0u, v, 2, 8); out[96+t] = __shfl_sync(~0u, v, 7, 16);
  out[128+t] = __ballot_sync(~0u, t % 3 == 0); out[160+t] = __match_any_sync(~0u, t / 5); out[192+t] = __reduce_add_sync(~0u, v); out[224+t] = __any_sync(~0u, t == 40) * 2 + __all_sync(~0u, t < 32); int p; out[256+t] = __match_all_sync(~0u, 7, &p) + p; out[288+t]=__activemask(); }
extern "C" __global__ void divergent_sync(int* out) { int t = threadIdx.x; int v = t; if (t & 1) { v = __shfl_xor_sync(0xaaaaaaaa, v, 2); v += 100; } else { v = __shfl_xor_sync(0x55555555, v, 2); v += 200; } __syncwarp(); out[t] = v; }
extern "C" __global__ void tiles(int* out) { int t = threadIdx.x; unsigned mask = 0xffu << (t & 24); int v = t; for (int d = 4; d; d >>= 1) v += __shfl_xor_sync(mask, v, d); out[t] = v; }
extern "C" __global__ void histogram(const unsigned* in, unsigned* bins, int n) { __shared__ unsigned h[64]; if (threadIdx.x < 64) h[threadIdx.x] = 0; __syncthreads(); for (int i = blockIdx.x*blockDim.x+threadIdx.x; i < n; i += gridDim.x*blockDim.x) atomicAdd(&h[in[i] & 63], 1u); __syncthreads(); if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], h[threadIdx.x]); }
extern "C" __global__ void atomics(int* a, float* f, unsigned long long* u, double* d) { int t = blockIdx.x*blockDim.x+threadIdx.x; atomicAdd(a, 1); atomicMin(a+1, -t); atomicMax(a+2, t); atomicOr(a+3, 1 << (t & 31)); atomicExch(a+4, 7); atomicInc((unsigned*)a+5, 9); atomicCAS(a+6, 0, 5); atomicAdd(f, 0.5f); atomicMax(u, (unsigned long long)t << 33); atomicAdd(d, 0.25); atomicXor(a+7, t); atomicAnd(a+8, ~(1<<(t&31))); atomicDec((unsigned*)a+9, 100); atomicSub(a+10, 2); }
extern "C" __global__ void spinlock(int* lock, int* counter) { bool done = false; while (!done) { if (atomicCAS(lock, 0, 1) == 0) { *(volatile int*)counter += 1; __threadfence(); atomicExch(lock, 0); done = true; } } }
extern "C" __global__ void hard_spinlock(int* lock, int* counter) { while (atomicCAS(lock, 0, 1) != 0) {} *(volatile int*)counter += 1; __threadfence(); atomicExch(lock, 0); }
extern "C" __global__ void producer_consumer(int* out) { __shared__ volatile int flag; __shared__ volatile int value; if (threadIdx.x == 0) flag = 0; __syncthreads(); if (threadIdx.x == 0) { while (flag == 0) {} out[0] = value; } if (threadIdx.x == 96) { value = 42; __threadfence_block(); flag = 1; } }
extern "C" __global__ void hello(const char* unused, int n) { if (threadIdx.x < n) printf("thread %d of %s: %5.2f %lld %c %%\n", threadIdx.x, "block", threadIdx.x * 1.5, 1234567890123ll, 'x'); }
extern "C" __global__ void asserts(int n) { assert(threadIdx.x < n); }
extern "C" __global__ void traps() { if (threadIdx.x == 3) __trap(); }
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" __global__ void recursion(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x % 12); }
typedef int (*op)(int, int); __device__ __noinline__ int plus_(int a, int b) { return a + b; } __device__ __noinline__ int times_(int a, int b) { return a * b; } __device__ __noinline__ int minus_(int a, int b) { return a - b; }
__device__ op table[3] = {plus_, times_, minus_};
extern "C" __global__ void indirect(int* out) { out[threadIdx.x] = table[threadIdx.x % 3](threadIdx.x, 7); }
struct Big { int v[40]; float f; };
extern "C" __global__ void by_value(Big b, int* out, int k) { out[threadIdx.x] = b.v[(threadIdx.x + k) % 40] + (int)b.f; }
extern "C" __global__ void switches(const int* in, int* out) { int t = threadIdx.x; int r; switch (in[t]) { case 0: r = 5; break; case 1: r = t * 2; break; case 2: r = t * t; break; case 3: r = -t; break; case 4: r = 77; break; case 5: r = t ^ 3; break; case 6: r = t << 2; break; case 7: r = 1000 / (t + 1); break; default: r = -1; } out[t] = r; }
__constant__ int coefficients[4] = {1, 20, 300, 4000}; __device__ int accumulated = 5;
extern "C" __global__ void constants(int* out) { out[threadIdx.x] = coefficients[threadIdx.x & 3] + accumulated; }
extern "C" __global__ void votes(const int* in, int* out) { int t = threadIdx.x; out[t] = __syncthreads_count(in[t]) * 100 + __syncthreads_or(in[t] > 5) * 10 + __syncthreads_and(in[t] < 3); }
extern "C" __global__ void bits(const unsigned* in, unsigned* out) { int t = threadIdx.x; unsigned x = in[t]; out[t*8] = __popc(x); out[t*8+1] = __clz(x); out[t*8+2] = __brev(x); out[t*8+3] = __ffs(x); out[t*8+4] = __byte_perm(x, ~x, 0x5140); out[t*8+5] = __funnelshift_l(x, ~x, t); out[t*8+6] = __dp4a((int)x, (int)~x, t); out[t*8+7] = __umulhi(x, x) + __mul24(x, 3); }
extern "C" __global__ void out_of_bounds(int* p, int i) { p[threadIdx.x + i] = 1; }
extern "C" __global__ void shared_overflow(int i) { extern __shared__ int s[]; s[threadIdx.x + i] = 1; __syncthreads(); if (s[0] == 12345) __trap(); }
extern "C" __global__ void misaligned(char* p) { *(int*)(p + 2) = 1; }
extern "C" __global__ void deadlocks(int n) { if (threadIdx.x < n) { __syncthreads(); } else { while (true) { __nanosleep(10); __syncwarp(); asm volatile("barrier.sync 1;"); } } }
