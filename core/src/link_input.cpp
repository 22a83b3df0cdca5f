#include "link_input.hpp"

#include <charconv>
#include <cstdint>
#include <utility>

#include "cuprum/pathfinder/error.hpp"
#include "image_check.hpp"

namespace cuprum::core {

namespace {

constexpr const char* adding = "adding an input to a linker";

constexpr std::string_view elf_signature(
    "\x7f"
    "ELF");
constexpr std::string_view fat_binary_signature("\x50\xed\x55\xba");
constexpr std::string_view lto_signature("\xed\x43\x4e\x7f");
constexpr std::string_view library_signature("!<arch>\n");
constexpr std::string_view thin_library_signature("!<thin>\n");

enum class Kind { ptx, elf, fat_binary, lto_ir, library, thin_library, unknown };

Kind input_kind(std::string_view code) {
    if (code.starts_with(elf_signature)) return Kind::elf;
    if (code.starts_with(fat_binary_signature)) return Kind::fat_binary;
    if (code.starts_with(lto_signature)) return Kind::lto_ir;
    if (code.starts_with(library_signature)) return Kind::library;
    if (code.starts_with(thin_library_signature)) return Kind::thin_library;
    return code.find(".version") == std::string_view::npos ? Kind::unknown : Kind::ptx;
}

const char* words_of(Kind kind) {
    switch (kind) {
        case Kind::ptx:
            return "PTX";
        case Kind::elf:
            return "a cubin or an object";
        case Kind::fat_binary:
            return "a fat binary";
        case Kind::lto_ir:
            return "LTO-IR";
        case Kind::library:
            return "a library";
        case Kind::thin_library:
            return "a thin library, whose members are files of their own";
        case Kind::unknown:
            break;
    }
    return "of a kind that cannot be linked";
}

struct Expected {
    Kind kind;
    const char* name;
};

Expected expected_of(CodeType type) {
    switch (type) {
        case CodeType::cubin:
            return {Kind::elf, "a cubin"};
        case CodeType::ltoir:
            return {Kind::lto_ir, "LTO-IR"};
        case CodeType::fatbin:
            return {Kind::fat_binary, "a fat binary"};
        case CodeType::object:
            return {Kind::elf, "an object"};
        case CodeType::library:
            return {Kind::library, "a library"};
        default:
            return {Kind::ptx, "PTX"};
    }
}

// check_image(), for `object`, in words for linking.
void check_whole(CodeType type, std::string_view code, const std::string& object) {
    try {
        check_image(type, code, object);
    } catch (const InvalidArgument& error) {
        ErrorInfo info = error.info();
        info.operation = adding;
        throw InvalidArgument(std::move(info));
    }
}

// Source: <ar.h>. Numbers are decimal text, padded with blanks; members begin at even offsets.
constexpr uint64_t member_header_size = 60, member_size_at = 48, member_size_digits = 10;

void check_library(std::string_view code, const std::string& object) {
    uint64_t at = library_signature.size();
    for (uint64_t number = 1; at < code.size(); ++number) {
        const std::string member = "member " + std::to_string(number) + " of " + object;
        const auto refuse = [&](const char* detail) {
            throw InvalidArgument(adding, member, detail, "give the whole library, as ar or nvcc made it");
        };
        if (code.size() - at < member_header_size) refuse("the library is cut short within the member's header");
        const std::string_view digits = code.substr(at + member_size_at, member_size_digits);
        uint64_t size = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
        if (error != std::errc() ||
            digits.substr(static_cast<size_t>(end - digits.data())).find_first_not_of(' ') != std::string_view::npos) {
            refuse("the library is damaged: the member's size is not a number");
        }
        at += member_header_size;
        if (size > code.size() - at) refuse("the library is cut short or damaged: the member is not within it");
        const std::string_view content = code.substr(at, size);
        if (input_kind(content) == Kind::elf) check_whole(CodeType::cubin, content, member);
        at += size + size % 2;
    }
}

}  // namespace

void check_link_input(CodeType type, std::string_view code, const std::string& object) {
    if (code.empty()) throw InvalidArgument(adding, object, "it has no code", "give the whole code");
    const Expected expected = expected_of(type);
    const Kind kind = input_kind(code);
    if (kind != expected.kind) {
        throw InvalidArgument(adding, object,
                              std::string("expected ") + expected.name + ", and it is " + words_of(kind),
                              kind == Kind::unknown || kind == Kind::thin_library
                                  ? "give PTX, a cubin, LTO-IR, a fat binary, an object or a library"
                                  : "make the object code with the type that it has");
    }
    if (kind == Kind::library) {
        check_library(code, object);
    } else if (kind != Kind::lto_ir) {
        check_whole(type == CodeType::object ? CodeType::cubin : type, code, object);
    }
}

}  // namespace cuprum::core
