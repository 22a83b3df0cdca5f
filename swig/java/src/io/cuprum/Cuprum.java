package io.cuprum;

import io.cuprum.internal.CuprumNative;

/** What belongs to no object. */
public final class Cuprum {
    private Cuprum() {}

    /**
     * Launches a kernel; the same as {@link Stream#launch}, in cuda.core's order.
     *
     * @param stream where
     * @param config grid, block, shared memory
     * @param kernel what to launch
     * @param arguments one for each parameter
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

    /** {@return how many native objects are alive in this process, for leak tests} */
    public static long liveHandles() {
        long[] count = new long[1];
        CuprumNative.cuprum_live_handles(count);
        return count[0];
    }
}
