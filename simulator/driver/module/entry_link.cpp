// Linking at run time.
#include "driver/module/image.hpp"
#include "driver/module/link_state.hpp"
#include "driver/process/entry.hpp"

using namespace cuprum::simulator;
using namespace cuprum::simulator::libcuda;

namespace {

std::shared_ptr<LinkState> find_link(CUlinkState handle) {
    std::shared_ptr<LinkState> link = handles().links.find(handle);
    if (!link) {
        throw DriverError(CUDA_ERROR_INVALID_HANDLE,
                          describe_bad_handle(HandleKind::link, reinterpret_cast<uint64_t>(handle)));
    }
    return link;
}

// The options of an input replace none of the link's own here: they are about the machine code made of it.
void check_options(unsigned int count, CUjit_option* options, void** values) {
    const JitOptions checked(count, options, values);
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuLinkCreate_v2(unsigned int count, CUjit_option* options, void** values, CUlinkState* state) {
    return entry("cuLinkCreate", [&] {
        require_pointer(state, "stateOut");
        const std::shared_ptr<Context> context = current_context();
        *state = handles().links.insert(
            std::make_shared<LinkState>(context->device().model(), JitOptions(count, options, values)));
    });
}

CUresult CUDAAPI cuLinkCreate(unsigned int count, CUjit_option* options, void** values, CUlinkState* state) {
    return cuLinkCreate_v2(count, options, values, state);
}

CUresult CUDAAPI cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void* data, size_t size, const char* name,
                                  unsigned int count, CUjit_option* options, void** values) {
    return entry("cuLinkAddData", [&] {
        const std::shared_ptr<LinkState> link = find_link(state);
        require_pointer(data, "data");
        check_options(count, options, values);
        link->add(type, data, size, name ? name : "<unnamed>");
    });
}

CUresult CUDAAPI cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t size, const char* name,
                               unsigned int count, CUjit_option* options, void** values) {
    return cuLinkAddData_v2(state, type, data, size, name, count, options, values);
}

CUresult CUDAAPI cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char* path, unsigned int count,
                                  CUjit_option* options, void** values) {
    return entry("cuLinkAddFile", [&] {
        const std::shared_ptr<LinkState> link = find_link(state);
        check_options(count, options, values);
        const std::vector<char> bytes = read_image_file(path);
        link->add(type, bytes.data(), bytes.size() - 1, path);
    });
}

CUresult CUDAAPI cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned int count,
                               CUjit_option* options, void** values) {
    return cuLinkAddFile_v2(state, type, path, count, options, values);
}

CUresult CUDAAPI cuLinkComplete(CUlinkState state, void** image, size_t* size) {
    return entry("cuLinkComplete", [&] {
        require_pointer(image, "cubinOut");
        const std::string& object = find_link(state)->complete();
        *image = const_cast<char*>(object.data());
        if (size != nullptr) *size = object.size();
    });
}

CUresult CUDAAPI cuLinkDestroy(CUlinkState state) {
    return entry("cuLinkDestroy", [&] {
        find_link(state);
        handles().links.remove(state);
    });
}

}  // extern "C"
