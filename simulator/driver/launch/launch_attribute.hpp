// The attributes of launches and of graphs' kernel nodes.
#pragma once

#include <memory>

#include "driver/launch/launch.hpp"
#include "driver/process/cuda_api.hpp"

namespace cuprum::simulator::libcuda {

class Event;
class Stream;

// Applies what a launch attribute asks for. What only tunes a GPU is checked and accepted; what would change the
// meaning of the launch and is not there is refused. Throws DriverError.
void apply_attribute(const CUlaunchAttribute& attribute, LaunchShape& shape);

// The event of an attribute that asks for one to be recorded in a launch; null for other attributes. Throws
// DriverError.
std::shared_ptr<Event> event_of_attribute(const CUlaunchAttribute& attribute, const Stream& stream);

// Throws DriverError(CUDA_ERROR_INVALID_VALUE) for attributes that launches have and kernel nodes have not.
void require_node_attribute(CUlaunchAttributeID attribute);

// Throws DriverError(CUDA_ERROR_INVALID_VALUE) for an invalid window or policy, of launches and streams.
void require_access_policy(const CUaccessPolicyWindow& window);
void require_synchronization_policy(int policy);
void require_memory_domain(int domain);
void require_memory_domains(const CUlaunchMemSyncDomainMap& map);

}  // namespace cuprum::simulator::libcuda
