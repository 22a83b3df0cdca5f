package io.cuprum;

import java.util.Objects;

/**
 * How the L2 cache treats a kernel's accesses to one range of device memory.
 *
 * @param address the address of the range
 * @param size the size in bytes, at least 1
 * @param hitRatio the fraction of the accesses, 0 to 1, that {@code hit} applies to
 * @param hit how those accesses are cached
 * @param miss how all other accesses are cached; cannot be persisting
 */
public record AccessPolicyWindow(long address, long size, float hitRatio, AccessProperty hit, AccessProperty miss) {
    /**
     * Refuses null and an empty range.
     *
     * @param address the address of the range
     * @param size the size in bytes, at least 1
     * @param hitRatio the fraction of the accesses, 0 to 1, that {@code hit} applies to
     * @param hit how those accesses are cached
     * @param miss how all other accesses are cached; cannot be persisting
     */
    public AccessPolicyWindow {
        Objects.requireNonNull(hit, "hit");
        Objects.requireNonNull(miss, "miss");
        if (size == 0) {
            throw new IllegalArgumentException("an access policy window of 0 bytes: leave it out instead");
        }
    }
}
