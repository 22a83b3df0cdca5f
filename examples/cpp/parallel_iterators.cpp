// Iterators made of each other: cards dealt in a random order, written where the order says and read backwards in
// steps.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

#include <cuprum/cuprum.hpp>
#include <cuprum/parallel/parallel.hpp>

int main() {
    using namespace cuprum::core;
    using namespace cuprum::parallel;
    constexpr int cards = 52;
    const Device device(0);
    const Stream stream = device.create_stream();
    const Buffer table = device.allocate(cards * sizeof(int));
    const Buffer sum = device.allocate(sizeof(int));

    // Card i goes to place shuffle(i): the order is in no memory.
    const Iterator deck = Iterator::counting(1);
    const Iterator places = Iterator::permutation(Iterator::pointer<int>(table), Iterator::shuffle(cards, 2026));
    const Transform deal(deck, OpKind::identity, Type::of<int>(), device, {.outputs = {places}});
    deal(stream, deck, places, cards);

    // Every fourth card from the last one backwards: one player's hand.
    const Iterator hand = Iterator::strided(Iterator::pointer<int>(table), -4, cards - 1);
    const Reduce add(hand, OpKind::plus, Type::of<int>(), device);
    add(stream, hand, sum, cards / 4, 0);
    stream.sync();

    std::vector<int> dealt(cards);
    int total = 0;
    table.copy_to_host(dealt);
    sum.copy_to_host(&total, sizeof(total));
    int expected = 0;
    for (int place = cards - 1; place >= 0; place -= 4)
        expected += dealt[static_cast<size_t>(place)];
    std::sort(dealt.begin(), dealt.end());
    std::vector<int> all(cards);
    std::iota(all.begin(), all.end(), 1);
    const bool is_right = dealt == all && total == expected;
    std::printf("each card once, a hand of %d %s\n", total, is_right ? "ok" : "WRONG");
    return is_right ? 0 : 1;
}
