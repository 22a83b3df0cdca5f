// Textures and surfaces of the CUDA runtime: an image is read by a texture that filters, and written by a surface.
#include <cmath>
#include <cstdio>
#include <vector>

#define REQUIRE(call)                                                                     \
    do {                                                                                  \
        const cudaError_t code = (call);                                                  \
        if (code != cudaSuccess) {                                                        \
            std::printf("%s: %s at line %d\n", #call, cudaGetErrorName(code), __LINE__);  \
            return 1;                                                                     \
        }                                                                                 \
    } while (false)

__global__ void halve(cudaTextureObject_t in, cudaSurfaceObject_t out, int width, int height) {
    const int x = threadIdx.x, y = blockIdx.x;
    // Between four texels: their mean.
    if (x < width && y < height) surf2Dwrite(tex2D<float>(in, 2 * x + 1, 2 * y + 1), out, 4 * x, y);
}

__global__ void sum(float* out, cudaTextureObject_t bytes, cudaTextureObject_t levels) {
    out[0] = tex1Dfetch<uchar4>(bytes, 1).w;
    out[1] = tex2DLod<float>(levels, 0.5f, 0.5f, 1);
}

int main() {
    const int width = 16, height = 8;
    std::vector<float> image(width * height);
    for (size_t k = 0; k < image.size(); ++k) image[k] = static_cast<float>(k * k % 31);
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    cudaArray_t in = nullptr, out = nullptr;
    REQUIRE(cudaMallocArray(&in, &floats, width, height));
    REQUIRE(cudaMallocArray(&out, &floats, width / 2, height / 2, cudaArraySurfaceLoadStore));
    REQUIRE(cudaMemcpy2DToArray(in, 0, 0, image.data(), 4 * width, 4 * width, height, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = in;
    cudaTextureDesc how{};
    how.filterMode = cudaFilterModeLinear;
    how.readMode = cudaReadModeElementType;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texture = 0;
    REQUIRE(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    resource.res.array.array = out;
    cudaSurfaceObject_t surface = 0;
    REQUIRE(cudaCreateSurfaceObject(&surface, &resource));
    halve<<<height / 2, 32>>>(texture, surface, width / 2, height / 2);
    std::vector<float> half(width * height / 4);
    REQUIRE(cudaMemcpy2DFromArray(half.data(), 2 * width, out, 0, 0, 2 * width, height / 2, cudaMemcpyDeviceToHost));
    for (int y = 0; y < height / 2; ++y) {
        for (int x = 0; x < width / 2; ++x) {
            const float* corner = image.data() + 2 * y * width + 2 * x;
            const float mean = (corner[0] + corner[1] + corner[width] + corner[width + 1]) / 4;
            if (std::fabs(half[y * width / 2 + x] - mean) > 1e-4f) return std::printf("wrong at %d, %d\n", x, y), 1;
        }
    }
    cudaTextureDesc found{};
    REQUIRE(cudaGetTextureObjectTextureDesc(&found, texture));
    if (found.filterMode != cudaFilterModeLinear || found.readMode != cudaReadModeElementType) return 1;

    // Device memory by elements, and levels of one image.
    unsigned char* bytes = nullptr;
    REQUIRE(cudaMalloc(&bytes, 8));
    REQUIRE(cudaMemset(bytes, 7, 8));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = bytes;
    resource.res.linear.desc = cudaCreateChannelDesc<uchar4>();
    resource.res.linear.sizeInBytes = 8;
    how = {};
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t elements = 0, levels = 0;
    REQUIRE(cudaCreateTextureObject(&elements, &resource, &how, nullptr));
    cudaMipmappedArray_t pyramid = nullptr;
    cudaArray_t level = nullptr;
    REQUIRE(cudaMallocMipmappedArray(&pyramid, &floats, cudaExtent{4, 4, 0}, 2));
    REQUIRE(cudaGetMipmappedArrayLevel(&level, pyramid, 1));
    const float five[4] = {5, 5, 5, 5};
    REQUIRE(cudaMemcpy2DToArray(level, 0, 0, five, 8, 8, 2, cudaMemcpyHostToDevice));
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = pyramid;
    how.normalizedCoords = 1;
    how.maxMipmapLevelClamp = 1;
    REQUIRE(cudaCreateTextureObject(&levels, &resource, &how, nullptr));
    float* result = nullptr;
    REQUIRE(cudaMallocManaged(&result, 8));
    sum<<<1, 1>>>(result, elements, levels);
    REQUIRE(cudaDeviceSynchronize());
    if (result[0] != 7 || result[1] != 5) return std::printf("%g, %g\n", result[0], result[1]), 1;
    for (const cudaTextureObject_t each : {texture, elements, levels}) REQUIRE(cudaDestroyTextureObject(each));
    REQUIRE(cudaDestroySurfaceObject(surface));
    REQUIRE(cudaFreeArray(in));
    REQUIRE(cudaFreeArray(out));
    REQUIRE(cudaFreeMipmappedArray(pyramid));
    if (cudaGetTextureObjectTextureDesc(&found, texture) == cudaSuccess) return std::printf("still there\n"), 1;
    std::printf("textures: right\n");
    // expect: textures: right
    return 0;
}
