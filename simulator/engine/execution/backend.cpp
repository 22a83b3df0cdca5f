// One instruction set's copy of the interpreter: its entry points.
#include <array>
#include <utility>

#include "engine/execution/lanes.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

constexpr auto family_count = static_cast<size_t>(Family::count_);

template <size_t... number>
std::array<Operations, family_count> operations_of_all(std::index_sequence<number...>) {
    return {operations<static_cast<Family>(number)>()...};
}
const std::array<Operations, family_count>& all_operations() {
    static const auto all = operations_of_all(std::make_index_sequence<family_count>{});
    return all;
}

Handlers select(Form& form) {
    for (const Operations& family : all_operations()) {
        if (family.of_form == nullptr) continue;
        if (const Handlers handlers = first_of(form, {family.of_form})) return handlers;
    }
    return {};
}

Handlers control(Control which) {
    for (const Operations& family : all_operations()) {
        if (family.of_control == nullptr) continue;
        if (const Handlers handlers = family.of_control(which)) return handlers;
    }
    return check_control(which);
}

// From `start` until the lanes wait, or reach `stop`.
void run(Warp& warp, const Instruction* start, const Instruction* stop) {
    if (warp.masked != warp.active) {
        expand(warp.active, warp.mask);
        warp.masked = warp.active;
    }
    const Instruction* at = start;
    if (!warp.partial) {
        while (at != nullptr)
            at = at->body[0](warp, at);
    } else if (stop == nullptr) {
        while (at != nullptr)
            at = at->body[1](warp, at);
    } else {
        while (at != nullptr && at < stop)
            at = at->body[1](warp, at);
    }
    leave_wide_vectors();
    if (at != nullptr) {
        warp.groups[warp.current].pc = at;
        warp.event = Event::reschedule;
    }
}

Resumed resume(Warp* warp, const Warp* end, int32_t budget) {
    bool paused = false;
    for (; warp != end && warp->paused; ++warp) {
        if (warp->groups[0].state != Group::State::ready) continue;
        warp->paused = false;
        warp->event = Event::none;
        warp->budget = budget;
        const Instruction* at = warp->groups[0].pc;
        while (at != nullptr)
            at = at->body[0](*warp, at);
        if (!warp->paused) {
            leave_wide_vectors();
            return {warp, paused, true};
        }
        paused = true;
    }
    leave_wide_vectors();
    return {warp, paused, false};
}

const Backend entries{&control, &select, &run, &resume, &joined_with_branch};

}  // namespace

const Backend& entry() {
    return entries;
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND

namespace cuprum::simulator {
const Backend& CUPRUM_BACKEND_ENTRY() {
    return CUPRUM_BACKEND::entry();
}
}  // namespace cuprum::simulator
