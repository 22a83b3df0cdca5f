// The real library that a companion stands before.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace cuprum::simulator::companions {

// What a companion must know to find its library.
struct LibraryKind {
    const char* title;                       // "libnvrtc"
    const char* variable;                    // names the file; wins over all else
    std::vector<const char*> file_names;     // acceptable ones, the companion's own first
    std::vector<const char*> wheel_folders;  // below a site-packages folder
    std::string built_ins;                   // of files beside it that must be open before it is used; may be empty
};

// `major` is the companion's version of CUDA: 12 or 13.
LibraryKind nvrtc_kind(int major);
LibraryKind nvjitlink_kind(int major);

// Opened at the first call that needs it, once per process, and never closed. Looked for, in this order:
//   1. the file that the program (use) or the environment (LibraryKind::variable) names;
//   2. NVIDIA's wheels beside the Python packages that the process has loaded, and those of VIRTUAL_ENV;
//   3. CONDA_PREFIX;
//   4. LD_LIBRARY_PATH and the loader's own folders;
//   5. CUDA_PATH, CUDA_HOME, /usr/local/cuda, /usr/local/cuda-*.
// A companion is never taken for the real library. All members are thread-safe.
class RealLibrary {
public:
    explicit RealLibrary(LibraryKind kind);
    ~RealLibrary();

    // Names the file; without effect once the library is open.
    void use(std::string path);
    // A folder to look into before all others; without effect once the library is open.
    void prefer_folder(std::string folder);
    // Null if the library or the symbol is missing: then problem() says why, and standard error has been told once.
    void* symbol(const char* name);
    // Empty if all is well.
    std::string problem();
    // Of the file that is open; empty if none is.
    std::string folder();

private:
    struct State;
    void open();
    std::vector<std::string> candidates() const;

    const LibraryKind kind_;
    const std::unique_ptr<State> state_;
};

// Calls the function of that name with exactly these arguments; `missing` is returned if there is none.
template <typename Result, typename... Arguments>
Result forward(RealLibrary& library, Result missing, const char* name, Arguments... arguments) {
    using Function = Result(Arguments...);
    auto* const function = reinterpret_cast<Function*>(library.symbol(name));
    return function == nullptr ? missing : function(arguments...);
}

}  // namespace cuprum::simulator::companions
