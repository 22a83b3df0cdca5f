extern "C" __global__ void add_one(int* values, int count) {
    const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (index < count) values[index] += 1;
}
