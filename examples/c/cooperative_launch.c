/* A cooperative launch: all blocks of the kernel run at once, and wait for each other halfway. And clusters of blocks,
 * where the device has them. */
#include <stdint.h>

#include "example.h"

static const char source[] =
    "extern \"C\" __global__ void reverse_twice(int* middle, int* result, unsigned int* arrived, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    middle[i] = 2 * i;\n"
    "    __threadfence();\n"
    "    __syncthreads();\n"
    "    if (threadIdx.x == 0) {  // a barrier for the whole grid\n"
    "        atomicAdd(arrived, 1u);\n"
    "        while (*(volatile unsigned int*)arrived < gridDim.x) {}\n"
    "        __threadfence();\n"
    "    }\n"
    "    __syncthreads();\n"
    "    result[i] = ((volatile int*)middle)[n - 1 - i];  // which another block has written\n"
    "}\n"
    "extern \"C\" __global__ void rank_in_cluster(int* ranks) {\n"
    "    unsigned int rank = 0;\n"
    "#if __CUDA_ARCH__ >= 900\n"
    "    asm(\"mov.u32 %0, %%cluster_ctarank;\" : \"=r\"(rank));\n"
    "#endif\n"
    "    if (threadIdx.x == 0) ranks[blockIdx.x] = rank;\n"
    "}\n";

enum { blocks = 8, threads = 64, n = blocks * threads };
enum { cluster_launch = 120 }; /* CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH */

static cuprum_kernel kernel_of(cuprum_object_code code, const char* name) {
    cuprum_kernel kernel;
    must(cuprum_object_code_get_kernel(&kernel, code, name));
    return kernel;
}

static int wrong_after_cooperation(cuprum_object_code code, cuprum_stream stream) {
    const cuprum_launch_config config = {
        .struct_size = sizeof config, .grid_x = blocks, .block_x = threads, .is_cooperative = 1};
    const cuprum_kernel kernel = kernel_of(code, "reverse_twice");
    cuprum_buffer middle, output, arrived;
    int32_t result[n];
    int wrong = 0;
    int i;

    must(cuprum_buffer_allocate(&middle, 0, sizeof result, stream));
    must(cuprum_buffer_allocate(&output, 0, sizeof result, stream));
    must(cuprum_buffer_allocate(&arrived, 0, sizeof(uint32_t), stream));
    must(cuprum_buffer_fill(arrived, 0, 4, stream));
    {
        const cuprum_argument arguments[] = {{CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = middle}},
                                             {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = output}},
                                             {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = arrived}},
                                             {CUPRUM_ARGUMENT_INT, 0, {.i64 = n}}};
        must(cuprum_launch(stream, &config, kernel, arguments, 4));
    }
    must(cuprum_buffer_copy_to_host(result, output, 0, sizeof result, stream));
    must(cuprum_stream_sync(stream));
    for (i = 0; i < n; ++i) {
        wrong += result[i] != 2 * (n - 1 - i);
    }
    must(cuprum_buffer_destroy(arrived));
    must(cuprum_buffer_destroy(output));
    must(cuprum_buffer_destroy(middle));
    must(cuprum_kernel_destroy(kernel));
    return wrong;
}

static int wrong_in_clusters(cuprum_object_code code, cuprum_stream stream) {
    /* The grid counts clusters. */
    const cuprum_launch_config config = {
        .struct_size = sizeof config, .grid_x = blocks / 2, .block_x = threads, .cluster_x = 2};
    const cuprum_kernel kernel = kernel_of(code, "rank_in_cluster");
    cuprum_buffer ranks;
    int32_t result[blocks];
    int wrong = 0;
    int i;

    must(cuprum_buffer_allocate(&ranks, 0, sizeof result, stream));
    {
        const cuprum_argument argument = {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = ranks}};
        must(cuprum_launch(stream, &config, kernel, &argument, 1));
    }
    must(cuprum_buffer_copy_to_host(result, ranks, 0, sizeof result, stream));
    must(cuprum_stream_sync(stream));
    for (i = 0; i < blocks; ++i) {
        wrong += result[i] != i % 2;
    }
    must(cuprum_buffer_destroy(ranks));
    must(cuprum_kernel_destroy(kernel));
    return wrong;
}

int main(void) {
    cuprum_program program;
    cuprum_object_code code;
    cuprum_stream stream;
    int32_t has_clusters = 0;
    char name[256];
    int wrong;

    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "cooperative.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_device_attribute(&has_clusters, 0, cluster_launch));
    wrong = wrong_after_cooperation(code, stream);
    if (has_clusters) {
        wrong += wrong_in_clusters(code, stream);
    }
    printf("%d blocks that wait for each other%s on %s: %d wrong\n", blocks,
           has_clusters ? ", and clusters of 2," : " (it has no clusters)", device_name(name, sizeof name), wrong);
    must(cuprum_stream_destroy(stream));
    must(cuprum_object_code_destroy(code));
    must(cuprum_program_destroy(program));
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
