// io.cuprum.UserMemoryResource: memory that a Java object allocates.
#pragma once

#include <jni.h>

#include <cstdint>
#include <memory>
#include <new>

#include "cuprum/cuprum.h"
#include "errors.hpp"
#include "host_function.hpp"
#include "host_functions.hpp"
#include "texts.hpp"
#include "user_memory.hpp"

namespace cuprum_java {

// The functions of io.cuprum.internal.UserMemory. Kept for good.
struct MemoryCaller {
    JavaVM* vm = nullptr;
    jclass type = nullptr;
    jmethodID allocate = nullptr;
    jmethodID deallocate = nullptr;

    // With an exception pending where one could not be found.
    explicit MemoryCaller(JNIEnv* jenv) {
        const jclass found = jenv->FindClass("io/cuprum/internal/UserMemory");
        if (found == nullptr) return;
        type = static_cast<jclass>(jenv->NewGlobalRef(found));
        allocate = jenv->GetStaticMethodID(found, "allocate", "(Ljava/lang/Object;JIJ[J)Z");
        if (allocate != nullptr) deallocate = jenv->GetStaticMethodID(found, "deallocate", "(Ljava/lang/Object;JJIJ)V");
        jenv->GetJavaVM(&vm);
    }
};

struct UserMemory {
    const MemoryCaller* caller;
    jobject allocator;  // a global reference
};

// Runs `body` with the thread's JNIEnv, while there is a JVM: once it exits, memory is left alone.
template <class Body>
void with_jvm(const UserMemory& memory, const Body& body) {
    const cuprum_languages::HostFunctionCall now;
    if (!now) return;
    const Attached attached(memory.caller->vm);
    JNIEnv* const jenv = attached.env();
    if (jenv == nullptr || jenv->PushLocalFrame(8) != 0) return;
    body(jenv);
    jenv->ExceptionClear();  // of a handler of uncaught exceptions
    jenv->PopLocalFrame(nullptr);
}

inline cuprum_status user_allocate(void* data, uint64_t size, cuprum_stream stream, uint64_t* address_out) {
    const UserMemory& memory = *static_cast<UserMemory*>(data);
    const cuprum_languages::StreamNumbers in(stream);
    cuprum_status status = CUPRUM_ERROR_INTERNAL;
    with_jvm(memory, [&](JNIEnv* jenv) {
        const jlongArray place = jenv->NewLongArray(1);
        if (place == nullptr) return;
        const bool is_done = jenv->CallStaticBooleanMethod(memory.caller->type, memory.caller->allocate,
                                                           memory.allocator, static_cast<jlong>(size), in.device,
                                                           static_cast<jlong>(in.native), place) == JNI_TRUE;
        if (jenv->ExceptionCheck() || !is_done) return;
        jlong address = 0;
        jenv->GetLongArrayRegion(place, 0, 1, &address);
        *address_out = static_cast<uint64_t>(address);
        status = CUPRUM_SUCCESS;
    });
    return status;
}

inline void user_deallocate(void* data, uint64_t address, uint64_t size, cuprum_stream stream) {
    const UserMemory& memory = *static_cast<UserMemory*>(data);
    const cuprum_languages::StreamNumbers in(stream);
    with_jvm(memory, [&](JNIEnv* jenv) {
        jenv->CallStaticVoidMethod(memory.caller->type, memory.caller->deallocate, memory.allocator,
                                   static_cast<jlong>(address), static_cast<jlong>(size), in.device,
                                   static_cast<jlong>(in.native));
    });
}

inline void user_release(void* data) {
    const std::unique_ptr<UserMemory> memory(static_cast<UserMemory*>(data));
    cuprum_languages::UserMemories::remove(memory.get());
    with_jvm(*memory, [&](JNIEnv* jenv) { jenv->DeleteGlobalRef(memory->allocator); });
}

// The handle of a resource; 0 with an exception pending.
inline jlong create_user_memory_resource(JNIEnv* jenv, jobject allocator, jint kind, jint device) {
    static const MemoryCaller caller(jenv);
    if (jenv->ExceptionCheck()) return 0;
    std::unique_ptr<UserMemory> memory(new (std::nothrow) UserMemory{&caller, jenv->NewGlobalRef(allocator)});
    if (memory == nullptr || memory->allocator == nullptr) {
        throw_out_of_memory(jenv, "no native memory for the memory resource");
        return 0;
    }
    cuprum_memory_resource made = nullptr;
    cuprum_languages::UserMemories::add(memory.get());
    const cuprum_status status = cuprum_memory_resource_create_user(&made, kind, device, user_allocate, user_deallocate,
                                                                    user_release, memory.get());
    if (status == CUPRUM_SUCCESS) {
        static_cast<void>(memory.release());  // user_release's
        return static_cast<jlong>(reinterpret_cast<uintptr_t>(made));
    }
    cuprum_languages::UserMemories::remove(memory.get());
    throw_last_error(jenv, status);
    jenv->DeleteGlobalRef(memory->allocator);
    return 0;
}

// The allocator that a resource was made with; null for other resources.
inline jobject user_allocator(JNIEnv* jenv, jlong resource) {
    const auto handle = reinterpret_cast<cuprum_memory_resource>(static_cast<uintptr_t>(resource));
    const auto* const memory = static_cast<UserMemory*>(cuprum_languages::UserMemories::of(handle));
    return memory == nullptr ? nullptr : jenv->NewLocalRef(memory->allocator);
}

}  // namespace cuprum_java
