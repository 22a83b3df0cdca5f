// The language: switches, recursion, virtual calls, function pointers, local arrays, wide and narrow vectors, bit fields,
// dynamic allocation, printf, assert, constant and shared memory, unaligned structures.
struct Shape {
    __device__ virtual float area() const = 0;
};
struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};
struct Circle : Shape {
    float radius;
    __device__ explicit Circle(float r) : radius(r) {}
    __device__ float area() const override { return 3.14159f * radius * radius; }
};

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int square(int x) { return x * x; }
typedef int (*Function)(int);
__device__ Function table[] = {twice, square, fibonacci};
__constant__ int coefficients[16];
__device__ int counter;
__managed__ int managed;
extern __shared__ unsigned char dynamic_memory[];

struct __align__(1) Packed {
    unsigned a : 3, b : 13, c : 16;
    char d;
    double e;
};

extern "C" __global__ void language(int n, int* out, float* f, Packed* packed, double4* wide, uchar4* narrow, short2* pairs) {
    switch (n) {
        case 0: out[0] = 11; break;
        case 1: out[0] = f[0] > 1 ? 12 : 13; break;
        case 2: out[0] = counter; break;
        case 3: out[0] = coefficients[n]; break;
        case 4: out[0] = managed; break;
        case 5: out[0] = n * n; break;
        case 7: out[0] = fibonacci(n); break;
        default: out[0] = table[n % 3](n); break;
    }
    Square s(f[1]);
    Circle c(f[2]);
    const Shape* shape = n > 3 ? static_cast<const Shape*>(&s) : &c;
    f[3] = shape->area();
    int local[32];
    for (int k = 0; k < 32; ++k) local[(k * n) & 31] = k;
    out[1] = local[n & 31];
    packed->a = n, packed->b = n >> 3, packed->d = char(n), packed->e = f[1];
    wide[1] = make_double4(wide[0].y, wide[0].x, wide[0].w, wide[0].z);
    narrow[1] = make_uchar4(narrow[0].w, narrow[0].z, narrow[0].y, narrow[0].x);
    pairs[1] = make_short2(pairs[0].y, pairs[0].x);
    reinterpret_cast<int*>(dynamic_memory)[threadIdx.x] = n;
    __syncthreads();
    out[2] = reinterpret_cast<int*>(dynamic_memory)[threadIdx.x ^ 1];
    printf("%d %f %s\n", n, double(f[0]), "text");
    assert(n >= 0);
    out[3] = n > 5 && __builtin_expect(n < 100, 1) ? __ldg(out + 4) : 0;
    long long total = 0;
#pragma unroll 4
    for (long long k = n; k > 0; k /= 3) total += k % 7;
    out[5] = int(total);
    memcpy(out + 8, local, n & 63);
    memset(out + 40, n, 16);
}
