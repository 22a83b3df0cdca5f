#include "cuprum/core/memory_location.hpp"

#include <string>

#include "context.hpp"
#include "cuprum/core/error.hpp"

namespace cuprum::core {

MemoryLocation MemoryLocation::host_numa(int32_t node) {
    if (node < 0) {
        throw InvalidArgument("naming a NUMA node", std::to_string(node), "the numbers of NUMA nodes begin at 0",
                              "name a node, or host memory as a whole");
    }
    return {Kind::host_numa, node};
}

MemoryLocation MemoryLocation::of(int32_t kind, int32_t id) {
    switch (static_cast<Kind>(kind)) {
        case Kind::device:
            return Device(id);
        case Kind::host:
            return host();
        case Kind::host_numa:
            return host_numa(id);
        case Kind::host_numa_current:
            return host_numa_current();
    }
    throw InvalidArgument("naming a memory location", std::to_string(kind),
                          "a location is a device (1), host memory (2), a NUMA node (3) or the calling thread's (4)");
}

}  // namespace cuprum::core
