// Decoding of video instructions: selectors, lane masks, second operations.
#include <bit>

#include "engine/instructions/video/decode.hpp"
#include "engine/instructions/video/video_aux.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {
namespace {

struct VideoOpcode {
    VideoOperation operation;
    unsigned lanes;
};
VideoOpcode video_opcode(Opcode opcode) {
    switch (opcode) {
        case Opcode::vadd:
            return {VideoOperation::add, 0};
        case Opcode::vadd2:
            return {VideoOperation::add, 2};
        case Opcode::vadd4:
            return {VideoOperation::add, 4};
        case Opcode::vsub:
            return {VideoOperation::subtract, 0};
        case Opcode::vsub2:
            return {VideoOperation::subtract, 2};
        case Opcode::vsub4:
            return {VideoOperation::subtract, 4};
        case Opcode::vabsdiff:
            return {VideoOperation::difference, 0};
        case Opcode::vabsdiff2:
            return {VideoOperation::difference, 2};
        case Opcode::vabsdiff4:
            return {VideoOperation::difference, 4};
        case Opcode::vmin:
            return {VideoOperation::minimum, 0};
        case Opcode::vmin2:
            return {VideoOperation::minimum, 2};
        case Opcode::vmin4:
            return {VideoOperation::minimum, 4};
        case Opcode::vmax:
            return {VideoOperation::maximum, 0};
        case Opcode::vmax2:
            return {VideoOperation::maximum, 2};
        case Opcode::vmax4:
            return {VideoOperation::maximum, 4};
        case Opcode::vavrg2:
            return {VideoOperation::average, 2};
        case Opcode::vavrg4:
            return {VideoOperation::average, 4};
        case Opcode::vset:
            return {VideoOperation::compare, 0};
        case Opcode::vset2:
            return {VideoOperation::compare, 2};
        case Opcode::vset4:
            return {VideoOperation::compare, 4};
        case Opcode::vshl:
            return {VideoOperation::left, 0};
        case Opcode::vshr:
            return {VideoOperation::right, 0};
        default:
            return {VideoOperation::multiply, 0};
    }
}

// As in VideoControl: 0 without a selector, `none` if it is no scalar one.
constexpr uint8_t none = 7;
uint8_t scalar_selector(std::string_view text) {
    if (text.empty()) return 0;
    if (text.size() != 2) return none;
    const auto number = static_cast<unsigned>(text[1] - '0');
    if (text[0] == 'b' && number < 4) return static_cast<uint8_t>(1 + number);
    return text[0] == 'h' && number < 2 ? static_cast<uint8_t>(5 + number) : none;
}

// Bit 0: less, bit 1: equal, bit 2: greater.
uint8_t relation_of(const Form& form) {
    if (form.has(Modifier::eq)) return 2;
    if (form.has(Modifier::ne)) return 5;
    if (form.has(Modifier::lt)) return 1;
    if (form.has(Modifier::le)) return 3;
    return form.has(Modifier::gt) ? 4 : 6;
}

// "b7420", "h10": one digit per lane, the highest lane first; `first` is lane 0's where there is no selector.
uint32_t lane_selector(const FunctionDecoder& decoder, const ptx::Operand& operand, unsigned lanes, unsigned first) {
    const std::string_view text = operand.name;
    const unsigned parts = 2 * lanes;
    uint32_t selected = 0;
    if (text.empty()) {
        for (unsigned lane = 0; lane < lanes; ++lane)
            selected |= (first + lane) << (3 * lane);
        return selected;
    }
    if (text.size() != lanes + 1 || text[0] != (lanes == 2 ? 'h' : 'b'))
        decoder.invalid("a selector that does not fit");
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const auto digit = static_cast<unsigned>(text[text.size() - 1 - lane] - '0');
        if (digit >= parts) decoder.invalid("a selector that does not fit");
        selected |= digit << (3 * lane);
    }
    return selected;
}

}  // namespace

