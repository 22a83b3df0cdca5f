package io.cuprum;

/** How a texture object reads. The setters return these options, so that they can be chained. */
public final class TextureObjectOptions {
    private final AddressMode[] addressModes = {AddressMode.CLAMP, AddressMode.CLAMP, AddressMode.CLAMP};
    private FilterMode filterMode = FilterMode.POINT;
    private ReadMode readMode = ReadMode.ELEMENT_TYPE;
    private boolean normalizedCoords;
    private boolean srgb;
    private boolean disableTrilinearOptimization;
    private boolean seamlessCubemap;
    private int maxAnisotropy;
    private FilterMode mipmapFilterMode = FilterMode.POINT;
    private float mipmapLevelBias;
    private float minMipmapLevelClamp;
    private float maxMipmapLevelClamp;
    private float[] borderColor = new float[4];

    /** The nearest element, clamped, by element numbers. */
    public TextureObjectOptions() {}

    /**
     * What lies outside. Without normalized coordinates wrapping and mirroring clamp.
     *
     * @param modes one for all axes, or one for each of the first ones; the last one holds for the others
     * @return this
     */
    public TextureObjectOptions addressMode(AddressMode... modes) {
        if (modes.length < 1 || modes.length > 3) {
            throw new IllegalArgumentException("give 1 to 3 address modes, not " + modes.length);
        }
        for (int axis = 0; axis < 3; ++axis) {
            addressModes[axis] = modes[Math.min(axis, modes.length - 1)];
        }
        return this;
    }

    /**
     * What the texture gives between elements.
     *
     * @param mode the mode
     * @return this
     */
    public TextureObjectOptions filterMode(FilterMode mode) {
        filterMode = mode;
        return this;
    }

    /**
     * What kernels get of integers of 8 and 16 bits.
     *
     * @param mode the mode
     * @return this
     */
    public TextureObjectOptions readMode(ReadMode mode) {
        readMode = mode;
        return this;
    }

    /**
     * Whether coordinates go from 0 to 1, instead of 0 to the number of elements.
     *
     * @param enabled whether they do
     * @return this
     */
    public TextureObjectOptions normalizedCoords(boolean enabled) {
        normalizedCoords = enabled;
        return this;
    }

    /**
     * Whether colours of 8 bits become linear.
     *
     * @param enabled whether they do
     * @return this
     */
    public TextureObjectOptions srgb(boolean enabled) {
        srgb = enabled;
        return this;
    }

    /**
     * Whether filtering between levels is exact.
     *
     * @param enabled whether it is
     * @return this
     */
    public TextureObjectOptions disableTrilinearOptimization(boolean enabled) {
        disableTrilinearOptimization = enabled;
        return this;
    }

    /**
     * Whether cubes are filtered over their edges.
     *
     * @param enabled whether they are
     * @return this
     */
    public TextureObjectOptions seamlessCubemap(boolean enabled) {
        seamlessCubemap = enabled;
        return this;
    }

    /**
     * How much longer than wide the footprint of a read may be.
     *
     * @param most 0 or more
     * @return this
     */
    public TextureObjectOptions maxAnisotropy(int most) {
        maxAnisotropy = most;
        return this;
    }

    /**
     * What the texture gives between levels.
     *
     * @param mode the mode
     * @return this
     */
    public TextureObjectOptions mipmapFilterMode(FilterMode mode) {
        mipmapFilterMode = mode;
        return this;
    }

    /**
     * What is added to the level of detail.
     *
     * @param bias the number
     * @return this
     */
    public TextureObjectOptions mipmapLevelBias(float bias) {
        mipmapLevelBias = bias;
        return this;
    }

    /**
     * The range of the level of detail.
     *
     * @param least the lowest level
     * @param most the highest level
     * @return this
     */
    public TextureObjectOptions mipmapLevelClamp(float least, float most) {
        minMipmapLevelClamp = least;
        maxMipmapLevelClamp = most;
        return this;
    }

    /**
     * The border's colour.
     *
     * @param x of the first channel
     * @param y of the second channel
     * @param z of the third channel
     * @param w of the fourth channel
     * @return this
     */
    public TextureObjectOptions borderColor(float x, float y, float z, float w) {
        borderColor = new float[] {x, y, z, w};
        return this;
    }

    /** {@return the address mode of each axis, x, y and z} */
    public AddressMode[] addressMode() {
        return addressModes.clone();
    }

    /** {@return what the texture gives between elements} */
    public FilterMode filterMode() {
        return filterMode;
    }

    /** {@return what kernels get of integers of 8 and 16 bits} */
    public ReadMode readMode() {
        return readMode;
    }

    /** {@return whether coordinates go from 0 to 1} */
    public boolean normalizedCoords() {
        return normalizedCoords;
    }

    /** {@return these options as they are now} */
    TextureObjectOptions copy() {
        TextureObjectOptions copy = new TextureObjectOptions();
        System.arraycopy(addressModes, 0, copy.addressModes, 0, 3);
        copy.filterMode = filterMode;
        copy.readMode = readMode;
        copy.normalizedCoords = normalizedCoords;
        copy.srgb = srgb;
        copy.disableTrilinearOptimization = disableTrilinearOptimization;
        copy.seamlessCubemap = seamlessCubemap;
        copy.maxAnisotropy = maxAnisotropy;
        copy.mipmapFilterMode = mipmapFilterMode;
        copy.mipmapLevelBias = mipmapLevelBias;
        copy.minMipmapLevelClamp = minMipmapLevelClamp;
        copy.maxMipmapLevelClamp = maxMipmapLevelClamp;
        copy.borderColor = borderColor.clone();
        return copy;
    }

    /** What a function of the native layer takes of them. */
    @FunctionalInterface
    interface Make {
        void run(int addressX, int addressY, int addressZ, int filter, int read, int normalized, int srgb, int trilinear,
                int seamless, int anisotropy, int mipmapFilter, float bias, float least, float most, float borderX,
                float borderY, float borderZ, float borderW);
    }

    void give(Make make) {
        make.run(addressModes[0].ordinal(), addressModes[1].ordinal(), addressModes[2].ordinal(), filterMode.ordinal(),
                readMode.ordinal(), normalizedCoords ? 1 : 0, srgb ? 1 : 0, disableTrilinearOptimization ? 1 : 0,
                seamlessCubemap ? 1 : 0, maxAnisotropy, mipmapFilterMode.ordinal(), mipmapLevelBias,
                minMipmapLevelClamp, maxMipmapLevelClamp, borderColor[0], borderColor[1], borderColor[2],
                borderColor[3]);
    }
}
