package io.cuprum;

import io.cuprum.internal.CuprumNative;
import io.cuprum.internal.Operations;

/**
 * How kernels read an image: an argument of type {@code cudaTextureObject_t}. It keeps its array. Close it when no kernel
 * uses it any more.
 */
public final class TextureObject extends TextureObjectMembers {
    private final ResourceDescriptor resource;
    private final TextureObjectOptions options;

    TextureObject(long handle, ResourceDescriptor resource, TextureObjectOptions options) {
        super(handle, CuprumNative::cuprum_texture_object_destroy);
        this.resource = resource;
        this.options = options;
    }

    static TextureObject create(Device device, ResourceDescriptor resource, TextureObjectOptions given) {
        TextureObjectOptions options = given.copy();
        long[] made = new long[1];
        int on = device.deviceId();
        resource.object().with(Operations.TEXTURE_OBJECT_OF_OPAQUE_ARRAY, source -> {
            options.give((x, y, z, filter, read, normalized, srgb, trilinear, seamless, anisotropy, mipmapFilter, bias,
                    least, most, borderX, borderY, borderZ, borderW) -> {
                switch (resource.kind()) {
                    case OPAQUE_ARRAY -> CuprumNative.cuprum_texture_object_of_opaque_array(made, on, source, x, y, z,
                            filter, read, normalized, srgb, trilinear, seamless, anisotropy, mipmapFilter, bias, least,
                            most, borderX, borderY, borderZ, borderW);
                    case MIPMAPPED_ARRAY -> CuprumNative.cuprum_texture_object_of_mipmapped_array(made, on, source, x, y,
                            z, filter, read, normalized, srgb, trilinear, seamless, anisotropy, mipmapFilter, bias,
                            least, most, borderX, borderY, borderZ, borderW);
                    case LINEAR -> CuprumNative.cuprum_texture_object_of_linear(made, on, source,
                            resource.format().ordinal(), resource.numChannels(), resource.sizeBytes(), x, y, z, filter,
                            read, normalized, srgb, trilinear, seamless, anisotropy, mipmapFilter, bias, least, most,
                            borderX, borderY, borderZ, borderW);
                    default -> CuprumNative.cuprum_texture_object_of_pitch2d(made, on, source,
                            resource.format().ordinal(), resource.numChannels(), resource.width(), resource.height(),
                            resource.pitchBytes(), x, y, z, filter, read, normalized, srgb, trilinear, seamless,
                            anisotropy, mipmapFilter, bias, least, most, borderX, borderY, borderZ, borderW);
                }
            });
            return null;
        });
        return new TextureObject(made[0], resource, options);
    }

    /** {@return what it was made of} */
    public ResourceDescriptor resource() {
        return resource;
    }

    /** {@return how it reads} */
    public TextureObjectOptions options() {
        return options.copy();
    }
}
