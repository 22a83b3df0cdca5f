// One instruction set's copy of the interpreter: its entry points.
#include "engine/execution/lanes.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

Handlers select(Form& form) {
    for (const auto subject :
         {&select_integer, &select_bits, &select_compare, &select_memory, &select_float, &select_rounded, &select_half,
          &select_approximate, &select_convert, &select_convert_packed, &select_convert_general, &select_atomic,
          &select_warp, &select_video}) {
        Form attempt = form;
        if (const Handlers handlers = subject(attempt); handlers && attempt.exhausted()) {
            form = attempt;
            return handlers;
        }
    }
    return {};
}

// From `start` until the lanes wait, or reach `stop`.
void run(Warp& warp, const Instruction* start, const Instruction* stop) {
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

const Backend entries{&control_handlers, &select, &run};

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
