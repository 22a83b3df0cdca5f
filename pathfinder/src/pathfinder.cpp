#include "cuprum/pathfinder/pathfinder.hpp"

#include <algorithm>
#include <utility>

#include "cuprum/pathfinder/finder.hpp"
#include "paths.hpp"
#include "session.hpp"

namespace cuprum::pathfinder {

namespace {

// What this process searches, and what it has found. Never destroyed: objects that outlive main may still ask, and what
// was returned by reference before a reset is kept.
struct Process {
    std::mutex mutex;  // of everything below but `current`'s reading
    const System* system = &real_system();
    std::vector<std::string> wheel_folders;
    std::vector<std::shared_ptr<Session>> sessions;
    bool was_told = false;  // which toolkit to use
    std::atomic<Session*> current{nullptr};

    // The last folders are where this library was to be installed, and where it was built: see CMakeLists.txt.
    Finder finder() const { return Finder(*system, wheel_folders, {CUPRUM_INSTALL_LIBDIR, CUPRUM_BUILD_LIBDIR}); }

    void use(std::shared_ptr<Session> session) {
        sessions.push_back(std::move(session));
        current.store(sessions.back().get(), std::memory_order_release);
    }
    void forget() {
        was_told = false;
        current.store(nullptr, std::memory_order_release);
    }
};

Process& process() {
    static Process* const the_process = new Process;
    return *the_process;
}

Session& current_session() {
    Process& ours = process();
    if (Session* session = ours.current.load(std::memory_order_acquire)) {
        return *session;
    }
    const std::lock_guard lock(ours.mutex);
    if (ours.current.load(std::memory_order_relaxed) == nullptr) {
        ours.use(std::make_shared<Session>(ours.finder()));
    }
    return *ours.current.load(std::memory_order_relaxed);
}

}  // namespace

std::shared_ptr<Session> session_in_use() {
    Session& session = current_session();
    Process& ours = process();
    const std::lock_guard lock(ours.mutex);
    return *std::find_if(ours.sessions.begin(), ours.sessions.end(),
                         [&](const std::shared_ptr<Session>& kept) { return kept.get() == &session; });
}

std::shared_ptr<Session> make_session(const ToolkitChoice& toolkit) {
    return std::make_shared<Session>(make_finder(), toolkit);
}

Finder make_finder() {
    Process& ours = process();
    const std::lock_guard lock(ours.mutex);
    return ours.finder();
}

void use_session(std::shared_ptr<Session> session) {
    const Part& nvrtc = require_part(PartKind::dynamic_library, "nvrtc");
    Process& ours = process();
    const std::lock_guard lock(ours.mutex);
    for (const std::shared_ptr<Session>& other : ours.sessions) {
        const LoadedLibrary* open = other->loaded(nvrtc);
        if (open != nullptr && open->abs_path != session->locate(nvrtc).abs_path) {
            throw InvalidState("using a toolkit", session->toolkit()->path,
                               "NVRTC of another toolkit is open already (" + open->abs_path +
                                   "), and would compile with the headers of this one",
                               "choose the toolkit before anything is compiled, or with CUPRUM_TOOLKIT");
        }
    }
    ours.was_told = true;
    ours.use(std::move(session));
}

const LocatedPart& locate(PartKind kind, std::string_view name) {
    return current_session().locate(require_part(kind, name));
}

std::vector<LocatedPart> locate_all(PartKind kind, std::string_view name) {
    return make_finder().find_all(kind, name);
}

const LoadedLibrary& load_nvidia_dynamic_lib(std::string_view name) {
    return current_session().load(require_part(PartKind::dynamic_library, name));
}

const std::vector<std::string>& find_cuda_include_dirs() {
    return current_session().include_dirs();
}

const std::vector<SupportedPart>& supported_parts(PartKind kind) {
    static const std::vector<std::vector<SupportedPart>> parts = [] {
        std::vector<std::vector<SupportedPart>> of_kinds;
        for (const PartKind each : {PartKind::dynamic_library, PartKind::headers, PartKind::bitcode_library,
                                    PartKind::static_library, PartKind::binary_utility}) {
            of_kinds.push_back(supported_parts(each, real_system().platform()));
        }
        return of_kinds;
    }();
    const auto index = static_cast<std::size_t>(kind);
    if (index >= parts.size()) {
        throw InvalidArgument("listing the parts of a toolkit", std::to_string(static_cast<int>(kind)),
                              "there is no kind of part of that number: they go from 0 to 4");
    }
    return parts[index];
}

std::vector<PartReport> find_all_parts() {
    std::vector<PartReport> reports;
    for (const Part& part : catalogue()) {
        if (files_of(part, real_system().platform()).empty()) {
            continue;
        }
        PartReport report;
        report.part.kind = part.kind;
        report.part.name = part.name;
        try {
            report.part = locate(part.kind, part.name);
            report.found = true;
        } catch (const NotFound& error) {
            report.part.rejected = error.candidates();
        } catch (const InvalidArgument& error) {  // CUPRUM_DRIVER or CUPRUM_TOOLKIT
            report.part.rejected = {{error.object(), error.detail()}};
        }
        reports.push_back(std::move(report));
    }
    return reports;
}

void add_wheel_directory(std::string_view site_packages) {
    const Paths paths(real_system().platform());
    std::string folder = paths.clean(site_packages);
    if (!paths.is_absolute(folder)) {
        throw InvalidArgument("adding a folder of wheels", folder, "it is not an absolute path");
    }
    Process& ours = process();
    const std::lock_guard lock(ours.mutex);
    if (std::find(ours.wheel_folders.begin(), ours.wheel_folders.end(), folder) == ours.wheel_folders.end()) {
        ours.wheel_folders.push_back(std::move(folder));
        if (!ours.was_told) {
            ours.forget();
        }
    }
}

void replace_system(const System* system) {
    Process& ours = process();
    const std::lock_guard lock(ours.mutex);
    ours.system = system != nullptr ? system : &real_system();
    ours.forget();
}

void reset_cache() {
    Process& ours = process();
    const std::lock_guard lock(ours.mutex);
    ours.forget();
}

}  // namespace cuprum::pathfinder
