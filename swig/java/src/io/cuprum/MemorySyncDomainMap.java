package io.cuprum;

/**
 * The hardware domain of the device that each {@link MemorySyncDomain} stands for.
 *
 * @param defaultDomain the hardware domain of {@link MemorySyncDomain#DEFAULT}, counted from 0
 * @param remote the hardware domain of {@link MemorySyncDomain#REMOTE}, counted from 0
 */
public record MemorySyncDomainMap(int defaultDomain, int remote) {}
