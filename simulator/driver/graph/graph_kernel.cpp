#include "driver/graph/graph_kernel.hpp"

#include <algorithm>
#include <cstring>

#include "driver/launch/launch_attribute.hpp"

namespace cuprum::simulator::libcuda {

CUkernelNodeAttrValue kernel_attribute(const KernelOperation& kernel, CUkernelNodeAttrID attribute) {
    CUkernelNodeAttrValue value;
    std::memset(&value, 0, sizeof value);
    if (attribute == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) {
        value.cooperative = kernel.launch->request.cooperative ? 1 : 0;
        return value;
    }
    for (const CUlaunchAttribute& own : kernel.launch->attributes) {
        if (own.id == attribute) value = own.value;
    }
    return value;
}

void set_kernel_attribute(KernelOperation& kernel, CUkernelNodeAttrID attribute, const CUkernelNodeAttrValue& value) {
    LaunchShape shape;
    shape.cooperative = kernel.launch->request.cooperative;
    CUlaunchAttribute set{};
    set.id = attribute;
    set.value = value;
    apply_attribute(set, shape);
    auto launch = std::make_shared<KernelLaunch>(*kernel.launch);
    launch->request.cooperative = shape.cooperative;
    if (attribute == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) set_cluster(*launch, shape);
    std::erase_if(launch->attributes, [&](const CUlaunchAttribute& old) { return old.id == attribute; });
    launch->attributes.push_back(set);
    kernel.launch = std::move(launch);
}

void copy_kernel_attributes(const KernelOperation& copied, KernelOperation& kernel) {
    auto launch = std::make_shared<KernelLaunch>(*kernel.launch);
    launch->attributes = copied.launch->attributes;
    launch->request.cooperative = copied.launch->request.cooperative;
    launch->request.cluster = copied.launch->request.cluster;
    launch->request.explicit_cluster = copied.launch->request.explicit_cluster;
    kernel.launch = std::move(launch);
}

}  // namespace cuprum::simulator::libcuda
