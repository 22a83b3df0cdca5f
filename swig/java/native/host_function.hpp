// Stream.launchHostFunction: Java functions that CUDA calls.
#pragma once

#include <jni.h>

#include <csignal>
#include <memory>
#include <new>

#include "cuprum/cuprum.h"
#include "errors.hpp"
#include "host_functions.hpp"
#include "texts.hpp"

namespace cuprum_java {

// io.cuprum.internal.HostFunctions.call, found by the class loader of Cuprum's own classes. Kept for good.
struct HostFunctionCaller {
    JavaVM* vm = nullptr;
    jclass type = nullptr;
    jmethodID call = nullptr;

    // With an exception pending where it could not be found.
    explicit HostFunctionCaller(JNIEnv* jenv) {
        const jclass found = jenv->FindClass("io/cuprum/internal/HostFunctions");
        if (found == nullptr) return;
        type = static_cast<jclass>(jenv->NewGlobalRef(found));
        call = jenv->GetStaticMethodID(found, "call", "(Ljava/lang/Runnable;)V");
        jenv->GetJavaVM(&vm);
    }
};

struct HostFunction {
    const HostFunctionCaller* caller;
    jobject function;  // a global reference
};

// The thread's JNIEnv; a thread of the driver's is attached for as long as this lives.
class Attached {
public:
    explicit Attached(JavaVM* vm) : vm_(vm) {
        // The JVM catches these of its threads, and the driver's may block them.
        sigset_t caught;
        sigemptyset(&caught);
        for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGUSR1, SIGUSR2})
            sigaddset(&caught, signal);
        pthread_sigmask(SIG_UNBLOCK, &caught, &former_);
        void* env = nullptr;
        if (vm_->GetEnv(&env, JNI_VERSION_1_8) == JNI_OK) {
            env_ = static_cast<JNIEnv*>(env);
            return;
        }
        is_mine_ = vm_->AttachCurrentThreadAsDaemon(&env, nullptr) == JNI_OK;
        if (is_mine_) env_ = static_cast<JNIEnv*>(env);
    }
    ~Attached() {
        if (is_mine_) vm_->DetachCurrentThread();
        pthread_sigmask(SIG_SETMASK, &former_, nullptr);
    }
    Attached(const Attached&) = delete;
    Attached& operator=(const Attached&) = delete;

    // Null where the JVM is no more.
    JNIEnv* env() const { return env_; }

private:
    JavaVM* vm_;
    JNIEnv* env_ = nullptr;
    bool is_mine_ = false;
    sigset_t former_;
};

inline void run_host_function(void* argument) {
    const cuprum_languages::HostFunctionCall now;
    if (!now) return;
    const std::unique_ptr<HostFunction> launched(static_cast<HostFunction*>(argument));
    const Attached attached(launched->caller->vm);
    JNIEnv* const jenv = attached.env();
    if (jenv == nullptr) return;
    jenv->CallStaticVoidMethod(launched->caller->type, launched->caller->call, launched->function);
    jenv->ExceptionClear();  // of a handler of uncaught exceptions
    jenv->DeleteGlobalRef(launched->function);
}

// With an exception pending where it has failed.
inline void launch_host_function(JNIEnv* jenv, cuprum_stream stream, jobject function) {
    static const HostFunctionCaller caller(jenv);
    if (jenv->ExceptionCheck()) return;
    std::unique_ptr<HostFunction> launched(new (std::nothrow) HostFunction{&caller, jenv->NewGlobalRef(function)});
    if (launched == nullptr || launched->function == nullptr) {
        throw_out_of_memory(jenv, "no native memory for the host function");
        return;
    }
    const cuprum_status status = cuprum_stream_launch_host_function(stream, run_host_function, launched.get());
    if (status == CUPRUM_SUCCESS) {
        static_cast<void>(launched.release());  // run_host_function's
        return;
    }
    throw_last_error(jenv, status);
    jenv->DeleteGlobalRef(launched->function);
}

}  // namespace cuprum_java
