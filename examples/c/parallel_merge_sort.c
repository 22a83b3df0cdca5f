/* A merge sort by a comparison of one's own: structs, stable, and numbers with values that move with them. */
#include <stdint.h>

#include "example.h"

enum { n = 5000 };
static int32_t keys[n], positions[n];
static struct point {
    float x;
    int32_t tag;
} points[n];

int main(void) {
    cuprum_parallel_operator by_x, by_remainder;
    int i, ok = 1;
    for (i = 0; i < n; ++i) {
        keys[i] = (int32_t)((int64_t)i * 7919 % 10007);
        positions[i] = i;
        points[i].x = (float)(keys[i] % 100);
        points[i].tag = i;
    }
    must(cuprum_parallel_operator_create(&by_x, "a.x < b.x", NULL, NULL, 0));
    must(cuprum_parallel_operator_create(&by_remainder, "a % 100 < b % 100", NULL, NULL, 0));
    must(cuprum_parallel_sort_array(NULL, "Point{x:float32,tag:int32}", points, sizeof points, NULL, NULL, 0,
                                    CUPRUM_SORT_ASCENDING, by_x));
    must(cuprum_parallel_sort_array(NULL, "int32", keys, sizeof keys, "int32", positions, sizeof positions,
                                    CUPRUM_SORT_ASCENDING, by_remainder));

    /* Both sorts are stable and by the same remainder, so they agree. */
    for (i = 0; i < n; ++i) {
        ok = ok && (i == 0 || keys[i - 1] % 100 <= keys[i] % 100) && points[i].tag == positions[i];
    }
    printf("first %d, last %d: %s\n", (int)positions[0], (int)positions[n - 1], ok ? "ok" : "WRONG");
    must(cuprum_parallel_operator_destroy(by_remainder));
    must(cuprum_parallel_operator_destroy(by_x));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
