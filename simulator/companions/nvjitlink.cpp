// libnvJitLink, before the real one: a link for a real architecture (sm_80) makes the simulator's own object.
// Everything else, links to PTX included, is forwarded.
#define NVJITLINK_NO_INLINE
#include <nvJitLink.h>

#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "companions/architecture.hpp"
#include "companions/link_session.hpp"
#include "companions/real_library.hpp"

#pragma GCC visibility push(default)

using namespace cuprum::simulator;

namespace {

companions::RealLibrary& real() {
    static auto* const library = new companions::RealLibrary(companions::nvjitlink_kind(CUPRUM_COMPANION_MAJOR));
    return *library;
}

// For what LTO-IR must be made of (LinkSession).
companions::RealLibrary& nvrtc() {
    static auto* const library = new companions::RealLibrary(companions::nvrtc_kind(CUPRUM_COMPANION_MAJOR));
    return *library;
}

template <typename... Arguments>
nvJitLinkResult forward(const char* name, Arguments... arguments) {
    return companions::forward(real(), NVJITLINK_ERROR_INTERNAL, name, arguments...);
}

using Session = std::shared_ptr<companions::LinkSession>;

// The handles that are ours; every other one is the real library's.
class Sessions {
public:
    nvJitLinkHandle add(Session session) {
        const std::lock_guard lock(mutex_);
        const auto handle = reinterpret_cast<nvJitLinkHandle>(session.get());
        sessions_.emplace(handle, std::move(session));
        return handle;
    }
    Session find(nvJitLinkHandle handle) {
        const std::lock_guard lock(mutex_);
        const auto found = sessions_.find(handle);
        return found == sessions_.end() ? nullptr : found->second;
    }
    bool remove(nvJitLinkHandle handle) {
        const std::lock_guard lock(mutex_);
        return sessions_.erase(handle) > 0;
    }

private:
    std::mutex mutex_;
    std::map<nvJitLinkHandle, Session> sessions_;
};

Sessions& sessions() {
    static auto* const all = new Sessions;
    return *all;
}

// 80 where the options ask for machine code of sm_80.
std::optional<uint32_t> machine_code_architecture(const std::vector<std::string>& options) {
    std::optional<uint32_t> architecture;
    for (const std::string& option : options) {
        if (option == "-ptx") return std::nullopt;
        if (option.compare(0, 6, "-arch=") == 0) architecture = companions::real_architecture(option.substr(6));
    }
    return architecture;
}

template <typename Call>
nvJitLinkResult guard(Call call) {
    try {
        return call();
    } catch (const std::bad_alloc&) {
        return NVJITLINK_ERROR_INTERNAL;
    }
}

// With the NUL that the real library counts too; an empty log has size 0.
nvJitLinkResult log_size(const std::string& log, size_t* size) {
    if (size == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
    *size = log.empty() ? 0 : log.size() + 1;
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult copy_log(const std::string& log, char* text) {
    if (log.empty()) return NVJITLINK_SUCCESS;
    if (text == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
    log.copy(text, log.size());
    text[log.size()] = '\0';
    return NVJITLINK_SUCCESS;
}

}  // namespace

extern "C" {

// The header declares only names with a version, which the build makes aliases of these.
nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle* handle, uint32_t count, const char** options);
nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle* handle);
nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType type, const void* data, size_t size,
                                 const char* name);
nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle handle, nvJitLinkInputType type, const char* path);
nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle);
nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t* size);
nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void* cubin);
nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t* size);
nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char* text);
nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t* size);
nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, char* log);
nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t* size);
nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle handle, char* log);
// What tells a companion from the real library, and lets a program name the real one.
void cuprum_simulator_companion(const char* real_library);

void cuprum_simulator_companion(const char* real_library) {
    real().use(real_library);
}

nvJitLinkResult nvJitLinkVersion(unsigned int* major, unsigned int* minor) {
    return forward("nvJitLinkVersion", major, minor);
}

nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle* handle, uint32_t count, const char** options) {
    return guard([&] {
        std::vector<std::string> texts;
        for (uint32_t index = 0; options != nullptr && index < count && options[index] != nullptr; ++index)
            texts.emplace_back(options[index]);
        const std::optional<uint32_t> architecture = machine_code_architecture(texts);
        if (!architecture || handle == nullptr) return forward("nvJitLinkCreate", handle, count, options);
        auto session = std::make_shared<companions::LinkSession>(real(), nvrtc(), *architecture, std::move(texts));
        const nvJitLinkResult result = session->open();
        // As in the real library, the handle of a failed call is there to ask for the log.
        *handle = sessions().add(std::move(session));
        return result;
    });
}

nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle* handle) {
    if (handle != nullptr && sessions().remove(*handle)) {
        *handle = nullptr;
        return NVJITLINK_SUCCESS;
    }
    return forward("nvJitLinkDestroy", handle);
}

nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType type, const void* data, size_t size,
                                 const char* name) {
    return guard([&] {
        const Session session = sessions().find(handle);
        if (!session) return forward("nvJitLinkAddData", handle, type, data, size, name);
        if (data == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
        return session->add_data(type, {static_cast<const char*>(data), size}, name == nullptr ? "<unnamed>" : name);
    });
}

nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle handle, nvJitLinkInputType type, const char* path) {
    return guard([&] {
        const Session session = sessions().find(handle);
        if (!session) return forward("nvJitLinkAddFile", handle, type, path);
        if (path == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
        std::ifstream file(path, std::ios::binary);
        if (!file) return NVJITLINK_ERROR_INVALID_INPUT;
        const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        return session->add(type, bytes, path);
    });
}

nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle) {
    return guard([&] {
        const Session session = sessions().find(handle);
        return session ? session->complete() : forward("nvJitLinkComplete", handle);
    });
}

nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t* size) {
    const Session session = sessions().find(handle);
    if (!session) return forward("nvJitLinkGetLinkedCubinSize", handle, size);
    if (size == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
    if (session->object().empty()) return NVJITLINK_ERROR_INTERNAL;
    *size = session->object().size();
    return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void* cubin) {
    const Session session = sessions().find(handle);
    if (!session) return forward("nvJitLinkGetLinkedCubin", handle, cubin);
    if (cubin == nullptr) return NVJITLINK_ERROR_NULL_INPUT;
    if (session->object().empty()) return NVJITLINK_ERROR_INTERNAL;
    session->object().copy(static_cast<char*>(cubin), session->object().size());
    return NVJITLINK_SUCCESS;
}

// The real library answers so too where -ptx was not given.
nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t* size) {
    return sessions().find(handle) ? NVJITLINK_ERROR_INVALID_INPUT : forward("nvJitLinkGetLinkedPtxSize", handle, size);
}

nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char* text) {
    return sessions().find(handle) ? NVJITLINK_ERROR_INVALID_INPUT : forward("nvJitLinkGetLinkedPtx", handle, text);
}

nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t* size) {
    const Session session = sessions().find(handle);
    return session ? log_size(session->error_log(), size) : forward("nvJitLinkGetErrorLogSize", handle, size);
}

nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, char* log) {
    const Session session = sessions().find(handle);
    return session ? copy_log(session->error_log(), log) : forward("nvJitLinkGetErrorLog", handle, log);
}

nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t* size) {
    const Session session = sessions().find(handle);
    return session ? log_size(session->information_log(), size) : forward("nvJitLinkGetInfoLogSize", handle, size);
}

nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle handle, char* log) {
    const Session session = sessions().find(handle);
    return session ? copy_log(session->information_log(), log) : forward("nvJitLinkGetInfoLog", handle, log);
}

}  // extern "C"
