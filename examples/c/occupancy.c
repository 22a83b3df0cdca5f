/* What a kernel needs, and the launch that fills the device: its attributes, the best block size, and how many blocks
 * run at once. */
#include <stdint.h>

#include "example.h"

/* Each block adds in shared memory, of which it needs as much as it has threads. */
static const char source[] =
    "extern \"C\" __global__ void sum(const int* values, int n, int* result) {\n"
    "    extern __shared__ int partial[];\n"
    "    int own = 0;\n"
    "    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += values[i];\n"
    "    partial[threadIdx.x] = own;\n"
    "    __syncthreads();\n"
    "    if (threadIdx.x == 0) {\n"
    "        for (int i = 1; i < blockDim.x; ++i) own += partial[i];\n"
    "        atomicAdd(result, own);\n"
    "    }\n"
    "}\n";

enum { n = 20000, most_threads = 128 }; /* one thread of a block adds what the others have */

static cuprum_kernel compiled(void) {
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel kernel;
    must(cuprum_program_create(&program, source, CUPRUM_SOURCE_CXX, "sum.cu", NULL, 0));
    must(cuprum_program_compile(&code, program, CUPRUM_CODE_NATIVE, NULL, 0));
    must(cuprum_object_code_get_kernel(&kernel, code, "sum"));
    must(cuprum_object_code_destroy(code)); /* the kernel keeps it loaded */
    must(cuprum_program_destroy(program));
    return kernel;
}

/* The launch that fills the device. */
static cuprum_launch_config best_launch(cuprum_kernel kernel) {
    uint64_t shared_memory[most_threads]; /* for a block of 1 thread, of 2 threads and so on */
    cuprum_launch_config config = CUPRUM_LAUNCH_CONFIG_INIT;
    int32_t grid = 0, block = 0;
    int i;
    for (i = 0; i < most_threads; ++i) {
        shared_memory[i] = (uint64_t)(i + 1) * sizeof(int32_t);
    }
    must(cuprum_kernel_max_potential_block_size_of_sizes(&grid, &block, kernel, 0, shared_memory, sizeof shared_memory,
                                                         most_threads));
    config.grid_x = (uint32_t)grid;
    config.block_x = (uint32_t)block;
    config.shared_memory = (uint32_t)shared_memory[block - 1];
    return config;
}

static int32_t sum_of(const int32_t* values, cuprum_kernel kernel, const cuprum_launch_config* config) {
    cuprum_stream stream;
    cuprum_buffer input, output;
    int32_t result = 0;
    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&input, 0, n * sizeof *values, stream));
    must(cuprum_buffer_allocate(&output, 0, sizeof result, stream));
    must(cuprum_buffer_copy_from_host(input, 0, values, n * sizeof *values, stream));
    must(cuprum_buffer_fill(output, 0, 4, stream));
    {
        const cuprum_argument arguments[] = {{CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = input}},
                                             {CUPRUM_ARGUMENT_INT, 0, {.i64 = n}},
                                             {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = output}}};
        must(cuprum_launch(stream, config, kernel, arguments, 3));
    }
    must(cuprum_buffer_copy_to_host(&result, output, 0, sizeof result, stream));
    must(cuprum_stream_sync(stream));
    must(cuprum_buffer_destroy(output));
    must(cuprum_buffer_destroy(input));
    must(cuprum_stream_destroy(stream));
    return result;
}

int main(void) {
    static int32_t values[n];
    const cuprum_kernel kernel = compiled();
    cuprum_kernel_attributes attributes = CUPRUM_KERNEL_ATTRIBUTES_INIT;
    cuprum_device_properties device = CUPRUM_DEVICE_PROPERTIES_INIT;
    cuprum_launch_config config;
    int32_t blocks = 0;
    char name[256];
    int right;
    int i;

    must(cuprum_kernel_set_attribute(kernel, 0, CUPRUM_KERNEL_PREFERRED_SHARED_MEMORY_CARVEOUT, 50)); /* a hint */
    must(cuprum_kernel_attributes_get(&attributes, kernel, 0));
    must(cuprum_device_properties_get(&device, 0));
    config = best_launch(kernel);
    must(cuprum_kernel_max_active_blocks(&blocks, kernel, 0, (int32_t)config.block_x, config.shared_memory));
    for (i = 0; i < n; ++i) {
        values[i] = i;
    }

    right = sum_of(values, kernel, &config) == n / 2 * (n - 1) && config.block_x <= most_threads && blocks > 0 &&
            (int32_t)config.grid_x <= blocks * device.multiprocessor_count;
    printf("%d registers, %u blocks of %u threads fill %s, %d on each multiprocessor: %s\n", (int)attributes.num_regs,
           (unsigned)config.grid_x, (unsigned)config.block_x, device_name(name, sizeof name), (int)blocks,
           right ? "right" : "wrong");
    must(cuprum_kernel_destroy(kernel));
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
