// mbarrier.cpp and asynchronous_copy.cpp, which are compiled for every processor.
#include "engine/execution/lanes.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

Handlers asynchronous_control(Control which) {
    switch (which) {
        case Control::mbarrier:
            return both(&common<&mbarrier>);
        case Control::asynchronous_copy:
            return both(&common<&asynchronous_copy>);
        default:
            return {};
    }
}

}  // namespace

template <>
Operations operations<Family::asynchronous>() {
    return {.of_control = &asynchronous_control};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
