// Why what lies in the right place under the right name is not taken after all.
#include <elf.h>

#include <algorithm>
#include <cstdint>

#include "catalogue.hpp"
#include "paths.hpp"
#include "search.hpp"

namespace cuprum::pathfinder {

std::string describe(FileStatus::Kind kind) {
    switch (kind) {
        case FileStatus::Kind::missing:
            return "does not exist";
        case FileStatus::Kind::dangling_link:
            return "is a symbolic link to something that does not exist";
        case FileStatus::Kind::link_loop:
            return "is a loop of symbolic links";
        case FileStatus::Kind::no_permission:
            return "may not be read by this user";
        case FileStatus::Kind::directory:
            return "is a folder, not a file";
        case FileStatus::Kind::file:
            return "is a file, not a folder";
        case FileStatus::Kind::other:
            return "is neither a file nor a folder";
    }
    return "cannot be used";
}

namespace {

unsigned byte_at(const std::string& bytes, std::size_t offset) {
    return static_cast<unsigned char>(bytes[offset]);
}

unsigned half_at(const std::string& bytes, std::size_t offset) {
    return byte_at(bytes, offset) | byte_at(bytes, offset + 1) << 8;
}

// The ELF header: the magic number, class and byte order, then e_type and e_machine (two bytes each, at 16 and 18).
std::string refuse_elf(const std::string& header, unsigned machine) {
    if (header.size() < 20 || !header.starts_with("\x7f"
                                                  "ELF")) {
        return "is not an ELF file";
    }
    if (header[EI_CLASS] != ELFCLASS64) {
        return "is a 32-bit library, and this process is a 64-bit one";
    }
    if (header[EI_DATA] != ELFDATA2LSB || half_at(header, 18) != machine) {
        return "is for another processor (ELF machine " + std::to_string(half_at(header, 18)) + ", this process has " +
               std::to_string(machine) + ")";
    }
    return half_at(header, 16) == ET_DYN ? "" : "is not a shared library";
}

// Microsoft's PE format: "MZ", at 0x3c the offset of "PE\0\0", and behind that the machine.
std::string refuse_pe(const std::string& header) {
    constexpr std::size_t offset_of_signature = 0x3c;
    constexpr unsigned machine_x86 = 0x14c;
    constexpr unsigned machine_x86_64 = 0x8664;
    std::size_t signature = 0;
    if (header.size() >= offset_of_signature + 4 && header.starts_with("MZ")) {
        signature = half_at(header, offset_of_signature) |
                    static_cast<std::size_t>(half_at(header, offset_of_signature + 2)) << 16;
    }
    if (signature == 0 || header.size() < 6 || signature > header.size() - 6 ||
        header.compare(signature, 2, "PE") != 0) {
        return "is not a Windows library";
    }
    const unsigned machine = half_at(header, signature + 4);
    if (machine == machine_x86) {
        return "is a 32-bit library, and this process is a 64-bit one";
    }
    return machine == machine_x86_64 ? "" : "is for another processor (PE machine " + std::to_string(machine) + ")";
}

}  // namespace

// Why files in this folder could be anybody's; empty if they are not. A folder above in which everybody may rename what
// is not theirs is as bad; one with the sticky bit, as /tmp has it, is not.
std::string Finder::distrust(const std::string& folder, Search& search) const {
    if (const auto known = search.distrust.find(folder); known != search.distrust.end()) {
        return known->second;
    }
    const Paths paths(system_.platform());
    std::string reason;
    if (system_.status(folder).others_may_write) {
        reason = "everybody on this machine may write to this folder, so nothing is taken from it";
    }
    for (std::string above = paths.parent(folder); reason.empty() && !above.empty(); above = paths.parent(above)) {
        const FileStatus status = system_.status(above);
        if (status.others_may_write && !status.is_sticky) {
            reason = "everybody on this machine may write to " + above + " above it, so nothing is taken from it";
        }
    }
    search.distrust.emplace(folder, reason);
    return reason;
}

bool Finder::usable_folder(const std::string& folder, Search& search) const {
    std::string reason;
    if (const FileStatus status = system_.status(folder); status.kind != FileStatus::Kind::directory) {
        reason = describe(status.kind);
    } else {
        reason = distrust(folder, search);
        if (reason.empty()) {
            if (const std::string real = system_.canonical(folder); real != folder) {
                reason = distrust(real, search);
            }
        }
    }
    if (!reason.empty()) {
        search.reject(folder, reason);
    }
    return reason.empty();
}

std::string Finder::refuse_file(const std::string& path, Search& search) const {
    const FileStatus status = system_.status(path);
    if (status.kind != FileStatus::Kind::file) {
        return describe(status.kind);
    }
    if (status.others_may_write) {
        return "everybody on this machine may write to this file";
    }
    const std::string real = system_.canonical(path);
    if (real != path) {
        const std::string folder = Paths(system_.platform()).parent(real);
        if (const std::string reason = distrust(folder, search); !reason.empty()) {
            return "is a link into " + folder + ": " + reason;
        }
    }
    return {};
}

std::string Finder::refuse_library(const std::string& path, Search& search) const {
    if (std::string reason = refuse_file(path, search); !reason.empty()) {
        return reason;
    }
    const Platform platform = system_.platform();
    const Paths paths(platform);
    if (paths.has_folder(path, "stubs") || paths.has_folder(system_.canonical(path), "stubs")) {
        return "is a stub library, which is only for linking and runs nothing";
    }
    constexpr std::size_t elf_bytes = 20;
    constexpr std::size_t pe_bytes = 4096;
    if (platform == Platform::windows_x86_64) {
        return refuse_pe(system_.read(path, pe_bytes));
    }
    return refuse_elf(system_.read(path, elf_bytes), platform == Platform::linux_x86_64 ? EM_X86_64 : EM_AARCH64);
}

std::string Finder::refuse(const Part& part, const std::string& path, Search& search) const {
    if (part.kind == PartKind::headers) {
        return {};  // a folder, which has been judged
    }
    if (part.kind == PartKind::dynamic_library) {
        return refuse_library(path, search);
    }
    std::string reason = refuse_file(path, search);
    if (!reason.empty()) {
        return reason;
    }
    switch (part.kind) {
        case PartKind::bitcode_library:
            // LLVM's bitcode: 'B' 'C' 0xc0 0xde.
            return system_.read(path, 4) == "BC\xc0\xde" ? "" : "is not LLVM bitcode";
        case PartKind::static_library:
            return system_.read(path, 8) == "!<arch>\n" ? "" : "is not an archive of object files";
        case PartKind::binary_utility:
            return system_.status(path).is_executable ? "" : "may not be run by this user";
        case PartKind::dynamic_library:
        case PartKind::headers:
            break;
    }
    return {};
}

std::string Finder::refuse_driver(const std::string& path, Search& search) const {
    std::string reason = refuse_library(path, search);
    if (reason.empty() && system_.canonical(path).find("/cuprum/simulator/") != std::string::npos) {
        reason = "is Cuprum's simulator, which only CUPRUM_DRIVER=sim or auto chooses";
    }
    if (reason.empty()) {
        reason = system_.probe_driver(path, false).reason;
    }
    return reason;
}

std::string Finder::mismatch(const Part& part, const LocatedPart& found, const ToolkitChoice* toolkit) const {
    if (toolkit == nullptr || !toolkit->version.known() ||
        std::find(toolkit->from_elsewhere.begin(), toolkit->from_elsewhere.end(), part.name) !=
            toolkit->from_elsewhere.end()) {
        return {};
    }
    if (part.origin == PartOrigin::add_on) {
        const Paths paths(system_.platform());
        for (const int major : {12, 13, 14}) {
            if (major != toolkit->version.major && paths.has_folder(found.abs_path, "cu" + std::to_string(major))) {
                return "is made for CUDA " + std::to_string(major) + ", but the toolkit in use (" + toolkit->path +
                       ") is of CUDA " + toolkit->version.text();
            }
        }
        return {};
    }
    const bool is_its_own = std::any_of(toolkit->roots.begin(), toolkit->roots.end(),
                                        [&](const Root& root) { return root.path == found.root; });
    if (!found.version.known()) {
        return is_its_own ? "" : "nothing says which CUDA version it belongs to, and the toolkit in use is another one";
    }
    if (same_toolkit(found.version, toolkit->version)) {
        return {};
    }
    if (is_its_own && has_own_numbers(part, found.version) && found.version.major == toolkit->version.major) {
        return {};
    }
    return "is of CUDA " + found.version.text() + ", but the toolkit in use (" + toolkit->path + ") is of CUDA " +
           toolkit->version.text() + ": a part of another toolkit is only taken when it is asked for by name";
}

}  // namespace cuprum::pathfinder
