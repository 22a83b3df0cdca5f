/* The first of each run of equal keys, and its value: of sorted readings the first of each sensor. */
#include <stdint.h>
#include <string.h>

#include "example.h"

int main(void) {
    int32_t sensors[] = {1, 1, 1, 4, 4, 7, 8, 8};
    float readings[] = {0.5F, 0.7F, 0.9F, 2.5F, 2.0F, 3.5F, 4.0F, 4.5F};
    const int32_t expected_sensors[] = {1, 4, 7, 8};
    const float expected_readings[] = {0.5F, 2.5F, 3.5F, 4.0F};
    cuprum_parallel_operator equal;
    uint64_t count = 0;
    int is_right;
    must(cuprum_parallel_operator_create(&equal, "equal_to", NULL, NULL, 0));
    must(cuprum_parallel_unique_by_key_array(&count, NULL, "int32", sensors, sizeof sensors, "float32", readings,
                                             sizeof readings, equal));
    is_right = count == 4 && memcmp(sensors, expected_sensors, sizeof expected_sensors) == 0 &&
               memcmp(readings, expected_readings, sizeof expected_readings) == 0;
    printf("first reading of each sensor %s\n", is_right ? "ok" : "WRONG");
    must(cuprum_parallel_operator_destroy(equal));
    return is_right ? 0 : 1;
}
