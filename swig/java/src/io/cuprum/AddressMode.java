package io.cuprum;

/** What lies outside an image. */
public enum AddressMode {
    /** Its edge. */
    CLAMP,
    /** The image again. */
    WRAP,
    /** Its mirror image. */
    MIRROR,
    /** The border's colour. */
    BORDER
}
