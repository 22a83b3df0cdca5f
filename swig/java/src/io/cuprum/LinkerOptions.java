package io.cuprum;

import java.util.ArrayList;
import java.util.List;

/**
 * Options of one linker, under cuda.core's names. An option that is not set has nvJitLink's default. The setters return
 * these options, so that they can be chained.
 */
public final class LinkerOptions {
    private String name = "default_linker";
    private final List<String> options = new ArrayList<>();

    /** All defaults. */
    public LinkerOptions() {}

    /** {@return the name of the linked code, in errors} */
    public String name() {
        return name;
    }

    /**
     * The name of the linked code, in errors.
     *
     * @param name such as "solver"
     * @return this
     */
    public LinkerOptions name(String name) {
        this.name = name;
        return this;
    }

    /**
     * The architecture to link for; else that of device 0.
     *
     * @param arch "sm_90" or "compute_90"
     * @return this
     */
    public LinkerOptions arch(String arch) {
        return add("-arch=" + arch);
    }

    /**
     * Limits the registers of each thread.
     *
     * @param count the most registers
     * @return this
     */
    public LinkerOptions maxRegisterCount(int count) {
        return add("-maxrregcount=" + count);
    }

    /**
     * Writes the time of each phase to the info log.
     *
     * @param enabled false changes nothing
     * @return this
     */
    public LinkerOptions time(boolean enabled) {
        return enabled ? add("-time") : this;
    }

    /**
     * Writes registers and memory of each kernel to the info log.
     *
     * @param enabled false changes nothing
     * @return this
     */
    public LinkerOptions verbose(boolean enabled) {
        return enabled ? add("-verbose") : this;
    }

    /**
     * Optimises across all inputs. LTO-IR turns it on.
     *
     * @param enabled false changes nothing
     * @return this
     */
    public LinkerOptions linkTimeOptimization(boolean enabled) {
        return enabled ? add("-lto") : this;
    }

    /**
     * Creates the nvJitLink handle for PTX. {@link Linker#link} decides by its target.
     *
     * @param enabled false changes nothing
     * @return this
     */
    public LinkerOptions ptx(boolean enabled) {
        return enabled ? add("-ptx") : this;
    }

    /**
     * How much to optimise.
     *
     * @param level 0 or 3
     * @return this
     */
    public LinkerOptions optimizationLevel(int level) {
        return add("-O" + level);
    }

    /**
     * Generates debug information.
     *
     * @param enabled false changes nothing
     * @return this
     */
    public LinkerOptions debug(boolean enabled) {
        return enabled ? add("-g") : this;
    }

    /**
     * Generates line numbers.
     *
     * @param enabled false changes nothing
     * @return this
     */
    public LinkerOptions lineinfo(boolean enabled) {
        return enabled ? add("-lineinfo") : this;
    }

    /**
     * Whether single-precision denormals are flushed to zero, in LTO-IR.
     *
     * @param enabled true to enable it, false to disable it
     * @return this
     */
    public LinkerOptions ftz(boolean enabled) {
        return add("-ftz=" + (enabled ? 1 : 0));
    }

    /**
     * Whether single-precision divisions are rounded correctly, in LTO-IR.
     *
     * @param enabled true to enable it, false to disable it
     * @return this
     */
    public LinkerOptions precDiv(boolean enabled) {
        return add("-prec-div=" + (enabled ? 1 : 0));
    }

    /**
     * Whether single-precision square roots are rounded correctly, in LTO-IR.
     *
     * @param enabled true to enable it, false to disable it
     * @return this
     */
    public LinkerOptions precSqrt(boolean enabled) {
        return add("-prec-sqrt=" + (enabled ? 1 : 0));
    }

    /**
     * Whether multiplications and additions are contracted, in LTO-IR.
     *
     * @param enabled true to enable it, false to disable it
     * @return this
     */
    public LinkerOptions fma(boolean enabled) {
        return add("-fma=" + (enabled ? 1 : 0));
    }

    /**
     * Kernels that are used; others may be removed.
     *
     * @param names names, or name expressions of the inputs
     * @return this
     */
    public LinkerOptions kernelsUsed(String... names) {
        for (String text : names) {
            add("-kernels-used=" + text);
        }
        return this;
    }

    /**
     * Variables that are used; others may be removed.
     *
     * @param names names, or name expressions of the inputs
     * @return this
     */
    public LinkerOptions variablesUsed(String... names) {
        for (String text : names) {
            add("-variables-used=" + text);
        }
        return this;
    }

    /**
     * Removes variables that no code uses.
     *
     * @param enabled false changes nothing
     * @return this
     */
    public LinkerOptions optimizeUnusedVariables(boolean enabled) {
        return enabled ? add("-optimize-unused-variables") : this;
    }

    /**
     * Passes options to the assembler.
     *
     * @param texts such as "-v"
     * @return this
     */
    public LinkerOptions ptxasOptions(String... texts) {
        for (String text : texts) {
            add("-Xptxas=" + text);
        }
        return this;
    }

    /**
     * How many threads compile.
     *
     * @param threads 0 for one for each core
     * @return this
     */
    public LinkerOptions splitCompile(int threads) {
        return add("-split-compile=" + threads);
    }

    /**
     * The same, split further, which may make the code slower.
     *
     * @param threads 0 for one for each core
     * @return this
     */
    public LinkerOptions splitCompileExtended(int threads) {
        return add("-split-compile-extended=" + threads);
    }

    /**
     * Turns off nvJitLink's own cache.
     *
     * @param enabled false changes nothing
     * @return this
     */
    public LinkerOptions noCache(boolean enabled) {
        return enabled ? add("-no-cache") : this;
    }

    /**
     * Passes one of nvJitLink's own options on as it is.
     *
     * @param option such as "-lineinfo"
     * @return this
     */
    public LinkerOptions extraOption(String option) {
        return add(option);
    }

    String[] toLinkOptions() {
        return options.toArray(new String[0]);
    }

    private LinkerOptions add(String option) {
        options.add(option);
        return this;
    }
}
