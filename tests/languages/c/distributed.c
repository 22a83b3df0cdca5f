/* Algorithms over several devices through the C ABI: what they give on two devices and on three, against the host, and
 * what they refuse. */
#include <stdlib.h>

#include "check.h"
#include "scenarios.h"

enum { most_ranks = 3, most_elements = 700 };

/* As many elements on each rank, of which the last one may have fewer. */
struct spread {
    uint32_t ranks;
    cuprum_buffer memory[most_ranks];
    cuprum_shard shards[most_ranks];
    uint64_t counts[most_ranks];
};

static void allocate(struct spread* spread, const int32_t* devices, uint32_t ranks, const uint64_t* counts,
                     const char* type, uint64_t element_size) {
    uint32_t rank;
    spread->ranks = ranks;
    for (rank = 0; rank < ranks; ++rank) {
        SUCCEEDS(cuprum_buffer_allocate(&spread->memory[rank], devices[rank], counts[rank] * element_size, NULL));
        spread->counts[rank] = counts[rank];
        spread->shards[rank].type = type;
        spread->shards[rank].memory = spread->memory[rank];
        spread->shards[rank].count = counts[rank];
    }
}
static void fill(const struct spread* spread, const int32_t* elements) {
    uint32_t rank;
    for (rank = 0; rank < spread->ranks; ++rank) {
        if (spread->counts[rank] > 0) {
            SUCCEEDS(cuprum_buffer_copy_from_host(spread->memory[rank], 0, elements, 4 * spread->counts[rank], NULL));
        }
        elements += spread->counts[rank];
    }
}
static void read_back(const struct spread* spread, int32_t* elements) {
    uint32_t rank;
    for (rank = 0; rank < spread->ranks; ++rank) {
        if (spread->counts[rank] > 0) {
            SUCCEEDS(cuprum_buffer_copy_to_host(elements, spread->memory[rank], 0, 4 * spread->counts[rank], NULL));
        }
        elements += spread->counts[rank];
    }
}
static void destroy(const struct spread* spread) {
    uint32_t rank;
    for (rank = 0; rank < spread->ranks; ++rank) {
        SUCCEEDS(cuprum_buffer_destroy(spread->memory[rank]));
    }
}
static int compare(const void* left, const void* right) {
    const int32_t a = *(const int32_t*)left, b = *(const int32_t*)right;
    return (a > b) - (a < b);
}

/* The last device first: ranks are not ordinals. */
static const int32_t devices[2][most_ranks] = {{1, 0, 0}, {2, 1, 0}};

static cuprum_communicator make_communicator(uint32_t ranks) {
    cuprum_communicator communicator = NULL;
    uint32_t size = 0;
    int32_t device = -1;
    SUCCEEDS(cuprum_communicator_create(&communicator, devices[ranks - 2], ranks * sizeof(int32_t)));
    SUCCEEDS(cuprum_communicator_size(&size, communicator));
    CHECK(size == ranks);
    SUCCEEDS(cuprum_communicator_device(&device, communicator, 0));
    CHECK(device == (int32_t)ranks - 1);
    return communicator;
}

static void check_sums(cuprum_communicator communicator, cuprum_parallel_operator plus, const struct spread* input,
                       const int32_t* numbers, int total) {
    static int32_t found[most_elements];
    const uint64_t one_each[most_ranks] = {1, 1, 1};
    const int32_t init = 100;
    cuprum_distributed_algorithm reduce = NULL, scan = NULL;
    struct spread sums;
    int32_t sum = 0;
    int i, wrong = 0;
    allocate(&sums, devices[input->ranks - 2], input->ranks, one_each, "int32", 4);
    SUCCEEDS(cuprum_distributed_reduce_build(&reduce, communicator, "int32", plus, "int32"));
    SUCCEEDS(cuprum_distributed_reduce(reduce, input->shards, input->ranks, sums.shards, sums.ranks, &init, 4));
    for (i = 0; i < total; ++i) {
        sum += numbers[i];
    }
    read_back(&sums, found);
    for (i = 0; i < (int)sums.ranks; ++i) {
        CHECK(found[i] == sum + 100);
    }
    SUCCEEDS(cuprum_distributed_reduce(reduce, input->shards, input->ranks, sums.shards, sums.ranks, NULL, 0));
    read_back(&sums, found);
    CHECK(found[0] == sum);

    SUCCEEDS(cuprum_distributed_scan_build(&scan, communicator, CUPRUM_SCAN_EXCLUSIVE, "int32", plus, "int32"));
    SUCCEEDS(cuprum_distributed_scan(scan, input->shards, input->ranks, input->shards, input->ranks, &init, 4));
    read_back(input, found);
    for (i = 0, sum = 100; i < total; sum += numbers[i], ++i) {
        wrong += found[i] != sum;
    }
    CHECK(wrong == 0);
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_distributed_scan(scan, input->shards, input->ranks, input->shards, input->ranks, NULL, 0));
    SUCCEEDS(cuprum_distributed_algorithm_destroy(scan));
    SUCCEEDS(cuprum_distributed_algorithm_destroy(reduce));
    destroy(&sums);
}

