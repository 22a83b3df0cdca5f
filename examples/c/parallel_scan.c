/* Prefix sums: the running total before each element (exclusive), and the running maximum (inclusive). */
#include <stdint.h>

#include "example.h"

enum { n = 10000 };
static int32_t data[n], maxima[n];
static int64_t totals[n];

int main(void) {
    const int64_t init = 100;
    cuprum_parallel_operator plus, larger;
    int64_t total = init;
    int32_t maximum = 0;
    int i, ok = 1;
    for (i = 0; i < n; ++i) {
        data[i] = (int32_t)((int64_t)i * 7919 % 10007);
    }
    must(cuprum_parallel_operator_create(&plus, "a + b", NULL, NULL, 0));
    must(cuprum_parallel_operator_create(&larger, "a < b ? b : a", NULL, NULL, 0));
    must(cuprum_parallel_scan_array(totals, sizeof totals, NULL, CUPRUM_SCAN_EXCLUSIVE, "int32", data, sizeof data,
                                    "int64", &init, sizeof init, plus));
    must(cuprum_parallel_scan_array(maxima, sizeof maxima, NULL, CUPRUM_SCAN_INCLUSIVE, "int32", data, sizeof data,
                                    "int32", NULL, 0, larger));

    for (i = 0; i < n; ++i) {
        maximum = maximum < data[i] ? data[i] : maximum;
        ok = ok && totals[i] == total && maxima[i] == maximum;
        total += data[i];
    }
    printf("total before the last %lld, maximum %d: %s\n", (long long)totals[n - 1], (int)maxima[n - 1],
           ok ? "ok" : "WRONG");
    must(cuprum_parallel_operator_destroy(larger));
    must(cuprum_parallel_operator_destroy(plus));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
