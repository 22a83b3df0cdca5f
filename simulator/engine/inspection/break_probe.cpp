// Breakpoints: a prefix of the instructions where one is, and of no other.
#include "engine/inspection/inspector.hpp"
#include "engine/program/decoder.hpp"

namespace cuprum::simulator {

void FunctionDecoder::emit_break_probe() {
    if (!context_.inspector->may_stop_in(parsed_)) return;
    const auto index = static_cast<size_t>(current_ - parsed_.instructions.data());
    if (!context_.inspector->stops_at(module_, parsed_, index)) return;
    emit(control(Control::break_probe)).unwritten = Unwritten::dropped;
}

}  // namespace cuprum::simulator
