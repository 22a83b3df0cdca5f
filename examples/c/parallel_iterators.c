/* Iterators made of each other: cards dealt in a random order, written where it says and read backwards in steps. */
#include <stdint.h>

#include "example.h"

enum { cards = 52 };

int main(void) {
    const int32_t one = 1, zero = 0;
    int32_t dealt[cards], seen[cards + 1] = {0}, total = 0, expected = 0;
    uint64_t table_address = 0, sum_address = 0;
    cuprum_parallel_operator identity, plus;
    cuprum_parallel_iterator deck, on_table, order, places, hand;
    cuprum_parallel_algorithm deal, add;
    cuprum_stream stream;
    cuprum_buffer table, sum;
    int i, ok = 1;

    must(cuprum_stream_create(&stream, 0, NULL));
    must(cuprum_buffer_allocate(&table, 0, sizeof dealt, stream));
    must(cuprum_buffer_allocate(&sum, 0, sizeof total, stream));
    must(cuprum_buffer_native(&table_address, table));
    must(cuprum_buffer_native(&sum_address, sum));

    /* Card i goes to place shuffle(i): the order is in no memory. */
    must(cuprum_parallel_operator_create(&identity, "identity", NULL, NULL, 0));
    must(cuprum_parallel_iterator_counting(&deck, "int32", &one, sizeof one));
    must(cuprum_parallel_iterator_pointer(&on_table, "int32", table_address));
    must(cuprum_parallel_iterator_shuffle(&order, cards, 2026));
    must(cuprum_parallel_iterator_permutation(&places, on_table, order));
    must(cuprum_parallel_transform_build(&deal, NULL, deck, NULL, identity, "int32", places));
    must(cuprum_parallel_transform(deal, stream, deck, NULL, 0, places, cards, NULL));

    /* Every fourth card from the last one backwards: one player's hand. */
    must(cuprum_parallel_operator_create(&plus, "plus", NULL, NULL, 0));
    must(cuprum_parallel_iterator_strided(&hand, on_table, -4, cards - 1));
    must(cuprum_parallel_reduce_build(&add, NULL, hand, plus, "int32", NULL));
    must(cuprum_parallel_reduce(add, stream, hand, sum_address, NULL, cards / 4, &zero, sizeof zero, NULL, 0, 0));
    must(cuprum_buffer_copy_to_host(dealt, table, 0, sizeof dealt, stream));
    must(cuprum_buffer_copy_to_host(&total, sum, 0, sizeof total, stream));
    must(cuprum_stream_sync(stream));

    for (i = 0; i < cards; ++i) {
        ok = ok && dealt[i] >= 1 && dealt[i] <= cards && seen[dealt[i]]++ == 0;
    }
    for (i = cards - 1; i >= 0; i -= 4) {
        expected += dealt[i];
    }
    ok = ok && total == expected;
    printf("each card once, a hand of %d: %s\n", (int)total, ok ? "ok" : "WRONG");
    must(cuprum_parallel_algorithm_destroy(add));
    must(cuprum_parallel_algorithm_destroy(deal));
    must(cuprum_parallel_iterator_destroy(hand));
    must(cuprum_parallel_iterator_destroy(places));
    must(cuprum_parallel_iterator_destroy(order));
    must(cuprum_parallel_iterator_destroy(on_table));
    must(cuprum_parallel_iterator_destroy(deck));
    must(cuprum_parallel_operator_destroy(plus));
    must(cuprum_parallel_operator_destroy(identity));
    must(cuprum_buffer_destroy(sum));
    must(cuprum_buffer_destroy(table));
    must(cuprum_stream_destroy(stream));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
