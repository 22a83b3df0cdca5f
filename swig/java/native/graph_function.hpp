// Java functions in graphs: called in every launch, and let go of when no graph has them any more.
#pragma once

#include <jni.h>

#include <memory>
#include <new>

#include "graph_nodes.hpp"
#include "host_function.hpp"

namespace cuprum_java {

inline void run_graph_function(void* argument) {
    const cuprum_languages::HostFunctionCall now;
    if (!now) return;
    const auto* const given = static_cast<const HostFunction*>(argument);
    const Attached attached(given->caller->vm);
    JNIEnv* const jenv = attached.env();
    if (jenv == nullptr) return;
    jenv->CallStaticVoidMethod(given->caller->type, given->caller->call, given->function);
    jenv->ExceptionClear();  // of a handler of uncaught exceptions
}

inline void release_graph_function(void* argument) {
    const cuprum_languages::HostFunctionCall now;
    if (!now) return;
    const std::unique_ptr<HostFunction> given(static_cast<HostFunction*>(argument));
    const Attached attached(given->caller->vm);
    if (attached.env() != nullptr) attached.env()->DeleteGlobalRef(given->function);
}

// The node where one was added; with an exception pending where it has failed.
inline jlong give_graph_function(JNIEnv* jenv, int32_t call, const cuprum_languages::GraphNodePlace& place,
                                 jobject function) {
    static const HostFunctionCaller caller(jenv);
    if (jenv->ExceptionCheck()) return 0;
    std::unique_ptr<HostFunction> given(new (std::nothrow) HostFunction{&caller, jenv->NewGlobalRef(function)});
    if (given == nullptr || given->function == nullptr) {
        throw_out_of_memory(jenv, "no native memory for the host function");
        return 0;
    }
    uint64_t node = 0;
    const cuprum_status status =
        cuprum_languages::call_callback(&node, call, place, run_graph_function, release_graph_function, given.get());
    if (status == CUPRUM_SUCCESS) {
        static_cast<void>(given.release());  // release_graph_function's
        return static_cast<jlong>(node);
    }
    throw_last_error(jenv, status);
    jenv->DeleteGlobalRef(given->function);
    return 0;
}

}  // namespace cuprum_java
