// texture_fetch.cpp, surface_access.cpp and image_query.cpp, which are compiled for every processor.
#include "engine/execution/lanes.hpp"

namespace cuprum::simulator::CUPRUM_BACKEND {
namespace {

Handlers image_control(Control which) {
    switch (which) {
        case Control::texture_fetch:
            return both(&common<&texture_fetch>);
        case Control::surface_access:
            return both(&common<&surface_access>);
        case Control::image_query:
            return both(&common<&image_query>);
        default:
            return {};
    }
}

}  // namespace

template <>
Operations operations<Family::images>() {
    return {.of_control = &image_control};
}

}  // namespace cuprum::simulator::CUPRUM_BACKEND
