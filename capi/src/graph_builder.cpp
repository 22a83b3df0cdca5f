#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "call.hpp"
#include "cuprum/capi/graph.h"
#include "cuprum/core/device.hpp"
#include "graph_arguments.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;

namespace {

// A builder, which no other thread uses meanwhile.
template <class Use>
cuprum_status use_builder(Operation function, cuprum_graph_builder builder, const Use& use) {
    return run(function, [&](const Call& call) {
        const auto used = call.use(builder, "builder");
        const std::lock_guard lock(*used->mutex);
        use(call, *used);
    });
}

}  // namespace

cuprum_status cuprum_graph_builder_create(cuprum_graph_builder* builder_out, cuprum_stream stream) {
    return run("cuprum_graph_builder_create", [&](const Call& call) {
        call.require(builder_out, "builder_out");
        const auto in = call.use(stream, "stream");
        GraphBuilderObject made;
        made.builder = in->owner.is_valid() ? core::GraphBuilder(in->owner) : core::GraphBuilder(in->stream);
        *builder_out = call.give<cuprum_graph_builder>(std::move(made));
    });
}

cuprum_status cuprum_graph_builder_create_on_device(cuprum_graph_builder* builder_out, int32_t device) {
    return run("cuprum_graph_builder_create_on_device", [&](const Call& call) {
        call.require(builder_out, "builder_out");
        GraphBuilderObject made;
        made.builder = core::GraphBuilder(core::Device(device));
        *builder_out = call.give<cuprum_graph_builder>(std::move(made));
    });
}

cuprum_status cuprum_graph_builder_destroy(cuprum_graph_builder builder) {
    return run("cuprum_graph_builder_destroy", [&](const Call& call) { call.destroy(builder, "builder"); });
}

cuprum_status cuprum_graph_builder_stream(cuprum_stream* stream_out, cuprum_graph_builder builder) {
    return use_builder("cuprum_graph_builder_stream", builder, [&](const Call& call, GraphBuilderObject& used) {
        call.require(stream_out, "stream_out");
        *stream_out = call.give<cuprum_stream>(StreamObject(used.builder.stream(), used.builder.stream_owner()));
    });
}

cuprum_status cuprum_graph_builder_begin_building(cuprum_graph_builder builder, int32_t mode) {
    return use_builder("cuprum_graph_builder_begin_building", builder, [&](const Call& call, GraphBuilderObject& used) {
        if (mode < CUPRUM_GRAPH_BUILD_GLOBAL || mode > CUPRUM_GRAPH_BUILD_RELAXED) {
            call.refuse("mode", "is " + std::to_string(mode) + "; expected one of CUPRUM_GRAPH_BUILD_* (0 to 2)");
        }
        used.builder.begin_building(static_cast<core::GraphBuildMode>(mode));
    });
}

cuprum_status cuprum_graph_builder_end_building(cuprum_graph_builder builder) {
    return use_builder("cuprum_graph_builder_end_building", builder,
                       [&](const Call&, GraphBuilderObject& used) { used.builder.end_building(); });
}

cuprum_status cuprum_graph_builder_is_building(int32_t* building_out, cuprum_graph_builder builder) {
    return use_builder("cuprum_graph_builder_is_building", builder, [&](const Call& call, GraphBuilderObject& used) {
        call.require(building_out, "building_out");
        *building_out = used.builder.is_building() ? 1 : 0;
    });
}

cuprum_status cuprum_graph_builder_is_join_required(int32_t* required_out, cuprum_graph_builder builder) {
    return use_builder("cuprum_graph_builder_is_join_required", builder,
                       [&](const Call& call, GraphBuilderObject& used) {
                           call.require(required_out, "required_out");
                           *required_out = used.builder.is_join_required() ? 1 : 0;
                       });
}

