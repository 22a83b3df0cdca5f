// What the decoder puts between instructions to look for unwritten registers and memory, and for races, and to count.
#include "engine/execution/lanes.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

// See RowOperation. For check, `immediate` says which register's row it is.
const Instruction* written_row(Warp& warp, const Instruction* at) {
    uint32_t& row = warp.predicate(at->operand[0]);
    const auto source = [&](unsigned k) {
        return (at->aux >> (row_aux::present_shift + k - 1) & 1) != 0 ? warp.predicate(at->operand[k]) : ~0u;
    };
    const auto settled_by = [&](unsigned k) {
        const uint32_t value = warp.predicate(at->operand[k]);
        return (at->aux & row_aux::settles_if_true) != 0 ? value : ~value;
    };
    uint32_t written = 0;
    switch (static_cast<RowOperation>(at->aux & 0xff)) {
        case RowOperation::clear:
            break;
        case RowOperation::mark:
            written = ~0u;
            break;
        case RowOperation::load:
            written = written_by_load(warp, at->aux >> row_aux::element_shift);
            break;
        case RowOperation::check:
            if ((warp.active & ~row) != 0) fault_unwritten(warp, at, warp.active & ~row);
            return at + 1;
        case RowOperation::join:
            written = source(1) & source(2) & source(3);
            break;
        case RowOperation::select: {
            const uint32_t condition = warp.predicate(at->operand[4]);
            written = source(3) & ((condition & source(1)) | (~condition & source(2)));
            break;
        }
        case RowOperation::settle:
            written = source(3) & ((source(1) & source(2)) | settled_by(4));
            break;
        case RowOperation::settle_2:
            written = (source(1) & source(2)) | (source(1) & settled_by(4)) | (source(2) & settled_by(5));
            break;
    }
    row = (row & ~warp.active) | (written & warp.active);
    return at + 1;
}

}  // namespace

Handlers check_control(Control which) {
    switch (which) {
        case Control::written_row:
            return both(&written_row);
        case Control::check_access:
            return both(&common<&check_access>);
        case Control::check_races:
            return both(&common<&check_races>);
        case Control::note_fence:
            return both(&common<&note_fence>);
        case Control::profile_probe:
            return both(&common<&profile_probe>);
        case Control::break_probe:
            return both(&common<&break_probe>);
        default:
            return {};
    }
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
