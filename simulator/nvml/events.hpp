// Event sets: which faults of which devices a program waits for.
#pragma once

#include "nvml/nvml_api.hpp"

namespace cuprum::simulator::nvml {

Result create_event_set(EventSet** set);
Result free_event_set(EventSet* set);
// Only critical errors (XIDs) happen on a simulated device. What had happened before is no event.
Result register_events(EventSet* set, DeviceHandle* device, unsigned long long types);
Result wait_for_event(EventSet* set, EventData* data, unsigned int milliseconds);

}  // namespace cuprum::simulator::nvml