static void check_sort(cuprum_communicator communicator, const struct spread* keys, const int32_t* numbers, int total) {
    static int32_t expected[most_elements], found[most_elements], positions[most_elements];
    const uint64_t counts[most_ranks] = {0, (uint64_t)total, 0}; /* all on one rank afterwards */
    cuprum_distributed_algorithm sort = NULL, sort_pairs = NULL;
    struct spread values, sorted, moved;
    int i, wrong = 0;
    memcpy(expected, numbers, sizeof(int32_t) * (size_t)total);
    qsort(expected, (size_t)total, sizeof(int32_t), compare);
    for (i = 0; i < total; ++i) {
        positions[i] = i;
    }
    allocate(&values, devices[keys->ranks - 2], keys->ranks, keys->counts, "int32", 4);
    allocate(&sorted, devices[keys->ranks - 2], keys->ranks, counts, "int32", 4);
    allocate(&moved, devices[keys->ranks - 2], keys->ranks, counts, "int32", 4);
    fill(keys, numbers);
    fill(&values, positions);
    SUCCEEDS(cuprum_distributed_radix_sort_build(&sort_pairs, communicator, CUPRUM_SORT_ASCENDING, "int32", "int32"));
    SUCCEEDS(cuprum_distributed_radix_sort(sort_pairs, keys->shards, keys->ranks, sorted.shards, sorted.ranks,
                                           values.shards, values.ranks, moved.shards, moved.ranks));
    read_back(&moved, positions);
    read_back(&sorted, found);
    for (i = 0; i < total; ++i) {
        wrong += found[i] != expected[i] || numbers[positions[i]] != expected[i];
        wrong += i > 0 && found[i] == found[i - 1] && positions[i] < positions[i - 1]; /* not stable */
    }
    CHECK(wrong == 0);
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_distributed_radix_sort(sort_pairs, keys->shards, keys->ranks, sorted.shards, sorted.ranks, NULL,
                                             0, NULL, 0));
    SUCCEEDS(cuprum_distributed_radix_sort_build(&sort, communicator, CUPRUM_SORT_DESCENDING, "int32", NULL));
    SUCCEEDS(
        cuprum_distributed_radix_sort(sort, keys->shards, keys->ranks, keys->shards, keys->ranks, NULL, 0, NULL, 0));
    read_back(keys, found);
    for (i = 0, wrong = 0; i < total; ++i) {
        wrong += found[i] != expected[total - 1 - i];
    }
    CHECK(wrong == 0);
    SUCCEEDS(cuprum_distributed_algorithm_destroy(sort));
    SUCCEEDS(cuprum_distributed_algorithm_destroy(sort_pairs));
    destroy(&moved);
    destroy(&sorted);
    destroy(&values);
}