cuprum_status cuprum_graph_builder_graph_definition(cuprum_graph_definition* definition_out,
                                                    cuprum_graph_builder builder) {
    return use_builder("cuprum_graph_builder_graph_definition", builder,
                       [&](const Call& call, GraphBuilderObject& used) {
                           call.require(definition_out, "definition_out");
                           *definition_out = call.give<cuprum_graph_definition>({used.builder.graph_definition()});
                       });
}

cuprum_status cuprum_graph_builder_split(cuprum_graph_builder* split_out, cuprum_graph_builder builder) {
    return use_builder("cuprum_graph_builder_split", builder, [&](const Call& call, GraphBuilderObject& used) {
        call.require(split_out, "split_out");
        GraphBuilderObject made;
        made.builder = used.builder.split();
        *split_out = call.give<cuprum_graph_builder>(std::move(made));
    });
}

cuprum_status cuprum_graph_builder_join(cuprum_graph_builder builder, cuprum_graph_builder other) {
    return run("cuprum_graph_builder_join", [&](const Call& call) {
        const auto used = call.use(builder, "builder");
        const auto joined = call.use(other, "other");
        if (&*used == &*joined) call.refuse("other", "is the same builder", "join another one");
        const std::scoped_lock locks(*used->mutex, *joined->mutex);
        used->builder.join(joined->builder);
    });
}

cuprum_status cuprum_graph_builder_create_condition(uint64_t* condition_out, cuprum_graph_builder builder,
                                                    int32_t has_default, uint32_t default_value) {
    return use_builder(
        "cuprum_graph_builder_create_condition", builder, [&](const Call& call, GraphBuilderObject& used) {
            call.require(condition_out, "condition_out");
            *condition_out =
                used.builder.create_condition(has_default != 0 ? std::optional(default_value) : std::nullopt).handle();
        });
}

cuprum_status cuprum_graph_builder_add_conditional(uint64_t* node_out, cuprum_graph_builder builder, uint64_t condition,
                                                   int32_t type, uint32_t count) {
    return use_builder(
        "cuprum_graph_builder_add_conditional", builder, [&](const Call& call, GraphBuilderObject& used) {
            call.require(node_out, "node_out");
            std::vector<core::GraphBuilder> bodies =
                used.builder.conditional(core::GraphCondition::from_handle(condition),
                                         read_conditional_type(call, type), read_body_count(call, count));
            const uint64_t node = ++used.last_conditional;
            used.bodies.emplace(node, std::move(bodies));
            *node_out = node;
        });
}

cuprum_status cuprum_graph_builder_take_body(cuprum_graph_builder* body_out, cuprum_graph_builder builder,
                                             uint64_t node, uint32_t index) {
    return use_builder("cuprum_graph_builder_take_body", builder, [&](const Call& call, GraphBuilderObject& used) {
        call.require(body_out, "body_out");
        const auto found = used.bodies.find(node);
        if (found == used.bodies.end()) call.refuse("node", "is not a conditional node of this builder");
        if (index >= found->second.size()) {
            call.refuse("index", "is " + std::to_string(index) + "; the node has " +
                                     std::to_string(found->second.size()) + " bodies, counted from 0");
        }
        core::GraphBuilder& body = found->second[index];
        if (!body.is_valid()) call.refuse("index", "is that of a body that was taken already");
        GraphBuilderObject taken;
        taken.builder = std::move(body);
        *body_out = call.give<cuprum_graph_builder>(std::move(taken));
    });
}

cuprum_status cuprum_graph_builder_embed(cuprum_graph_builder builder, cuprum_graph_definition child) {
    return use_builder("cuprum_graph_builder_embed", builder, [&](const Call& call, GraphBuilderObject& used) {
        used.builder.embed(call.use(child, "child")->definition);
    });
}

cuprum_status cuprum_graph_builder_callback(cuprum_graph_builder builder, cuprum_host_function function,
                                            cuprum_graph_release release, void* user_data) {
    return use_builder("cuprum_graph_builder_callback", builder, [&](const Call& call, GraphBuilderObject& used) {
        const GraphFunction callback = read_function(call, function, release, user_data);
        used.builder.callback(callback);
        callback.arm();
    });
}
