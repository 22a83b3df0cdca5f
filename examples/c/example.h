/* What the short examples share. saxpy.c shows errors handled and everything given back one by one. */
#ifndef CUPRUM_EXAMPLE_H
#define CUPRUM_EXAMPLE_H

#include <stdio.h>
#include <stdlib.h>

#include "cuprum/cuprum.h"

/* Ends the program, saying why, if a call failed. */
static inline void must(cuprum_status status) {
    cuprum_error_info info;
    if (status == CUPRUM_SUCCESS) {
        return;
    }
    info.struct_size = sizeof info;
    if (cuprum_error_last(&info) == CUPRUM_SUCCESS) {
        fprintf(stderr, "%s\n", info.message);
    }
    exit(EXIT_FAILURE);
}

/* The device's name, in the caller's memory: what cuprum_device_name lends ends with the thread's next call. */
static inline const char* device_name(char* name, size_t size) {
    const char* text = NULL;
    must(cuprum_device_name(&text, 0));
    snprintf(name, size, "%s", text);
    return name;
}

#endif
