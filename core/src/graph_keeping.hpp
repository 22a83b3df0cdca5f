// What graphs keep alive, by the driver's user objects: it goes when the last graph that has a reference to it is
// destroyed and what was launched has ended.
#pragma once

#include <memory>

#include "cuprum/core/graph_node.hpp"
#include "driver_api.hpp"

namespace cuprum::core {

// Owners that a graph holds; let go of by the destructor, until done() says that they stay.
class Keeping {
public:
    // Nothing for no owners.
    Keeping(CUgraph graph, GraphOwners owners, const char* operation);
    ~Keeping() { let_go(); }
    Keeping(const Keeping&) = delete;
    Keeping& operator=(const Keeping&) = delete;

    void let_go() noexcept;
    // What the graph keeps from now on: for stop_keeping(). Null for nothing.
    CUuserObject done() noexcept;

private:
    CUgraph graph_;
    CUuserObject object_ = nullptr;
};

// The graph lets go of it; null is ignored.
void stop_keeping(CUgraph graph, CUuserObject object) noexcept;

}  // namespace cuprum::core
