// Arrays, textures and surfaces for the tests of execution, by the driver's own calls.
#pragma once

#include <cstring>

#include "cuprum/bindings/driver.hpp"
#include "execution.hpp"

namespace cuprum::core {

namespace driver = cuprum::bindings::driver;

inline void require(CUresult result, const char* what) {
    if (result != CUDA_SUCCESS) throw std::runtime_error(std::string(what) + " returned " + std::to_string(result));
}

// Its objects live until the test ends.
class Images : public Execution {
protected:
    void SetUp() override { device.set_current(); }
    void TearDown() override {
        for (const CUtexObject texture : textures_)
            EXPECT_EQ(driver::cuTexObjectDestroy(texture), CUDA_SUCCESS);
        for (const CUsurfObject surface : surfaces_)
            EXPECT_EQ(driver::cuSurfObjectDestroy(surface), CUDA_SUCCESS);
        for (const CUarray array : arrays_)
            EXPECT_EQ(driver::cuArrayDestroy(array), CUDA_SUCCESS);
        for (const CUmipmappedArray array : mipmaps_)
            EXPECT_EQ(driver::cuMipmappedArrayDestroy(array), CUDA_SUCCESS);
    }

    CUarray array(CUDA_ARRAY3D_DESCRIPTOR descriptor) {
        CUarray made = nullptr;
        require(driver::cuArray3DCreate(&made, &descriptor), "cuArray3DCreate");
        arrays_.push_back(made);
        return made;
    }
    template <class T>
    void fill(CUarray to, const std::vector<T>& values) {
        move(to, const_cast<T*>(values.data()), true);
    }
    template <class T>
    std::vector<T> content(CUarray from, size_t count) {
        std::vector<T> values(count);
        move(from, values.data(), false);
        return values;
    }
    template <class T>
    CUarray array(CUDA_ARRAY3D_DESCRIPTOR descriptor, const std::vector<T>& values) {
        const CUarray made = array(descriptor);
        fill(made, values);
        return made;
    }
    CUmipmappedArray mipmaps(CUDA_ARRAY3D_DESCRIPTOR descriptor, unsigned int levels) {
        CUmipmappedArray made = nullptr;
        require(driver::cuMipmappedArrayCreate(&made, &descriptor, levels), "cuMipmappedArrayCreate");
        mipmaps_.push_back(made);
        return made;
    }

    static CUDA_RESOURCE_DESC resource(CUarray array) {
        CUDA_RESOURCE_DESC description{};
        description.resType = CU_RESOURCE_TYPE_ARRAY;
        description.res.array.hArray = array;
        return description;
    }
    static CUDA_RESOURCE_DESC resource(CUmipmappedArray array) {
        CUDA_RESOURCE_DESC description{};
        description.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
        description.res.mipmap.hMipmappedArray = array;
        return description;
    }
    static CUDA_TEXTURE_DESC reading(CUaddress_mode mode, CUfilter_mode filter, unsigned int flags = 0) {
        CUDA_TEXTURE_DESC description{};
        for (CUaddress_mode& axis : description.addressMode)
            axis = mode;
        description.filterMode = filter;
        description.flags = flags;
        return description;
    }
    uint64_t texture(const CUDA_RESOURCE_DESC& resource, const CUDA_TEXTURE_DESC& description,
                     const CUDA_RESOURCE_VIEW_DESC* view = nullptr) {
        CUtexObject made = 0;
        require(driver::cuTexObjectCreate(&made, &resource, &description, view), "cuTexObjectCreate");
        textures_.push_back(made);
        return made;
    }
    uint64_t surface(CUarray array) {
        const CUDA_RESOURCE_DESC description = resource(array);
        CUsurfObject made = 0;
        require(driver::cuSurfObjectCreate(&made, &description), "cuSurfObjectCreate");
        surfaces_.push_back(made);
        return made;
    }

    // Runs a kernel (float* out, const float* in, texture) of `threads` threads and gives what it wrote.
    std::vector<float> floats(const ObjectCode& object, const char* kernel, size_t count, uint64_t image,
                              const std::vector<float>& in, uint32_t threads) {
        const Buffer out = test::buffer_of(device, std::vector<float>(count, -1000.0f));
        const Buffer read = test::buffer_of(device, in);
        run(object, kernel, LaunchConfig{1, threads}, out, read, image);
        return test::values_of<float>(out);
    }

private:
    static void move(CUarray array, void* host, bool to_array) {
        CUDA_ARRAY3D_DESCRIPTOR shape{};
        require(driver::cuArray3DGetDescriptor(&shape, array), "cuArray3DGetDescriptor");
        const size_t bytes = shape.Format == CU_AD_FORMAT_FLOAT || shape.Format == CU_AD_FORMAT_UNSIGNED_INT32 ||
                                     shape.Format == CU_AD_FORMAT_SIGNED_INT32
                                 ? 4
                             : shape.Format == CU_AD_FORMAT_UNSIGNED_INT8 || shape.Format == CU_AD_FORMAT_SIGNED_INT8
                                 ? 1
                                 : 2;
        CUDA_MEMCPY3D copy{};
        copy.WidthInBytes = shape.Width * bytes * shape.NumChannels;
        copy.Height = std::max<size_t>(shape.Height, 1);
        copy.Depth = std::max<size_t>(shape.Depth, 1);
        copy.srcPitch = copy.dstPitch = copy.WidthInBytes;
        copy.srcHeight = copy.dstHeight = copy.Height;
        copy.srcMemoryType = to_array ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
        copy.dstMemoryType = to_array ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
        copy.srcHost = copy.dstHost = host;
        copy.srcArray = copy.dstArray = array;
        require(driver::cuMemcpy3D(&copy), "cuMemcpy3D");
    }

    std::vector<CUtexObject> textures_;
    std::vector<CUsurfObject> surfaces_;
    std::vector<CUarray> arrays_;
    std::vector<CUmipmappedArray> mipmaps_;
};

}  // namespace cuprum::core
