// Text and bytes between Java's byte[] and C. Text is UTF-8 and ends in NUL on both sides; io.cuprum.internal.Text does
// the rest.
#pragma once

#include <jni.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

namespace cuprum_java {

inline void throw_out_of_memory(JNIEnv* jenv, const char* what) {
    const jclass type = jenv->FindClass("java/lang/OutOfMemoryError");
    if (type != nullptr) {
        jenv->ThrowNew(type, what);
    }
}

// A new byte[]; null with an exception pending when there is no memory for it, or when a byte[] cannot be that long.
inline jbyteArray bytes_of(JNIEnv* jenv, const void* data, uint64_t size) {
    if (size > static_cast<uint64_t>(std::numeric_limits<jsize>::max())) {
        throw_out_of_memory(jenv, "more bytes than a Java array can hold");
        return nullptr;
    }
    const jbyteArray array = jenv->NewByteArray(static_cast<jsize>(size));
    if (array != nullptr && size != 0) {
        jenv->SetByteArrayRegion(array, 0, static_cast<jsize>(size), static_cast<const jbyte*>(data));
    }
    return array;
}

// Null for null.
inline jbyteArray bytes_of(JNIEnv* jenv, const char* text) {
    return text == nullptr ? nullptr : bytes_of(jenv, text, std::strlen(text));
}

// Copies a byte[] into `bytes`. False with an exception pending when there is no memory for it.
inline bool read_bytes(JNIEnv* jenv, jbyteArray array, std::vector<char>& bytes) {
    const jsize length = jenv->GetArrayLength(array);
    try {
        bytes.resize(static_cast<size_t>(length));
    } catch (const std::bad_alloc&) {
        throw_out_of_memory(jenv, "no native memory for the text");
        return false;
    }
    jenv->GetByteArrayRegion(array, 0, length, reinterpret_cast<jbyte*>(bytes.data()));
    return !jenv->ExceptionCheck();
}

// One text that goes in; null stays NULL.
class Text {
public:
    bool read(JNIEnv* jenv, jbyteArray array) { return array == nullptr || read_bytes(jenv, array, bytes_); }
    const char* c_str() const { return bytes_.empty() ? nullptr : bytes_.data(); }

private:
    std::vector<char> bytes_;
};

// Many texts that go in, contiguous, each with its NUL.
class Texts {
public:
    bool read(JNIEnv* jenv, jbyteArray array) {
        if (array == nullptr) {
            return true;
        }
        if (!read_bytes(jenv, array, bytes_)) {
            return false;
        }
        try {
            for (size_t at = 0; at < bytes_.size(); at += std::strlen(bytes_.data() + at) + 1) {
                starts_.push_back(bytes_.data() + at);
            }
        } catch (const std::bad_alloc&) {
            throw_out_of_memory(jenv, "no native memory for the texts");
            return false;
        }
        return true;
    }
    const char** data() { return starts_.data(); }
    uint32_t count() const { return static_cast<uint32_t>(starts_.size()); }

private:
    std::vector<char> bytes_;
    std::vector<const char*> starts_;
};

}  // namespace cuprum_java
