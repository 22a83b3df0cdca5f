// What handles stand for, kept by graphs.
#pragma once

#include <memory>
#include <utility>

#include "call.hpp"
#include "cuprum/core/graph_builder.hpp"

namespace cuprum::capi {

/// The object behind a handle, kept for as long as the owner is, whatever becomes of the handle. Two owners of one
/// object are equal.
template <class Handle>
std::shared_ptr<const void> owner_of(const Call& call, Handle handle, const char* parameter, int32_t element = -1) {
    using Object = ObjectOf<Handle>;
    auto pin = std::make_shared<Pin<Object>>(call.use(handle, parameter, element));
    const Object* const object = &**pin;
    return {std::move(pin), object};
}

/// The owner of what captured work uses; null of memory that the graph itself allocates and frees.
template <class Handle>
std::shared_ptr<const void> owner_in_capture(const Call& call, Handle handle, const char* parameter,
                                             int32_t element = -1) {
    if constexpr (std::is_same_v<Handle, cuprum_buffer>) {
        if (call.use(handle, parameter, element)->is_of_graph) return nullptr;
    }
    return owner_of(call, handle, parameter, element);
}

/// Before work that uses them is put into the stream: a graph that it is captured into keeps them. Costs a load where
/// no graph is being built.
template <class... Handles>
void keep_captured(const Call& call, const core::StreamRef& stream, Handles... handles) {
    if (!core::is_any_graph_being_built()) [[likely]]
        return;
    core::keep_for_capture(stream, {owner_in_capture(call, handles, "buffer")...});
}

}  // namespace cuprum::capi
