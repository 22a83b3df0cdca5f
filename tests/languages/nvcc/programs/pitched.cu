// Rows and boxes: pitched memory, copies in two and three dimensions, arrays.
#include <cstdio>

__global__ void transpose(const float* in, size_t in_pitch, float* out, size_t out_pitch, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const auto* const row = reinterpret_cast<const float*>(reinterpret_cast<const char*>(in) + y * in_pitch);
    reinterpret_cast<float*>(reinterpret_cast<char*>(out) + x * out_pitch)[y] = row[x];
}

int main() {
    constexpr int width = 13, height = 7;
    float host[height][width], back[width][height];
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x)
            host[y][x] = static_cast<float>(100 * y + x);
    }
    float *in, *out;
    size_t in_pitch, out_pitch;
    cudaMallocPitch(&in, &in_pitch, sizeof host[0], height);
    cudaMallocPitch(&out, &out_pitch, sizeof back[0], width);
    cudaMemcpy2D(in, in_pitch, host, sizeof host[0], sizeof host[0], height, cudaMemcpyHostToDevice);
    transpose<<<dim3(2, 1), dim3(8, 8)>>>(in, in_pitch, out, out_pitch, width, height);
    cudaMemcpy2D(back, sizeof back[0], out, out_pitch, sizeof back[0], width, cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", back[12][6], back[1][0]);
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &format, width, height);
    cudaMemcpy2DToArray(array, 0, 0, host, sizeof host[0], sizeof host[0], height, cudaMemcpyHostToDevice);
    float part[2][3];
    cudaMemcpy2DFromArray(part, sizeof part[0], array, 2 * sizeof(float), 3, sizeof part[0], 2, cudaMemcpyDeviceToHost);
    std::printf("%g %g\n", part[0][0], part[1][2]);
    cudaPitchedPtr box;
    cudaMalloc3D(&box, make_cudaExtent(16, 4, 3));
    cudaMemset3D(box, 5, make_cudaExtent(16, 4, 3));
    unsigned char bytes[3][4][16] = {};
    cudaMemcpy3DParms copy{};
    copy.srcPtr = box;
    copy.dstPtr = make_cudaPitchedPtr(bytes, 16, 16, 4);
    copy.extent = make_cudaExtent(16, 4, 2);
    copy.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&copy);
    std::printf("%d %d %s\n", bytes[1][3][15], bytes[2][0][0], cudaGetErrorName(cudaGetLastError()));
    cudaFreeArray(array);
    cudaFree(box.ptr);
    cudaFree(in);
    cudaFree(out);
    // expect: 612 1
    // expect: 302 404
    // expect: 5 0 cudaSuccess
}
