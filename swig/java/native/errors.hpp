// Turns the failure of a Cuprum call into a Java exception, on the same thread and before any other Cuprum call.
#pragma once

#include <jni.h>

#include "cuprum/cuprum.h"
#include "texts.hpp"

namespace cuprum_java {

// Leaves an exception pending: the one that io.cuprum.Errors makes of cuprum_error_last(), or finds, or the JVM's own
// when even that is not possible (it is out of memory).
inline void throw_last_error(JNIEnv* jenv, cuprum_status status) {
    cuprum_error_info info = cuprum_error_info();
    info.struct_size = sizeof(info);
    const bool known = cuprum_error_last(&info) == CUPRUM_SUCCESS;

    const jclass errors = jenv->FindClass("io/cuprum/Errors");
    if (errors == nullptr) {
        return;
    }
    const jmethodID make = jenv->GetStaticMethodID(errors, "make", "(III[B[B[B[B[B[B[B)Ljava/lang/Throwable;");
    if (make == nullptr) {
        return;
    }
    const char* const texts[] = {info.name,   info.message, info.operation, info.object,
                                 info.detail, info.advice,  info.log};
    jbyteArray arrays[7] = {};
    for (int i = 0; i < 7; ++i) {
        arrays[i] = bytes_of(jenv, known && texts[i] != nullptr ? texts[i] : "");
        if (arrays[i] == nullptr) {
            return;
        }
    }
    const jobject exception = jenv->CallStaticObjectMethod(
        errors, make, static_cast<jint>(status), static_cast<jint>(info.domain), static_cast<jint>(info.code),
        arrays[0], arrays[1], arrays[2], arrays[3], arrays[4], arrays[5], arrays[6]);
    if (!jenv->ExceptionCheck() && exception != nullptr) {
        jenv->Throw(static_cast<jthrowable>(exception));
    }
}

}  // namespace cuprum_java