void decode_video(FunctionDecoder& decoder) {
    const VideoOpcode what = video_opcode(decoder.form().opcode);
    const bool compares = what.operation == VideoOperation::compare;
    const bool multiplies = what.operation == VideoOperation::multiply;
    const auto is_signed = [&](unsigned index) { return decoder.form().type(index) == ScalarType::s32; };
    VideoControl control;
    const auto set = [&](uint16_t flag, bool on) {
        control.flags = static_cast<uint16_t>(control.flags | (on ? flag : 0));
    };
    control.operation = what.operation;
    set(video_flags::signed_result, is_signed(0));
    set(video_flags::signed_a, is_signed(compares ? 0 : 1));
    set(video_flags::signed_b, is_signed(compares ? 1 : 2));
    if (compares) control.comparison = relation_of(decoder.form());
    set(video_flags::saturate, decoder.form().has(Modifier::sat));
    set(video_flags::clamps, decoder.form().has(Modifier::clamp));
    set(video_flags::plus_one, decoder.form().has(Modifier::po));
    set(video_flags::product_by_7, decoder.form().has(Modifier::shr7));
    set(video_flags::product_by_15, decoder.form().has(Modifier::shr15));
    set(video_flags::emulated, what.lanes == 0 && decoder.emulates_video());
    const VideoSecond second = decoder.form().has(Modifier::add)   ? VideoSecond::add
                               : decoder.form().has(Modifier::min) ? VideoSecond::minimum
                               : decoder.form().has(Modifier::max) ? VideoSecond::maximum
                                                                   : VideoSecond::none;
    control.second = second;

    ptx::Operand d = decoder.operand(0), a = decoder.operand(1), b = decoder.operand(2);
    const bool merges = !d.name.empty();
    const bool takes_c = what.lanes != 0 || multiplies || merges || second != VideoSecond::none;
    decoder.expect_operands(takes_c ? 4 : 3, takes_c ? 4 : 3);
    ptx::Operand c = takes_c ? decoder.operand(3) : ptx::Operand{};
    uint32_t mask = (1u << what.lanes) - 1, lanes_a = 0, lanes_b = 0;
    if (what.lanes != 0) {
        lanes_a = lane_selector(decoder, a, what.lanes, 0);
        lanes_b = lane_selector(decoder, b, what.lanes, what.lanes);
        if (merges) {
            // Which lanes are written: "b20", "h1".
            mask = 0;
            for (const char digit : d.name.substr(1)) {
                const auto lane = static_cast<unsigned>(digit - '0');
                if (lane >= what.lanes || d.name[0] != (what.lanes == 2 ? 'h' : 'b'))
                    decoder.invalid("a mask that does not fit");
                mask |= 1u << lane;
            }
        }
    } else {
        if (merges && second != VideoSecond::none)
            decoder.invalid("a part of the result goes with no second operation");
        for (const ptx::Operand* part : {&a, &b, &d}) {
            if (scalar_selector(part->name) == none) decoder.invalid("a selector that does not fit");
        }
        control.select_a = scalar_selector(a.name);
        control.select_b = scalar_selector(b.name);
        control.select_result = scalar_selector(d.name);
    }
    if (multiplies) {
        set(video_flags::negate_product, a.negated != b.negated);
        set(video_flags::negate_c, c.negated);
        const int changes = static_cast<int>(a.negated != b.negated) + static_cast<int>(c.negated) +
                            static_cast<int>(control.has(video_flags::plus_one));
        if (changes > 1) decoder.invalid("a negated product, a negated addend and .po exclude one another");
        a.negated = b.negated = c.negated = false;
        if (merges) decoder.invalid("vmad gives a whole register");
    }
    d.name = a.name = b.name = {};
    Form form = decoder.form();
    const Handlers handlers = decoder.select(form);
    const Reference sources[] = {decoder.source(a, decoder.form().type(compares ? 0 : 1)),
                                 decoder.source(b, decoder.form().type(compares ? 1 : 2)),
                                 takes_c ? decoder.source(c, ScalarType::b32) : decoder.literal(0, 4)};
    const Reference result = decoder.target(d, ScalarType::b32);
    decoder.begin_guard();
    PendingInstruction& instruction = decoder.emit(handlers);
    decoder.define(instruction, 0, result);
    for (unsigned k = 0; k < 3; ++k)
        decoder.use(instruction, k + 1, sources[k]);
    instruction.code.immediate = std::bit_cast<int64_t>(control);
    if (what.lanes == 0) return;
    instruction.code.aux = what.lanes | mask << 8;
    instruction.code.operand[4] = lanes_a;
    instruction.code.operand[5] = lanes_b;
}

}  // namespace cuprum::simulator
