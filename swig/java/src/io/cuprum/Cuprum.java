package io.cuprum;

import io.cuprum.internal.CuprumNative;
import java.util.LinkedHashMap;
import java.util.Map;

/** Functions that do not belong to an object. */
public final class Cuprum {
    private Cuprum() {}

    /**
     * Launches a kernel; the same as {@link Stream#launch}, in cuda.core's order.
     *
     * @param stream the stream to launch in
     * @param config grid, block, shared memory
     * @param kernel the kernel to launch
     * @param arguments one argument for each parameter
     */
    public static void launch(Stream stream, LaunchConfig config, Kernel kernel, Object... arguments) {
        stream.launch(config, kernel, arguments);
    }

    /** {@return Cuprum's version, "0.1.0"} */
    public static String version() {
        int[] version = new int[1];
        CuprumNative.cuprum_version(version);
        return version[0] / 1_000_000 + "." + version[0] / 1_000 % 1_000 + "." + version[0] % 1_000;
    }

    /** {@return the driver's version: major * 1000 + minor * 10} */
    public static int driverVersion() {
        int[] version = new int[1];
        CuprumNative.cuprum_driver_version(version);
        return version[0];
    }

    /** {@return NVRTC's version, "13.0"} */
    public static String nvrtcVersion() {
        int[] major = new int[1];
        int[] minor = new int[1];
        CuprumNative.cuprum_nvrtc_version(major, minor);
        return major[0] + "." + minor[0];
    }

    /** {@return a report of driver, toolkit parts and devices, as JSON} */
    public static String infoJson() {
        String[] json = new String[1];
        CuprumNative.cuprum_info_json(json);
        return json[0];
    }

    /** {@return folder, size and statistics of the compile cache} */
    public static CompileCacheInfo compileCacheInfo() {
        String[] directory = new String[1];
        String[] reason = new String[1];
        CuprumNative.cuprum_compile_cache_directory(directory, reason);
        long[] entries = new long[1];
        long[] size = new long[1];
        long[] limit = new long[1];
        CuprumNative.cuprum_compile_cache_size(entries, size, limit);
        long[] hits = new long[1];
        long[] misses = new long[1];
        long[] bypassed = new long[1];
        long[] dropped = new long[1];
        long[] evicted = new long[1];
        CuprumNative.cuprum_compile_cache_statistics(hits, misses, bypassed, dropped, evicted);
        return new CompileCacheInfo(
                directory[0],
                reason[0],
                limit[0],
                entries[0],
                size[0],
                hits[0],
                misses[0],
                bypassed[0],
                dropped[0],
                evicted[0]);
    }

    /**
     * Reads every entry of the compile cache, and removes those that are damaged or that another version of Cuprum has
     * written.
     *
     * @return how many there were of each
     */
    public static CompileCacheCheck verifyCompileCache() {
        long[] intact = new long[1];
        long[] removed = new long[1];
        CuprumNative.cuprum_compile_cache_verify(intact, removed);
        return new CompileCacheCheck(intact[0], removed[0]);
    }

    /** Removes all entries of the compile cache. */
    public static void clearCompileCache() {
        CuprumNative.cuprum_compile_cache_clear();
    }

    /** {@return how many native objects are alive in this process, for leak tests} */
    public static long liveHandles() {
        long[] count = new long[1];
        CuprumNative.cuprum_live_handles(count);
        return count[0];
    }

    /** {@return how many native objects of each kind are alive in this process, by the kind's name: "stream"} */
    public static Map<String, Long> liveObjects() {
        long[] kinds = new long[1];
        CuprumNative.cuprum_handle_kind_count(kinds);
        Map<String, Long> counts = new LinkedHashMap<>();
        for (long kind = 0; kind < kinds[0]; ++kind) {
            String[] name = new String[1];
            long[] count = new long[1];
            CuprumNative.cuprum_live_handles_of_kind(name, count, kind);
            counts.put(name[0], count[0]);
        }
        return counts;
    }
}
