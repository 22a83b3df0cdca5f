/* usage: exchange save NUMBER FILE | exchange load NUMBER FILE [NUMBER FILE ...]
 * Saves a reduction by an operator of that number, or loads some and calls them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuprum/cuprum.h"

static void must(cuprum_status status) {
    cuprum_error_info info;
    if (status == CUPRUM_SUCCESS) {
        return;
    }
    info.struct_size = sizeof info;
    cuprum_error_last(&info);
    fprintf(stderr, "%s\n", info.message);
    exit(1);
}

static void save(cuprum_parallel_operator op, const char* path) {
    const cuprum_execution ahead_of_time = {sizeof ahead_of_time, CUPRUM_EXECUTION_AHEAD_OF_TIME, 0, "compute_80", 0};
    cuprum_parallel_iterator elements;
    cuprum_parallel_algorithm reduce;
    const void* saved;
    uint64_t size;
    FILE* file = fopen(path, "wb");
    must(cuprum_parallel_iterator_pointer(&elements, "int32", 0));
    must(cuprum_parallel_reduce_build(&reduce, &ahead_of_time, elements, op, "int64", NULL));
    must(cuprum_parallel_save(&saved, &size, reduce));
    if (file == NULL || fwrite(saved, 1, size, file) != size || fclose(file) != 0) {
        exit(1);
    }
    must(cuprum_parallel_algorithm_destroy(reduce));
    must(cuprum_parallel_iterator_destroy(elements));
}

static void load(cuprum_parallel_operator op, const char* path) {
    static char saved[1 << 22];
    static int32_t data[1000];
    const int64_t zero = 0;
    int64_t sum = 0;
    FILE* file = fopen(path, "rb");
    size_t size;
    int i;
    if (file == NULL) {
        exit(1);
    }
    size = fread(saved, 1, sizeof saved, file);
    fclose(file);
    for (i = 0; i < 1000; ++i) {
        data[i] = i + 1;
    }
    must(cuprum_parallel_load_builds(0, saved, size));
    must(cuprum_parallel_reduce_array(&sum, sizeof sum, NULL, "int32", data, sizeof data, "int64", &zero, sizeof zero,
                                      op));
    printf("%lld\n", (long long)sum);
}

int main(int count, char** arguments) {
    int i;
    for (i = 2; i + 1 < count; i += 2) {
        char text[64];
        cuprum_parallel_operator op;
        snprintf(text, sizeof text, "a + b + %s", arguments[i]);
        must(cuprum_parallel_operator_create(&op, text, NULL, NULL, 0));
        if (strcmp(arguments[1], "save") == 0) {
            save(op, arguments[i + 1]);
        } else {
            load(op, arguments[i + 1]);
        }
        must(cuprum_parallel_operator_destroy(op));
    }
    return 0;
}
