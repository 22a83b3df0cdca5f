struct Mixed { char tag; short small; int* pointer; double value; float pair[2]; };
__device__ int counter = 5;
__device__ int numbers[3] = {1, -2, 3};
__device__ float grid[2][3] = {{1.5f, 2.5f}, {-3.5f}};
__constant__ double coefficients[4] = {0.1, 0.2, 0.3};
__constant__ Mixed mixed = {'x', 7, &numbers[1], 2.5, {1, 2}};
__device__ Mixed many[2] = {{'a', 1, &counter, 1.0, {3, 4}}, {'b', 2, numbers, 2.0, {5, 6}}};
__managed__ unsigned long long shared_with_host = 1ull << 40;
__device__ const char* const names[] = {"one", "two", "three"};
__device__ float4 vector = {1, 2, 3, 4};
extern "C" __global__ void variables(int* out, const __grid_constant__ Mixed by_value) {
    counter += numbers[threadIdx.x] + static_cast<int>(grid[1][threadIdx.x] + coefficients[threadIdx.x] + vector.y);
    out[0] = counter + *mixed.pointer + *many[1].pointer + names[threadIdx.x][0] + by_value.small;
    shared_with_host += static_cast<unsigned long long>(by_value.value);
}
