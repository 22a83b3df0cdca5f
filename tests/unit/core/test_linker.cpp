// What a linker refuses before nvJitLink is asked: with no driver, and for an architecture that is given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <elf.h>
#include <array>
#include <cstring>

#include "cuprum/core/error.hpp"
#include "cuprum/core/linker.hpp"

namespace cuprum::core {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* ptx = ".version 8.0\n.target sm_80\n.address_size 64\n";

template <class Expected, class Action>
std::string message_of(const Action& action) {
    try {
        action();
    } catch (const Expected& error) {
        return error.what();
    }
    return "nothing was thrown";
}

std::string refusal(const ObjectCode& code) {
    return message_of<InvalidArgument>([&] { Linker({code}, {.arch = "sm_80"}); });
}

std::string elf_header() {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    return {reinterpret_cast<const char*>(&header), sizeof header};
}

std::string archive_member(std::string name, const std::string& size, const std::string& content) {
    name.resize(48, ' ');
    name += size;
    name.resize(58, ' ');
    return name + "`\n" + content;
}

TEST(LinkerInputs, NothingCannotBeLinked) {
    EXPECT_THAT(message_of<InvalidArgument>([] { Linker({}, {.name = "empty"}); }),
                AllOf(HasSubstr("'empty'"), HasSubstr("no object code")));
    EXPECT_THAT(message_of<InvalidArgument>([] { static_cast<void>(Linker(LinkerOptions{.arch = "sm_80"}).link()); }),
                HasSubstr("no object code"));
}

TEST(LinkerInputs, AMovedFromInputIsRefusedByItsPosition) {
    ObjectCode moved = ObjectCode::from_ptx(ptx);
    const ObjectCode whole = std::move(moved);
    EXPECT_THAT(message_of<InvalidState>([&] { Linker({whole, moved}, {.arch = "sm_80"}); }),
                AllOf(HasSubstr("input 2"), HasSubstr("moved-from")));
}

TEST(LinkerInputs, AnInputWithoutCodeIsRefused) {
    EXPECT_THAT(refusal(ObjectCode::from_ptx("", "empty.ptx")), AllOf(HasSubstr("empty.ptx"), HasSubstr("no code")));
}

TEST(LinkerInputs, AnInputOfAnotherKindThanItIsSaidToBeIsRefused) {
    EXPECT_THAT(refusal(ObjectCode::from_cubin(ptx, "x")), AllOf(HasSubstr("a cubin"), HasSubstr("PTX")));
    EXPECT_THAT(refusal(ObjectCode::from_fatbin(elf_header(), "x")), HasSubstr("a fat binary"));
    EXPECT_THAT(refusal(ObjectCode::from_ptx(elf_header(), "x")), HasSubstr("expected PTX"));
    EXPECT_THAT(refusal(ObjectCode::from_ltoir(ptx, "x")), AllOf(HasSubstr("LTO-IR"), HasSubstr("it is PTX")));
    EXPECT_THAT(refusal(ObjectCode::from_object("!<arch>\n", "x")),
                AllOf(HasSubstr("an object"), HasSubstr("library")));
    EXPECT_THAT(refusal(ObjectCode::from_library(elf_header(), "x")), HasSubstr("a library"));
    EXPECT_THAT(refusal(ObjectCode::from_library("!<thin>\n", "x")), HasSubstr("thin"));
    EXPECT_THAT(refusal(ObjectCode::from_object("nonsense", "x")), HasSubstr("an object"));
}

// nvJitLink 13.0 reads past the end of these.
TEST(LinkerInputs, ACubinAnObjectAndALibraryThatAreCutShortAreRefused) {
    std::string cut = elf_header();
    reinterpret_cast<Elf64_Ehdr*>(cut.data())->e_shoff = 4096;
    reinterpret_cast<Elf64_Ehdr*>(cut.data())->e_shnum = 3;
    reinterpret_cast<Elf64_Ehdr*>(cut.data())->e_shentsize = sizeof(Elf64_Shdr);
    const std::string expected = "cut short or damaged";
    EXPECT_THAT(refusal(ObjectCode::from_cubin(cut, "x")), HasSubstr(expected));
    EXPECT_THAT(refusal(ObjectCode::from_object(cut, "x")), HasSubstr(expected));
    EXPECT_THAT(refusal(ObjectCode::from_library("!<arch>\n" + archive_member("a.o/", "64", cut), "x")),
                AllOf(HasSubstr(expected), HasSubstr("member 1")));
    EXPECT_THAT(refusal(ObjectCode::from_library("!<arch>\n" + archive_member("a.o/", "4000", cut), "x")),
                HasSubstr("member 1"));
    EXPECT_THAT(refusal(ObjectCode::from_library("!<arch>\n" + archive_member("a.o/", "many", cut), "x")),
                HasSubstr("member 1"));
    EXPECT_THAT(refusal(ObjectCode::from_library("!<arch>\ncut", "x")), HasSubstr("member 1"));
}

TEST(LinkerInputs, WholeLibrariesAreTaken) {
    const std::string index = archive_member("/", "4", std::string(4, '\0'));
    EXPECT_NO_THROW(Linker({ObjectCode::from_library("!<arch>\n" + index + archive_member("a.o/", "64", elf_header()))},
                           {.arch = "sm_80"}));
    EXPECT_NO_THROW(Linker({ObjectCode::from_library("!<arch>\n")}, {.arch = "sm_80"}));
}

TEST(LinkerInputs, ALibraryThatIsNotThereIsNamed) {
    EXPECT_THAT(message_of<InvalidArgument>(
                    [] { static_cast<void>(ObjectCode::from_file("/nonexistent/libx.a", CodeType::library)); }),
                AllOf(HasSubstr("/nonexistent/libx.a"), HasSubstr("No such file")));
}

TEST(LinkerOptions, ValuesThatCannotBeAreRefused) {
    const ObjectCode code = ObjectCode::from_ptx(ptx);
    const auto refused = [&](LinkerOptions options) {
        options.arch = "sm_80";
        return message_of<InvalidArgument>([&] { Linker({code}, options); });
    };
    EXPECT_THAT(refused({.max_register_count = -1}), AllOf(HasSubstr("-maxrregcount=-1"), HasSubstr("above 0")));
    EXPECT_THAT(refused({.max_register_count = 0}), HasSubstr("-maxrregcount=0"));
    EXPECT_THAT(refused({.split_compile = -3}), HasSubstr("-split-compile=-3"));
    EXPECT_THAT(refused({.extra_options = {""}}), HasSubstr("empty"));
    EXPECT_THAT(message_of<InvalidArgument>([&] { Linker({code}, {.arch = "hopper"}); }),
                AllOf(HasSubstr("hopper"), HasSubstr("sm_90")));
}

TEST(LinkerTargets, OnlyACubinAndPtxAreMade) {
    const Linker linker({ObjectCode::from_ptx(ptx)}, {.arch = "sm_80"});
    for (const CodeType type : {CodeType::ltoir, CodeType::fatbin, CodeType::object, CodeType::library}) {
        EXPECT_THAT(message_of<InvalidArgument>([&] { static_cast<void>(linker.link(type)); }),
                    HasSubstr("a cubin or PTX"));
    }
}

TEST(LinkerOwner, AMovedFromLinkerSaysSo) {
    Linker linker({ObjectCode::from_ptx(ptx)}, {.arch = "sm_80"});
    const Linker other = std::move(linker);
    EXPECT_FALSE(linker.is_valid());
    EXPECT_TRUE(other.is_valid());
    EXPECT_THAT(message_of<InvalidState>([&] { static_cast<void>(linker.link()); }), HasSubstr("moved-from"));
    EXPECT_THAT(message_of<InvalidState>([&] { linker.add(ObjectCode::from_ptx(ptx)); }), HasSubstr("moved-from"));
    EXPECT_THAT(message_of<InvalidState>([&] { static_cast<void>(linker.error_log()); }), HasSubstr("moved-from"));
}

}  // namespace
}  // namespace cuprum::core
