#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuprum/core/buffer.hpp"
#include "cuprum/core/handles.hpp"
#include "cuprum/core/kernel.hpp"

namespace cuprum::core {

struct CodeOrigin;

// native (only as a target): what the device loads directly. LTO-IR, objects (as nvcc -dc writes them) and libraries of
// objects are no code that a device loads: they are linked first (cuprum/core/linker.hpp).
enum class CodeType : int32_t { native = 0, ptx = 1, cubin = 2, ltoir = 3, fatbin = 4, object = 5, library = 6 };

// Name expression -> lowered name.
using SymbolMapping = std::map<std::string, std::string>;

class ObjectCode;

// What a variable of a kernel's code can hold, byte by byte.
template <class T>
concept PlainValue = std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> && !std::is_pointer_v<T>;

// A __device__, __constant__ or __managed__ variable on one device, as memory to copy to and from. It belongs to the
// code, which it keeps loaded. Copies are cheap.
//
// As a value or as values of a type, it is read and written as a whole: InvalidArgument where its size is another one.
// A number, a plain struct or a std::array of such things is a value. With a stream that takes place after the work so
// far in it, which is waited for; without one as the copies of BufferRef that have no stream.
class GlobalVariable : public BufferRef {
public:
    GlobalVariable() = default;  // invalid, as is a moved-from one
    GlobalVariable(const GlobalVariable&) = default;
    GlobalVariable& operator=(const GlobalVariable&) = default;
    GlobalVariable(GlobalVariable&& other) noexcept { swap(other); }
    GlobalVariable& operator=(GlobalVariable&& other) noexcept {
        GlobalVariable taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~GlobalVariable() = default;
    const std::string& name() const { return name_; }

    template <PlainValue T, std::same_as<StreamRef>... InStream>
    T value(InStream... stream) const {
        require_size(sizeof(T));
        T found{};
        copy_to_host(&found, sizeof found, stream...);
        (stream.sync(), ...);
        return found;
    }
    template <PlainValue T>
    T value(const Stream& stream) const {
        return value<T>(StreamRef(stream));
    }
    template <PlainValue T>
    void set_value(const T& value) const {
        require_size(sizeof value);
        copy_from_host(&value, sizeof value);
    }
    template <PlainValue T>
    void set_value(const T& value, StreamRef stream) const {
        require_size(sizeof value);
        copy_from_host(&value, sizeof value, stream);
        stream.sync();
    }
    template <PlainValue T, std::same_as<StreamRef>... InStream>
    std::vector<T> values(InStream... stream) const {
        require_multiple(sizeof(T));
        std::vector<T> found(size() / sizeof(T));
        copy_to_host(found.data(), size(), stream...);
        (stream.sync(), ...);
        return found;
    }
    template <PlainValue T>
    std::vector<T> values(const Stream& stream) const {
        return values<T>(StreamRef(stream));
    }
    template <HostRange Range>
    void set_values(const Range& values) const {
        require_size(bytes_in(values));
        copy_from_host(std::ranges::data(values), size());
    }
    template <HostRange Range>
    void set_values(const Range& values, StreamRef stream) const {
        require_size(bytes_in(values));
        copy_from_host(std::ranges::data(values), size(), stream);
        stream.sync();
    }

private:
    friend class ObjectCode;
    void require_size(uint64_t bytes) const;
    void require_multiple(uint64_t element_size) const;
    GlobalVariable(const BufferRef& memory, std::shared_ptr<const void> code, std::string name)
        : BufferRef(memory), code_(std::move(code)), name_(std::move(name)) {}
    void swap(GlobalVariable& other) noexcept {
        std::swap(static_cast<BufferRef&>(*this), static_cast<BufferRef&>(other));
        code_.swap(other.code_);
        name_.swap(other.name_);
    }

    std::shared_ptr<const void> code_;
    std::string name_;
};

// Compiled code. Copies share it; loaded into the driver at first get_kernel(), unloaded when the last copy and the
// last kernel of it are gone. Before the driver is given it, it is checked to be whole (InvalidArgument): the driver
// takes no size, and believes what a cubin or a fat binary says of its own. Thread-safe.
class ObjectCode {
public:
    ObjectCode() = default;  // invalid, as is a moved-from one: every use throws InvalidState
    bool is_valid() const { return state_ != nullptr; }

    // `symbol_mapping` as an earlier compile gave it.
    static ObjectCode from_ptx(std::string code, std::string name = "", SymbolMapping symbol_mapping = {});
    static ObjectCode from_cubin(std::string code, std::string name = "", SymbolMapping symbol_mapping = {});
    static ObjectCode from_fatbin(std::string code, std::string name = "", SymbolMapping symbol_mapping = {});
    static ObjectCode from_ltoir(std::string code, std::string name = "", SymbolMapping symbol_mapping = {});
    static ObjectCode from_object(std::string code, std::string name = "", SymbolMapping symbol_mapping = {});
    static ObjectCode from_library(std::string code, std::string name = "", SymbolMapping symbol_mapping = {});
    // Throws InvalidArgument for what cannot be read, is not a regular file, or has more than 4 GiB.
    static ObjectCode from_file(const std::string& path, CodeType type);

    CodeType code_type() const;
    const std::string& name() const;
    const std::string& code() const;  // the bytes; PTX without a trailing NUL
    const SymbolMapping& symbol_mapping() const;

    // By name or by name expression given to compile(). Throws KernelNotFound with the names there are.
    Kernel get_kernel(std::string_view name) const;
    // A variable by its name, or by the name expression "&name" given to compile(). Each device has one of its own, but
    // for __managed__ ones. Loads the code. Throws InvalidArgument when there is none.
    GlobalVariable get_global(const Device& device, std::string_view name) const;
    // Names of all kernels. Loads the code. Valid as long as the code is.
    const std::vector<std::string>& kernel_names() const&;
    std::vector<std::string> kernel_names() &&;
    CUlibrary handle() const;  // loads the code

private:
    friend class Program;
    friend class Linker;
    friend class Kernel;
    friend struct ObjectCodeAccess;
    struct State;
    explicit ObjectCode(std::shared_ptr<State> state) : state_(std::move(state)) {}
    static ObjectCode make(CodeType type, std::string code, std::string name, SymbolMapping symbol_mapping);
    static ObjectCode make(CodeType type, std::string code, std::string name, SymbolMapping symbol_mapping,
                           CodeOrigin origin);
    std::shared_ptr<State> state_;
};

}  // namespace cuprum::core
