/* SAXPY, y = a * x + y: compiled at run time, launched on a stream, timed with events, every element checked.
 *
 * usage: saxpy_c [--row] [ELEMENTS]
 * --row prints one tab-separated line: language, device, n, kernel milliseconds, max error, ok
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuprum/cuprum.h"

static const char source[] =
    "extern \"C\" __global__ void saxpy(float a, const float* x, float* y, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) y[i] = a * x[i] + y[i];\n"
    "}\n";

enum { threads_per_block = 256, rounds = 5 };
static const float a = 2.5f;

/* Everything that has to be given back, NULL as long as it is not there. */
struct job {
    cuprum_program program;
    cuprum_object_code code;
    cuprum_kernel kernel;
    cuprum_stream stream;
    cuprum_buffer x_device;
    cuprum_buffer y_device;
    cuprum_event start;
    cuprum_event end;
    float* x;
    float* y;
    float* result;
};

/* Prints why a call failed. */
static int failed(cuprum_status status) {
    cuprum_error_info info;
    if (status == CUPRUM_SUCCESS) {
        return 0;
    }
    info.struct_size = sizeof info;
    if (cuprum_error_last(&info) == CUPRUM_SUCCESS) {
        fprintf(stderr, "%s\n", info.message);
    }
    return 1;
}

/* Numbers with full mantissas, so that roundings matter; the same in every run. */
static float x_of(int32_t i) {
    return (float)(i % 1009) / 1009.0f;
}
static float y_of(int32_t i) {
    return (float)(i % 2003) / 2003.0f - 0.5f;
}

static int compile(struct job* job) {
    return failed(cuprum_program_create(&job->program, source, CUPRUM_SOURCE_CXX, "saxpy.cu", NULL, 0)) ||
           failed(cuprum_program_compile(&job->code, job->program, CUPRUM_CODE_NATIVE, NULL, 0)) ||
           failed(cuprum_object_code_get_kernel(&job->kernel, job->code, "saxpy"));
}

static int allocate(struct job* job, int32_t n) {
    const uint64_t size = (uint64_t)n * sizeof(float);
    cuprum_event_options timing = {sizeof timing, 1, 0, 0};
    int32_t i;
    job->x = malloc(size);
    job->y = malloc(size);
    job->result = malloc(size);
    if (job->x == NULL || job->y == NULL || job->result == NULL) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    for (i = 0; i < n; ++i) {
        job->x[i] = x_of(i);
        job->y[i] = y_of(i);
    }
    return failed(cuprum_stream_create(&job->stream, 0, NULL)) ||
           failed(cuprum_buffer_allocate(&job->x_device, 0, size, job->stream)) ||
           failed(cuprum_buffer_allocate(&job->y_device, 0, size, job->stream)) ||
           failed(cuprum_event_create(&job->start, 0, &timing)) || failed(cuprum_event_create(&job->end, 0, &timing)) ||
           failed(cuprum_buffer_copy_from_host(job->x_device, 0, job->x, size, job->stream));
}

/* One launch on fresh data. */
static int launch(struct job* job, int32_t n, float* milliseconds) {
    const uint64_t size = (uint64_t)n * sizeof(float);
    const cuprum_launch_config config = {.struct_size = sizeof config,
                                         .grid_x = ((uint32_t)n + threads_per_block - 1) / threads_per_block,
                                         .block_x = threads_per_block};
    const cuprum_argument arguments[] = {
        {CUPRUM_ARGUMENT_FLOAT, 0, {.f64 = a}},
        {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = job->x_device}},
        {CUPRUM_ARGUMENT_BUFFER, 0, {.buffer = job->y_device}},
        {CUPRUM_ARGUMENT_INT, 0, {.i64 = n}},
    };
    return failed(cuprum_buffer_copy_from_host(job->y_device, 0, job->y, size, job->stream)) ||
           failed(cuprum_stream_record(job->stream, job->start)) ||
           failed(cuprum_launch(job->stream, &config, job->kernel, arguments, 4)) ||
           failed(cuprum_stream_record(job->stream, job->end)) || failed(cuprum_stream_sync(job->stream)) ||
           failed(cuprum_event_elapsed_time(milliseconds, job->start, job->end));
}

static int compare_floats(const void* left, const void* right) {
    const float difference = *(const float*)left - *(const float*)right;
    return (difference > 0.0f) - (difference < 0.0f);
}

static int run(struct job* job, int as_row, int32_t n) {
    char device_name[256];
    const char* text = NULL;
    int32_t is_simulator = 0;
    float milliseconds[1 + rounds];
    float median;
    float max_error = 0.0f;
    int round;
    int32_t i;
    if (failed(cuprum_device_is_simulator(&is_simulator, 0)) || failed(cuprum_device_name(&text, 0))) {
        return 1;
    }
    snprintf(device_name, sizeof device_name, "%s", text); /* `text` is lent until the next call */
    if (n == 0) {
        n = is_simulator ? 1 << 20 : 1 << 26;
    }
    if (compile(job) || allocate(job, n)) {
        return 1;
    }
    for (round = 0; round <= rounds; ++round) {
        if (launch(job, n, &milliseconds[round])) {
            return 1;
        }
    }
    qsort(milliseconds + 1, rounds, sizeof milliseconds[0], compare_floats); /* the first one warmed up */
    median = milliseconds[1 + rounds / 2];

    if (failed(cuprum_buffer_copy_to_host(job->result, job->y_device, 0, (uint64_t)n * sizeof(float), job->stream)) ||
        failed(cuprum_stream_sync(job->stream))) {
        return 1;
    }
    /* NVRTC makes one fused multiply-add of the kernel's expression, and so does the host here: both round once, and
     * the results must be the same to the last bit. */
    for (i = 0; i < n; ++i) {
        const float error = fabsf(job->result[i] - fmaf(a, job->x[i], job->y[i]));
        max_error = error <= max_error ? max_error : error; /* a NaN is an error too */
    }
    if (as_row) {
        printf("C\t%s\t%d\t%.3f\t%g\t%s\n", device_name, (int)n, median, max_error, max_error == 0.0f ? "ok" : "WRONG");
    } else {
        printf("saxpy of %d floats on %s: %.3f ms (median of %d), max error %g: %s\n", (int)n, device_name, median,
               (int)rounds, max_error, max_error == 0.0f ? "ok" : "WRONG");
    }
    return max_error == 0.0f ? 0 : 1;
}

/* Destroying NULL does nothing. */
static void clean_up(struct job* job) {
    cuprum_event_destroy(job->end);
    cuprum_event_destroy(job->start);
    cuprum_buffer_destroy(job->y_device);
    cuprum_buffer_destroy(job->x_device);
    cuprum_stream_destroy(job->stream);
    cuprum_kernel_destroy(job->kernel);
    cuprum_object_code_destroy(job->code);
    cuprum_program_destroy(job->program);
    free(job->result);
    free(job->y);
    free(job->x);
}

int main(int argc, char** argv) {
    struct job job = {0};
    int as_row = 0;
    long long n = 0;
    int result;
    int i;
    for (i = 1; i < argc; ++i) {
        char* rest = NULL;
        if (strcmp(argv[i], "--row") == 0) {
            as_row = 1;
            continue;
        }
        n = strtoll(argv[i], &rest, 10);
        if (n < 1 || n > INT32_MAX || *rest != '\0') {
            fprintf(stderr, "usage: %s [--row] [ELEMENTS]\n", argv[0]);
            return 2;
        }
    }
    result = run(&job, as_row, (int32_t)n);
    clean_up(&job);
    return result;
}
