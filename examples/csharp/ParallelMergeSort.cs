// A merge sort by a comparison of one's own: structs, stable, and numbers with values that move with them.
// usage: mono ParallelMergeSort.exe

using System;
using System.Linq;
using Cuprum;

internal static class ParallelMergeSort {
    private struct Point {
        public float x;
        public int tag;
    }

    private static int Main() {
        int[] keys = Enumerable.Range(0, 5000).Select(i => (int)(i * 7919L % 10007)).ToArray();
        int[] positions = Enumerable.Range(0, keys.Length).ToArray();
        Point[] points = keys.Select((key, i) => new Point { x = key % 100, tag = i }).ToArray();
        Parallel.Sort(points, (a, b) => a["x"] < b["x"]);
        Parallel.SortByKey(keys, positions, (a, b) => a % 100 < b % 100);

        // Both sorts are stable and by the same remainder, so they agree.
        bool ok = keys.Select(key => key % 100).SequenceEqual(keys.Select(key => key % 100).OrderBy(key => key))
            && points.Select(point => point.tag).SequenceEqual(positions);
        Console.WriteLine("first {0}, last {1}: {2}", positions[0], positions.Last(), ok ? "ok" : "WRONG");
        return ok ? 0 : 1;
    }
}
