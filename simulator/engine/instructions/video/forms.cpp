// Video instructions: the forms that PTX has, and how they are decoded. Source: PTX ISA 9.0, 9.7.17.
#include "engine/instructions/family.hpp"
#include "engine/instructions/video/decode.hpp"

namespace cuprum::simulator {
namespace {

constexpr std::string_view video_forms[] = {
    "vadd|vsub|vabsdiff|vmin|vmax sat? $second? $word $word $word",
    "vshl|vshr clamp|wrap sat? $second? $word $word u32",
    "vmad sat? po? shr7|shr15? $word $word $word",
    "vset $compare_signed $second? $word $word",
    "vadd2|vsub2|vavrg2|vabsdiff2|vmin2|vmax2|vadd4|vsub4|vavrg4|vabsdiff4|vmin4|vmax4 sat? $word $word $word",
    "vadd2|vsub2|vavrg2|vabsdiff2|vmin2|vmax2|vadd4|vsub4|vavrg4|vabsdiff4|vmin4|vmax4 add $word $word $word",
    "vset2|vset4 $compare_signed add? $word $word",
};

constexpr InstructionDecoding video_instructions[] = {
    {"vabsdiff", Opcode::vabsdiff, &decode_video, &always<Unwritten::dropped>},
    {"vabsdiff2", Opcode::vabsdiff2, &decode_video, &always<Unwritten::dropped>},
    {"vabsdiff4", Opcode::vabsdiff4, &decode_video, &always<Unwritten::dropped>},
    {"vadd", Opcode::vadd, &decode_video, &always<Unwritten::dropped>},
    {"vadd2", Opcode::vadd2, &decode_video, &always<Unwritten::dropped>},
    {"vadd4", Opcode::vadd4, &decode_video, &always<Unwritten::dropped>},
    {"vavrg2", Opcode::vavrg2, &decode_video, &always<Unwritten::dropped>},
    {"vavrg4", Opcode::vavrg4, &decode_video, &always<Unwritten::dropped>},
    {"vmad", Opcode::vmad, &decode_video, &always<Unwritten::dropped>},
    {"vmax", Opcode::vmax, &decode_video, &always<Unwritten::dropped>},
    {"vmax2", Opcode::vmax2, &decode_video, &always<Unwritten::dropped>},
    {"vmax4", Opcode::vmax4, &decode_video, &always<Unwritten::dropped>},
    {"vmin", Opcode::vmin, &decode_video, &always<Unwritten::dropped>},
    {"vmin2", Opcode::vmin2, &decode_video, &always<Unwritten::dropped>},
    {"vmin4", Opcode::vmin4, &decode_video, &always<Unwritten::dropped>},
    {"vset", Opcode::vset, &decode_video, &always<Unwritten::dropped>},
    {"vset2", Opcode::vset2, &decode_video, &always<Unwritten::dropped>},
    {"vset4", Opcode::vset4, &decode_video, &always<Unwritten::dropped>},
    {"vshl", Opcode::vshl, &decode_video, &always<Unwritten::dropped>},
    {"vshr", Opcode::vshr, &decode_video, &always<Unwritten::dropped>},
    {"vsub", Opcode::vsub, &decode_video, &always<Unwritten::dropped>},
    {"vsub2", Opcode::vsub2, &decode_video, &always<Unwritten::dropped>},
    {"vsub4", Opcode::vsub4, &decode_video, &always<Unwritten::dropped>},
};

}  // namespace

template <>
FamilyDescription describe<Family::video>() {
    return {video_forms, video_instructions};
}

}  // namespace cuprum::simulator
