// Iterators made of each other: cards dealt in a random order, written where it says and read backwards in steps.
// usage: mono ParallelIterators.exe

using System;
using System.Linq;
using Cuprum;
using Buffer = Cuprum.Buffer;

internal static class ParallelIterators {
    private const int Cards = 52;

    private static int Main() {
        var device = new Device(0);
        var dealt = new int[Cards];
        var total = new int[1];
        using (Stream stream = device.CreateStream())
        using (Buffer table = device.Allocate(sizeof(int) * Cards))
        using (Buffer sum = device.Allocate(sizeof(int)))
        using (ElementIterator deck = ElementIterator.Counting(1))
        using (ElementIterator onTable = ElementIterator.Of<int>(table))
        // Card i goes to place shuffle(i): the order is in no memory.
        using (ElementIterator order = ElementIterator.Shuffle(Cards, 2026))
        using (ElementIterator places = onTable.Permute(order))
        using (var identity = new Operator(OpKind.Identity))
        using (var deal = new Transform<int>(device, deck, identity, places))
        // Every fourth card from the last one backwards: one player's hand.
        using (ElementIterator hand = onTable.Strided(-4, Cards - 1))
        using (var plus = new Operator(OpKind.Plus))
        using (var add = new Reduce<int>(device, hand, plus)) {
            deal.Call(stream, deck, places, Cards);
            add.Call(stream, hand, sum, Cards / 4, 0);
            stream.Sync();
            table.CopyTo(dealt);
            sum.CopyTo(total);
        }
        int expected = Enumerable.Range(0, Cards / 4).Sum(i => dealt[Cards - 1 - 4 * i]);
        Array.Sort(dealt);
        bool ok = dealt.SequenceEqual(Enumerable.Range(1, Cards)) && total[0] == expected;
        Console.WriteLine("each card once, a hand of " + total[0] + ": " + (ok ? "ok" : "WRONG"));
        return ok ? 0 : 1;
    }
}
