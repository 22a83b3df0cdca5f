// The simulator's own object.
#include "image/simulator_object.hpp"

#include <gmock/gmock.h>

#include "files.hpp"
#include "image/elf.hpp"

namespace cuprum::simulator::image {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string ptx = ".version 8.0\n.target sm_80\n";

TEST(SimulatorObjectTest, GivesBackItsPtxAndArchitecture) {
    const std::string bytes = make_simulator_object(80, ptx);
    for (const std::optional<size_t> size : {std::optional(bytes.size()), std::optional<size_t>()}) {
        ASSERT_TRUE(is_simulator_object(bytes.data(), size));
        const ReadObject read = read_simulator_object(bytes.data(), size);
        ASSERT_TRUE(read.object) << read.error;
        EXPECT_EQ(read.object->architecture, 80u);
        EXPECT_EQ(read.object->ptx, ptx);
    }
}

TEST(SimulatorObjectTest, IsAnElfFileForGpusThatSaysWhatItIs) {
    const std::string bytes = make_simulator_object(80, ptx);
    EXPECT_EQ(read<ElfHeader>(bytes.data()).machine, elf_machine_cuda);
    EXPECT_THAT(elf_sections(bytes, ".note.cuprum.simulator"), ElementsAre(HasSubstr("no machine code")));
    EXPECT_THAT(elf_sections(bytes, ".cuprum.ptx"), ElementsAre(ptx + '\0'));
}

TEST(SimulatorObjectTest, ACubinIsNone) {
    const std::string cubin = file("add_one.cubin");
    EXPECT_FALSE(is_simulator_object(cubin.data(), cubin.size()));
    EXPECT_FALSE(is_simulator_object(ptx.data(), ptx.size()));
}

TEST(SimulatorObjectTest, EveryDamagedByteOfThePtxIsNoticed) {
    const std::string bytes = make_simulator_object(80, ptx);
    for (size_t index = bytes.size() - 1 - ptx.size(); index + 1 < bytes.size(); ++index) {
        std::string damaged = bytes;
        damaged[index] ^= 1;
        EXPECT_THAT(read_simulator_object(damaged.data(), damaged.size()).error, HasSubstr("checksum")) << index;
    }
}

TEST(SimulatorObjectTest, EveryCutIsNoticed) {
    const std::string bytes = make_simulator_object(80, ptx);
    for (size_t size = sizeof(ElfHeader); size + 1 < bytes.size(); ++size) {
        const std::string cut = bytes.substr(0, size);
        ASSERT_TRUE(is_simulator_object(cut.data(), size));
        EXPECT_THAT(read_simulator_object(cut.data(), size).error, HasSubstr("cut short")) << size;
    }
}

TEST(SimulatorObjectTest, AnotherVersionIsRefusedByNumber) {
    std::string bytes = make_simulator_object(80, ptx);
    bytes[8] = 9;  // EI_ABIVERSION
    EXPECT_THAT(read_simulator_object(bytes.data(), bytes.size()).error, HasSubstr("version 9"));
}

}  // namespace
}  // namespace cuprum::simulator::image