static void check_counts(cuprum_communicator communicator, cuprum_parallel_operator plus, const struct spread* samples,
                         const int32_t* numbers, int total) {
    enum { bins = 5 };
    const int32_t lower = -50, upper = 50, ones_value = 1;
    const uint64_t counts[most_ranks] = {bins, bins, bins};
    cuprum_distributed_algorithm histogram = NULL, by_key = NULL;
    cuprum_reduced_shards reduced = NULL;
    cuprum_buffer keys = NULL, values = NULL;
    struct spread histograms, ones;
    int32_t expected[bins] = {0}, found[most_ranks * bins];
    static int32_t host_ones[most_elements], of_keys[most_elements], of_values[most_elements];
    uint64_t count = 0, all = 0;
    int32_t total_of_values = 0, last = INT32_MIN;
    uint32_t rank;
    int i;
    for (i = 0; i < total; ++i) {
        host_ones[i] = ones_value;
        if (numbers[i] >= lower && numbers[i] < upper) {
            ++expected[(numbers[i] - lower) * bins / (upper - lower)];
        }
    }
    allocate(&histograms, devices[samples->ranks - 2], samples->ranks, counts, "int32", 4);
    allocate(&ones, devices[samples->ranks - 2], samples->ranks, samples->counts, "int32", 4);
    fill(samples, numbers);
    fill(&ones, host_ones);
    SUCCEEDS(cuprum_distributed_histogram_even_build(&histogram, communicator, "int32", "int32", "int32"));
    SUCCEEDS(cuprum_distributed_histogram_even(histogram, samples->shards, samples->ranks, histograms.shards,
                                               histograms.ranks, bins, &lower, 4, &upper, 4));
    read_back(&histograms, found);
    for (rank = 0; rank < samples->ranks; ++rank) {
        CHECK(memcmp(expected, found + rank * bins, sizeof expected) == 0);
    }
    SUCCEEDS(cuprum_distributed_reduce_by_key_build(&by_key, communicator, "int32", "int32", plus, "int32"));
    SUCCEEDS(
        cuprum_distributed_reduce_by_key(&reduced, by_key, samples->shards, samples->ranks, ones.shards, ones.ranks));
    for (rank = 0; rank < samples->ranks; ++rank) {
        SUCCEEDS(cuprum_reduced_shards_count(&count, reduced, rank));
        SUCCEEDS(cuprum_reduced_shards_take_keys(&keys, reduced, rank));
        SUCCEEDS(cuprum_reduced_shards_take_values(&values, reduced, rank));
        if (count > 0) {
            SUCCEEDS(cuprum_buffer_copy_to_host(of_keys, keys, 0, 4 * count, NULL));
            SUCCEEDS(cuprum_buffer_copy_to_host(of_values, values, 0, 4 * count, NULL));
        }
        for (i = 0; i < (int)count; ++i) {
            int j, times = 0;
            for (j = 0; j < total; ++j) {
                times += numbers[j] == of_keys[i];
            }
            CHECK(of_values[i] == times && of_keys[i] > last);
            last = of_keys[i];
            total_of_values += of_values[i];
        }
        all += count;
        SUCCEEDS(cuprum_buffer_destroy(keys));
        SUCCEEDS(cuprum_buffer_destroy(values));
    }
    CHECK(total_of_values == total && all > 10);
    keys = NULL;
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_reduced_shards_take_keys(&keys, reduced, 0));
    MESSAGE_HAS("taken before");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_reduced_shards_count(&count, reduced, 9));
    MESSAGE_HAS("is 9; expected 0 to");
    CHECK(keys == NULL);
    SUCCEEDS(cuprum_reduced_shards_destroy(reduced));
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_reduced_shards_count(&count, reduced, 0));
    SUCCEEDS(cuprum_distributed_algorithm_destroy(by_key));
    SUCCEEDS(cuprum_distributed_algorithm_destroy(histogram));
    destroy(&ones);
    destroy(&histograms);
}

static void check_refusals(cuprum_communicator communicator, cuprum_parallel_operator plus,
                           const struct spread* input) {
    cuprum_distributed_algorithm reduce = NULL, unset = NULL;
    cuprum_communicator none = NULL;
    cuprum_stream stream = NULL;
    cuprum_shard wrong[most_ranks];
    const int32_t twice[2] = {0, 0}, absent = 99, init = 0;
    int32_t device = -1;
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_communicator_create(&none, twice, sizeof twice));
    MESSAGE_HAS("rank 0 and rank 1");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_communicator_create(&none, NULL, 0));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_communicator_create(&none, &absent, sizeof absent));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_communicator_create(&none, twice, 3));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_communicator_create(NULL, twice, 4));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_communicator_device(&device, communicator, input->ranks));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_communicator_stream(&stream, communicator, input->ranks));
    CHECK(none == NULL && stream == NULL && device == -1);

    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_distributed_scan_build(&unset, communicator, 3, "int32", plus, "int32"));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_distributed_reduce_build(&unset, communicator, "int33", plus, "int32"));
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE,
               cuprum_distributed_reduce_build(&unset, communicator, "int32", NULL, "int32"));
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_distributed_reduce_build(&unset, NULL, "int32", plus, "int32"));
    MESSAGE_HAS("a communicator is expected");
    CHECK(unset == NULL);

    SUCCEEDS(cuprum_distributed_reduce_build(&reduce, communicator, "int32", plus, "int32"));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT, cuprum_distributed_reduce(reduce, input->shards, input->ranks - 1,
                                                                        input->shards, input->ranks, &init, 4));
    MESSAGE_HAS("one for each rank");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_distributed_reduce(reduce, NULL, input->ranks, input->shards, input->ranks, &init, 4));
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_distributed_reduce(reduce, input->shards, input->ranks, input->shards, input->ranks, &init, 3));
    memcpy(wrong, input->shards, sizeof wrong);
    wrong[1].type = "float32";
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_distributed_reduce(reduce, wrong, input->ranks, input->shards, input->ranks, &init, 4));
    MESSAGE_HAS("rank 1 (device 0)");
    MESSAGE_HAS("float32");
    wrong[1].type = NULL;
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_distributed_reduce(reduce, wrong, input->ranks, input->shards, input->ranks, &init, 4));
    MESSAGE_HAS("element 1 has NULL for its type");
    wrong[1] = input->shards[0];
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_distributed_reduce(reduce, wrong, input->ranks, input->shards, input->ranks, &init, 4));
    MESSAGE_HAS("memory of device 1, expected of device 0");
    wrong[1] = input->shards[1];
    wrong[1].count = most_elements + 1;
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_distributed_reduce(reduce, wrong, input->ranks, input->shards, input->ranks, &init, 4));
    MESSAGE_HAS("expected room for");
    wrong[1].memory = NULL;
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_distributed_reduce(reduce, wrong, input->ranks, input->shards, input->ranks, &init, 4));
    MESSAGE_HAS("it has no memory");
    wrong[1].memory = (cuprum_buffer)(void*)communicator;
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE,
               cuprum_distributed_reduce(reduce, wrong, input->ranks, input->shards, input->ranks, &init, 4));
    MESSAGE_HAS("element 1");
    FAILS_WITH(CUPRUM_ERROR_INVALID_ARGUMENT,
               cuprum_distributed_radix_sort(reduce, input->shards, input->ranks, input->shards, input->ranks, NULL, 0,
                                             NULL, 0));
    MESSAGE_HAS("expected a radix sort");
    SUCCEEDS(cuprum_distributed_algorithm_destroy(reduce));
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE,
               cuprum_distributed_reduce(reduce, input->shards, input->ranks, input->shards, input->ranks, &init, 4));
    MESSAGE_HAS("destroyed");
}

