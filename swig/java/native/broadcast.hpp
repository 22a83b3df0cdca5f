// io.cuprum.Communicator of several processes, whose io.cuprum.Broadcast is a Java object.
#pragma once

#include <jni.h>

#include <cstdint>

#include "cuprum/cuprum.h"
#include "errors.hpp"

namespace cuprum_java {

// For the time of a call, on its thread.
struct Broadcast {
    JNIEnv* jenv;
    jobject function;
    jmethodID call;
};

// What it throws stays pending: it goes to the caller of the function that has called this.
inline cuprum_status broadcast(void* data, void* bytes, uint64_t size) {
    const Broadcast& given = *static_cast<const Broadcast*>(data);
    JNIEnv* const jenv = given.jenv;
    const auto length = static_cast<jsize>(size);
    const jbyteArray copy = jenv->NewByteArray(length);
    if (copy == nullptr) return CUPRUM_ERROR_INTERNAL;
    jenv->SetByteArrayRegion(copy, 0, length, static_cast<const jbyte*>(bytes));
    jenv->CallVoidMethod(given.function, given.call, copy);
    if (jenv->ExceptionCheck()) return CUPRUM_ERROR_INTERNAL;
    jenv->GetByteArrayRegion(copy, 0, length, static_cast<jbyte*>(bytes));
    return CUPRUM_SUCCESS;
}

// The handle of a communicator; 0 with an exception pending. `function` may be null.
inline jlong create_communicator_of_process(JNIEnv* jenv, jint device, jint rank, jint count, jobject function,
                                            jlong timeout_ms) {
    const jclass type = jenv->FindClass("io/cuprum/Broadcast");
    if (type == nullptr) return 0;
    Broadcast given{jenv, function, jenv->GetMethodID(type, "broadcast", "([B)V")};
    if (given.call == nullptr) return 0;
    cuprum_communicator made = nullptr;
    const cuprum_status status = cuprum_communicator_create_process(
        &made, device, static_cast<uint32_t>(rank), static_cast<uint32_t>(count),
        function == nullptr ? nullptr : broadcast, &given, static_cast<uint32_t>(timeout_ms));
    if (jenv->ExceptionCheck()) return 0;
    if (status != CUPRUM_SUCCESS) {
        throw_last_error(jenv, status);
        return 0;
    }
    return static_cast<jlong>(reinterpret_cast<uintptr_t>(made));
}

}  // namespace cuprum_java
