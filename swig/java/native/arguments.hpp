// Numbers between Java's arrays and the C ABI's structs.
#pragma once

#include <jni.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

#include "cuprum/cuprum.h"
#include "texts.hpp"

namespace cuprum_java {

// The arguments of one launch, from a long[] with two elements for each: kind | size << 32, and the value's bits,
// or for BYTES their address.
// Launches are the hot path: up to `inline_count` arguments need no allocation.
class Arguments {
public:
    static constexpr size_t inline_count = 16;

    // False with an exception pending.
    bool read(JNIEnv* jenv, jlongArray packed) {
        count_ = static_cast<size_t>(jenv->GetArrayLength(packed)) / 2;
        jlong* words = inline_words_.data();
        arguments_ = inline_arguments_.data();
        if (count_ > inline_count) {
            try {
                more_words_.resize(2 * count_);
                more_arguments_.resize(count_);
            } catch (const std::bad_alloc&) {
                throw_out_of_memory(jenv, "no native memory for the kernel arguments");
                return false;
            }
            words = more_words_.data();
            arguments_ = more_arguments_.data();
        }
        jenv->GetLongArrayRegion(packed, 0, static_cast<jsize>(2 * count_), words);
        if (jenv->ExceptionCheck()) {
            return false;
        }
        for (size_t i = 0; i < count_; ++i) {
            cuprum_argument& argument = arguments_[i];
            const uint64_t form = static_cast<uint64_t>(words[2 * i]);
            argument.kind = static_cast<int32_t>(form & 0xFFFFFFFFu);
            argument.size = static_cast<uint32_t>(form >> 32);
            if (argument.kind == CUPRUM_ARGUMENT_INT_BYTES || argument.kind == CUPRUM_ARGUMENT_FLOAT_BYTES) {
                argument.value.bytes = &words[2 * i + 1];  // little-endian: the value's bytes come first
            } else {
                argument.value.u64 = static_cast<uint64_t>(words[2 * i + 1]);
            }
        }
        return true;
    }
    const cuprum_argument* data() const { return arguments_; }
    uint32_t count() const { return static_cast<uint32_t>(count_); }

private:
    size_t count_ = 0;
    cuprum_argument* arguments_ = nullptr;
    std::array<jlong, 2 * inline_count> inline_words_;
    std::array<cuprum_argument, inline_count> inline_arguments_;
    std::vector<jlong> more_words_;
    std::vector<cuprum_argument> more_arguments_;
};

static_assert(sizeof(cuprum_buffer) == sizeof(uint64_t), "handles travel as 64-bit integers");

// Handles from a long[].
class Handles {
public:
    // False with an exception pending.
    bool read(JNIEnv* jenv, jlongArray array) {
        const auto count = static_cast<size_t>(jenv->GetArrayLength(array));
        try {
            numbers_.resize(count);
            handles_.resize(count);
        } catch (const std::bad_alloc&) {
            throw_out_of_memory(jenv, "no native memory for the handles");
            return false;
        }
        jenv->GetLongArrayRegion(array, 0, static_cast<jsize>(count), numbers_.data());
        for (size_t i = 0; i < count; ++i) {
            handles_[i] = reinterpret_cast<void*>(static_cast<uintptr_t>(numbers_[i]));
        }
        return !jenv->ExceptionCheck();
    }
    void** data() { return handles_.data(); }
    uint32_t count() const { return static_cast<uint32_t>(handles_.size()); }

private:
    std::vector<jlong> numbers_;
    std::vector<void*> handles_;
};

// Copies the int32_t fields that follow struct_size into a Java int[] of exactly that many elements.
template <class Struct>
void give_fields(JNIEnv* jenv, jintArray array, const Struct& fields) {
    constexpr size_t count = sizeof(Struct) / sizeof(int32_t) - 1;
    static_assert(sizeof(Struct) % sizeof(int32_t) == 0);
    std::array<jint, count> values;
    std::memcpy(values.data(), reinterpret_cast<const char*>(&fields) + sizeof(int32_t), sizeof(values));
    jenv->SetIntArrayRegion(array, 0, static_cast<jsize>(count), values.data());
}

}  // namespace cuprum_java
