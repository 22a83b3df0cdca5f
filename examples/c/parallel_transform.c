/* A transformation: of pairs over host data, and on the device with an operator whose state is given at each call, and
 * of three inputs. */
#include <stdint.h>

#include "example.h"

enum { n = 10000 };
static int32_t data[n], pairs[n];
static double scaled[n], sums[n];

static cuprum_parallel_operator times(double factor) {
    cuprum_parallel_operator op;
    must(cuprum_parallel_operator_create(&op, "a * factor", "Scale{factor:float64}", &factor, sizeof factor));
    return op;
}

int main(void) {
    static const double factors[] = {0.5, 2.0};
    const cuprum_parallel_operator scale = times(1.0);
    uint64_t input_address = 0, output_address = 0;
    cuprum_parallel_operator combine;
    cuprum_parallel_iterator elements;
    cuprum_parallel_algorithm transform;
    cuprum_stream stream;
    cuprum_buffer input, output;
    int i, call, ok = 1;
    for (i = 0; i < n; ++i) {
        data[i] = i;
    }
    must(cuprum_parallel_operator_create(&combine, "a * 3 - b", NULL, NULL, 0));
    must(cuprum_parallel_transform_array(pairs, sizeof pairs, NULL, "int32", "int32", data, sizeof data, "int32", data,
                                         sizeof data, combine));

    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&input, 0, sizeof data, stream));
    must(cuprum_buffer_allocate(&output, 0, sizeof scaled, stream));
    must(cuprum_buffer_native(&input_address, input));
    must(cuprum_buffer_native(&output_address, output));
    must(cuprum_buffer_copy_from_host(input, 0, data, sizeof data, stream));
    must(cuprum_parallel_iterator_pointer(&elements, "int32", input_address));
    must(cuprum_parallel_transform_build(&transform, NULL, elements, NULL, scale, "float64", NULL));
    for (call = 0; call < 2; ++call) { /* no second build: the state is an argument of the kernel */
        const cuprum_parallel_operator with_factor = times(factors[call]);
        must(cuprum_parallel_transform(transform, stream, elements, NULL, output_address, NULL, n, with_factor));
        must(cuprum_buffer_copy_to_host(scaled, output, 0, sizeof scaled, stream));
        must(cuprum_stream_sync(stream));
        must(cuprum_parallel_operator_destroy(with_factor));
        for (i = 0; i < n; ++i) {
            ok = ok && pairs[i] == 2 * data[i] && scaled[i] == data[i] * factors[call];
        }
    }

    {
        cuprum_parallel_iterator inputs[3];
        cuprum_parallel_operator formula;
        cuprum_parallel_algorithm combined;
        const double half = 0.5;
        inputs[0] = inputs[1] = elements;
        must(cuprum_parallel_iterator_constant(&inputs[2], "float64", &half, sizeof half));
        must(cuprum_parallel_operator_create(&formula, "1.0 * a * b + c", NULL, NULL, 0));
        must(cuprum_parallel_transform_build_nary(&combined, NULL, inputs, 3, formula, "float64", NULL));
        must(cuprum_parallel_transform_nary(combined, stream, inputs, 3, output_address, NULL, n, NULL));
        must(cuprum_buffer_copy_to_host(sums, output, 0, sizeof sums, stream));
        must(cuprum_stream_sync(stream));
        for (i = 0; i < n; ++i) {
            ok = ok && sums[i] == (double)i * i + half;
        }
        must(cuprum_parallel_algorithm_destroy(combined));
        must(cuprum_parallel_operator_destroy(formula));
        must(cuprum_parallel_iterator_destroy(inputs[2]));
    }
    printf("last %d and %g: %s\n", (int)pairs[n - 1], scaled[n - 1], ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(transform));
    must(cuprum_parallel_iterator_destroy(elements));
    must(cuprum_parallel_operator_destroy(combine));
    must(cuprum_parallel_operator_destroy(scale));
    must(cuprum_buffer_destroy(output));
    must(cuprum_buffer_destroy(input));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