/* What was built for a communicator, and its streams, outlive it. */
static void check_lifetime(cuprum_communicator communicator, cuprum_parallel_operator plus,
                           const struct spread* input) {
    const uint64_t one_each[most_ranks] = {1, 1, 1};
    cuprum_distributed_algorithm reduce = NULL;
    cuprum_stream stream = NULL;
    struct spread sums;
    uint32_t size = 0;
    int32_t device = -1;
    allocate(&sums, devices[input->ranks - 2], input->ranks, one_each, "int32", 4);
    SUCCEEDS(cuprum_distributed_reduce_build(&reduce, communicator, "int32", plus, "int32"));
    SUCCEEDS(cuprum_communicator_stream(&stream, communicator, 1));
    SUCCEEDS(cuprum_communicator_sync(communicator));
    SUCCEEDS(cuprum_communicator_destroy(communicator));
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_communicator_size(&size, communicator));
    FAILS_WITH(CUPRUM_ERROR_INVALID_HANDLE, cuprum_communicator_destroy(communicator));
    SUCCEEDS(cuprum_distributed_reduce(reduce, input->shards, input->ranks, sums.shards, sums.ranks, NULL, 0));
    SUCCEEDS(cuprum_distributed_algorithm_destroy(reduce));
    SUCCEEDS(cuprum_stream_device(&device, stream));
    CHECK(device == devices[input->ranks - 2][1]);
    SUCCEEDS(cuprum_buffer_fill(input->memory[1], 0, 4, stream));
    SUCCEEDS(cuprum_stream_sync(stream));
    SUCCEEDS(cuprum_stream_destroy(stream));
    destroy(&sums);
}

void test_distributed(void) {
    static int32_t numbers[most_elements];
    static const uint64_t counts[2][most_ranks] = {{300, 400, 0}, {250, 0, 450}};
    cuprum_parallel_operator plus = NULL;
    struct spread input;
    uint32_t ranks;
    int i;
    for (i = 0; i < most_elements; ++i) {
        numbers[i] = i * 7919 % 211 - 100;
    }
    SUCCEEDS(cuprum_parallel_operator_create(&plus, "plus", NULL, NULL, 0));
    for (ranks = 2; ranks <= most_ranks; ++ranks) {
        cuprum_communicator communicator = make_communicator(ranks);
        allocate(&input, devices[ranks - 2], ranks, counts[ranks - 2], "int32", 4);
        fill(&input, numbers);
        check_sums(communicator, plus, &input, numbers, most_elements);
        check_sort(communicator, &input, numbers, most_elements);
        check_counts(communicator, plus, &input, numbers, most_elements);
        if (ranks == 2) {
            check_refusals(communicator, plus, &input);
        }
        check_lifetime(communicator, plus, &input);
        destroy(&input);
    }
    SUCCEEDS(cuprum_communicator_destroy(NULL));
    SUCCEEDS(cuprum_distributed_algorithm_destroy(NULL));
    SUCCEEDS(cuprum_reduced_shards_destroy(NULL));
    SUCCEEDS(cuprum_parallel_operator_destroy(plus));
}
