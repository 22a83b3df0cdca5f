extern "C" __global__ void texture(cudaTextureObject_t image, cudaSurfaceObject_t surface, float4* out, float x) {
    const int i = threadIdx.x;
    out[i] = tex2D<float4>(image, x, 0.5f);
    out[i + 1] = tex3DLod<float4>(image, x, 0.5f, 0.25f, 1.0f);
    surf2Dwrite(out[i].x, surface, 4 * i, 0);
    out[i + 2].y = surf2Dread<float>(surface, 4 * i, 1);
}
