package io.cuprum;

import io.cuprum.internal.CuprumNative;

/** The driver as NVIDIA's management library (NVML) describes it. */
public final class SystemInfo {
    private SystemInfo() {}

    /** {@return the version of the kernel's driver, "580.65.06"} */
    public static String kernelModeDriverVersion() {
        String[] text = new String[1];
        CuprumNative.cuprum_system_kernel_mode_driver_version(text);
        return text[0];
    }

    /** {@return NVML's version} */
    public static String nvmlVersion() {
        String[] text = new String[1];
        CuprumNative.cuprum_system_nvml_version(text);
        return text[0];
    }

    /** {@return the branch of the driver, "r580_00"} */
    public static String driverBranch() {
        String[] text = new String[1];
        CuprumNative.cuprum_system_driver_branch(text);
        return text[0];
    }

    /**
     * {@return the name of a process}
     *
     * @param pid its number
     * @throws InvalidArgumentException when there is no such process
     */
    public static String processName(long pid) {
        String[] text = new String[1];
        CuprumNative.cuprum_system_process_name(text, pid);
        return text[0];
    }
}
