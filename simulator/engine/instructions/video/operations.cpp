// Video instructions: arithmetic on bytes and halves with saturation, a second operation and merging. Nothing here is
// fast; compilers emit them rarely. Source: PTX ISA 9.0, 9.7.17.
#include <bit>

#include "engine/execution/lanes.hpp"
#include "engine/instructions/video/arithmetic.hpp"
#include "engine/instructions/video/emulation.hpp"
#include "engine/instructions/video/video_aux.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

inline uint32_t scalar(const VideoControl& control, uint32_t a, uint32_t b, uint32_t c) {
    const RegisterPart from_a = register_part(control.select_a), from_b = register_part(control.select_b);
    const RegisterPart to = register_part(control.select_result);
    const int64_t left = part(a, from_a.begin, from_a.width, control.has(video_flags::signed_a));
    const int64_t right = part(b, from_b.begin, from_b.width, control.has(video_flags::signed_b));
    int64_t result = operate(control, left, right);
    if (control.has(video_flags::saturate)) result = clamp(result, to.width, control.has(video_flags::signed_result));
    const int64_t other = control.has(video_flags::signed_result) ? static_cast<int32_t>(c) : static_cast<int64_t>(c);
    // The second operation works on 32 bits of the result's sign.
    const int64_t first = control.has(video_flags::signed_result) ? int64_t{static_cast<int32_t>(result)}
                                                                  : int64_t{static_cast<uint32_t>(result)};
    switch (control.second) {
        case VideoSecond::add:
            return static_cast<uint32_t>(first + other);
        case VideoSecond::minimum:
            return static_cast<uint32_t>(first < other ? first : other);
        case VideoSecond::maximum:
            return static_cast<uint32_t>(first > other ? first : other);
        case VideoSecond::none:
            break;
    }
    if (control.select_result == 0) return static_cast<uint32_t>(result);
    const uint32_t ones = ((1u << to.width) - 1) << to.begin;
    return (c & ~ones) | (static_cast<uint32_t>(result) << to.begin & ones);
}

__extension__ typedef __int128 Wide;

inline uint32_t multiply_add(const VideoControl& control, uint32_t a, uint32_t b, uint32_t c) {
    const RegisterPart from_a = register_part(control.select_a), from_b = register_part(control.select_b);
    const Wide left = part(a, from_a.begin, from_a.width, control.has(video_flags::signed_a));
    const Wide right = part(b, from_b.begin, from_b.width, control.has(video_flags::signed_b));
    const bool is_signed = control.has(video_flags::signed_a | video_flags::signed_b | video_flags::negate_product |
                                       video_flags::negate_c);
    const Wide addend = is_signed ? static_cast<Wide>(static_cast<int32_t>(c)) : static_cast<Wide>(c);
    Wide sum = control.has(video_flags::negate_product) ? -(left * right) : left * right;
    sum += control.has(video_flags::negate_c) ? -addend : addend;
    sum += control.has(video_flags::plus_one) ? 1 : 0;
    auto result = static_cast<int64_t>(sum >> product_shift(control));
    if (control.has(video_flags::saturate)) result = clamp(result, 32, is_signed);
    return static_cast<uint32_t>(result);
}

inline uint32_t simd(const VideoControl& control, const Instruction& at, uint32_t a, uint32_t b, uint32_t c) {
    const unsigned lanes = at.aux & 0xff;
    const unsigned width = 32 / lanes;
    const uint64_t both = static_cast<uint64_t>(b) << 32 | a;
    const bool sums = control.second == VideoSecond::add;
    uint32_t result = c;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if ((at.aux >> (8 + lane) & 1) == 0) continue;
        const unsigned from_a = at.operand[4] >> (3 * lane) & 7;
        const unsigned from_b = at.operand[5] >> (3 * lane) & 7;
        int64_t value = operate(control, part(both, from_a * width, width, control.has(video_flags::signed_a)),
                                part(both, from_b * width, width, control.has(video_flags::signed_b)));
        if (control.has(video_flags::saturate)) value = clamp(value, width, control.has(video_flags::signed_result));
        if (sums) {
            result += static_cast<uint32_t>(value);
        } else {
            const uint32_t ones = ((1u << width) - 1) << (lane * width);
            result = (result & ~ones) | (static_cast<uint32_t>(value) << (lane * width) & ones);
        }
    }
    return result;
}

const Instruction* video(Warp& warp, const Instruction* at) {
    const auto control = std::bit_cast<VideoControl>(at->immediate);
    const bool multiplies = control.operation == VideoOperation::multiply;
    const auto of_scalar = control.has(video_flags::emulated) ? (multiplies ? &emulated_multiply_add : &emulated_scalar)
                                                              : (multiplies ? &multiply_add : &scalar);
    for_each_lane(warp.active, [&](unsigned lane) {
        const uint32_t a = warp.row<uint32_t>(at->operand[1])[lane];
        const uint32_t b = warp.row<uint32_t>(at->operand[2])[lane];
        const uint32_t c = warp.row<uint32_t>(at->operand[3])[lane];
        warp.row<uint32_t>(at->operand[0])[lane] =
            at->aux != 0 ? simd(control, *at, a, b, c) : of_scalar(control, a, b, c);
    });
    return at + 1;
}

// The decoder has looked at everything that a video instruction says.
Handlers select_video(Form& form) {
    if (!has_instruction(Family::video, form.opcode)) return {};
    form.types_taken = form.type_count;
    form.modifiers = {};
    return both(&video);
}

}  // namespace

template <>
Operations operations<Family::video>() {
    return {.of_form = &select_video};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
