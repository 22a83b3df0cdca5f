// mbarrier.cpp, asynchronous_copy.cpp, bulk_copy.cpp and tensor_*.cpp, which are compiled for every processor.
#include "engine/execution/lanes.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

Handlers asynchronous_control(Control which) {
    switch (which) {
        case Control::mbarrier:
            return both(&common<&mbarrier>);
        case Control::asynchronous_copy:
            return both(&common<&asynchronous_copy>);
        case Control::tensor_copy:
            return both(&common<&tensor_copy>);
        case Control::tensor_map_update:
            return both(&common<&tensor_map_update>);
        case Control::remote_store:
            return both(&common<&remote_store>);
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
