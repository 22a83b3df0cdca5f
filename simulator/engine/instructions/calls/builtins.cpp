// Functions that the driver provides to kernels: vprintf, __assertfail, malloc, free and cudaGraphSetConditional.
#include <algorithm>
#include <cstring>
#include <string>

#include "engine/checks/text.hpp"
#include "engine/execution/runtime.hpp"

namespace cuprum::simulator {
namespace {

// A string in memory that the lane can reach; stops at its end, at `limit` bytes, or at the end of the allocation.
std::string read_string(Warp& warp, const Instruction* at, unsigned lane, uint64_t address, size_t limit = 65536) {
    std::string text;
    while (text.size() < limit) {
        const auto letter = static_cast<char>(*resolve(warp, at, lane, address + text.size(), 1, Access::read));
        if (letter == '\0') break;
        text += letter;
    }
    return text;
}

uint64_t read_argument(const Warp& warp, const ParameterSlot& slot, unsigned lane) {
    uint64_t value = 0;
    std::memcpy(&value, warp.parameter_area(lane) + slot.offset, slot.size < 8 ? slot.size : 8);
    return value;
}

// One conversion of a printf format: its text without the length modifiers, and what it converts.
struct Conversion {
    std::string flags;  // "%-08.3"
    char kind = 0;
    bool is_long = false;
    int stars = 0;
};

size_t read_conversion(const std::string& format, size_t at, Conversion& conversion) {
    conversion.flags = "%";
    size_t k = at + 1;
    for (; k < format.size(); ++k) {
        const char letter = format[k];
        if (letter == 'l' || letter == 'j' || letter == 'z' || letter == 't') {
            conversion.is_long = true;
        } else if (letter == 'h') {
            continue;
        } else if (std::strchr("-+ #0123456789.*", letter) != nullptr) {
            if (letter == '*') ++conversion.stars;
            conversion.flags += letter;
        } else {
            conversion.kind = letter;
            return k + 1;
        }
    }
    return k;
}

template <class T>
std::string print(const std::string& format, const int* stars, int star_count, T value) {
    char small[256];
    int length = 0;
    const auto run = [&](char* out, size_t size) {
        if (star_count == 2) return std::snprintf(out, size, format.c_str(), stars[0], stars[1], value);
        if (star_count == 1) return std::snprintf(out, size, format.c_str(), stars[0], value);
        return std::snprintf(out, size, format.c_str(), value);
    };
    length = run(small, sizeof(small));
    if (length < 0) return {};
    if (static_cast<size_t>(length) < sizeof(small)) return {small, static_cast<size_t>(length)};
    std::string large(static_cast<size_t>(length) + 1, '\0');
    run(large.data(), large.size());
    large.pop_back();
    return large;
}

// Formats one lane's call. The arguments lie packed by C's promotion rules, each aligned to its size.
std::string format_output(Warp& warp, const Instruction* at, unsigned lane, const std::string& format,
                          uint64_t arguments, int& converted) {
    std::string out;
    const auto next = [&](uint32_t size) {
        arguments = (arguments + size - 1) / size * size;
        uint64_t value = 0;
        std::memcpy(&value, resolve(warp, at, lane, arguments, size, Access::read), size);
        arguments += size;
        return value;
    };
    for (size_t k = 0; k < format.size();) {
        if (format[k] != '%') {
            out += format[k++];
            continue;
        }
        if (k + 1 < format.size() && format[k + 1] == '%') {
            out += '%';
            k += 2;
            continue;
        }
        Conversion conversion;
        k = read_conversion(format, k, conversion);
        int stars[2] = {0, 0};
        for (int star = 0; star < conversion.stars && star < 2; ++star)
            stars[star] = static_cast<int>(next(4));
        const int count = conversion.stars < 2 ? conversion.stars : 2;
        ++converted;
        switch (conversion.kind) {
            case 'd':
            case 'i':
                if (conversion.is_long) {
                    out += print(conversion.flags + "lld", stars, count, static_cast<long long>(next(8)));
                } else {
                    out += print(conversion.flags + "d", stars, count, static_cast<int>(next(4)));
                }
                break;
            case 'u':
            case 'x':
            case 'X':
            case 'o':
                if (conversion.is_long) {
                    out += print(conversion.flags + "ll" + conversion.kind, stars, count,
                                 static_cast<unsigned long long>(next(8)));
                } else {
                    out += print(conversion.flags + conversion.kind, stars, count, static_cast<unsigned>(next(4)));
                }
                break;
            case 'c':
                out += print(conversion.flags + "c", stars, count, static_cast<int>(next(4)));
                break;
            case 'f':
            case 'F':
            case 'e':
            case 'E':
            case 'g':
            case 'G':
            case 'a':
            case 'A': {
                const uint64_t bits = next(8);
                double value = 0;
                std::memcpy(&value, &bits, 8);
                out += print(conversion.flags + conversion.kind, stars, count, value);
                break;
            }
            case 's': {
                const uint64_t address = next(8);
                const std::string text = address == 0 ? "(null)" : read_string(warp, at, lane, address);
                out += print(conversion.flags + "s", stars, count, text.c_str());
                break;
            }
            case 'p':
                out += print(conversion.flags + "s", stars, count, hexadecimal(next(8)).c_str());
                break;
            default:
                out += conversion.flags;
                if (conversion.kind != 0) out += conversion.kind;
                break;
        }
    }
    return out;
}

void append_output(Launch& launch, const std::string& text) {
    const std::lock_guard lock(launch.mutex);
    launch.output += text;
    // A ring on the device: when it is full the oldest output is lost.
    const uint64_t capacity = launch.model->printf_buffer_bytes;
    if (launch.output.size() > capacity) {
        const size_t excess = launch.output.size() - static_cast<size_t>(capacity);
        launch.output_dropped += excess;
        launch.output.erase(0, excess);
    }
}

void set_result(const Warp& warp, const CallSite& site, unsigned lane, uint64_t value) {
    if (site.returns.empty()) return;
    std::memcpy(warp.parameter_area(lane) + site.returns[0].offset, &value, std::min(site.returns[0].size, 8u));
}

void print(Warp& warp, const Instruction* at, const CallSite& site, unsigned lane) {
    if (site.arguments.size() != 2) {
        fault_at(warp, at, lane, Fault::Kind::unsupported, "called vprintf with other than two arguments");
    }
    const std::string format = read_string(warp, at, lane, read_argument(warp, site.arguments[0], lane));
    int converted = 0;
    append_output(*warp.block->launch,
                  format_output(warp, at, lane, format, read_argument(warp, site.arguments[1], lane), converted));
    set_result(warp, site, lane, static_cast<uint64_t>(converted));
}

void allocate(Warp& warp, const Instruction* at, const CallSite& site, unsigned lane) {
    if (site.arguments.size() != 1) {
        fault_at(warp, at, lane, Fault::Kind::unsupported, "called malloc with other than one argument");
    }
    DeviceHeap* const heap = warp.block->launch->request->heap.get();
    const uint64_t bytes = read_argument(warp, site.arguments[0], lane);
    set_result(warp, site, lane, heap == nullptr ? 0 : heap->allocate(bytes));
}

void release(Warp& warp, const Instruction* at, const CallSite& site, unsigned lane) {
    if (site.arguments.size() != 1) {
        fault_at(warp, at, lane, Fault::Kind::unsupported, "called free with other than one argument");
    }
    DeviceHeap* const heap = warp.block->launch->request->heap.get();
    const uint64_t address = read_argument(warp, site.arguments[0], lane);
    if (address == 0 || (heap != nullptr && heap->release(address))) return;
    // A GPU's own free traps.
    Fault fault = describe_fault(warp, at, lane, Fault::Kind::trap,
                                 "freed " + hexadecimal(address) + ", which is not the address of an allocation" +
                                     (heap != nullptr ? ": " + heap->describe(address) : ""));
    fault.address = address;
    throw FaultException{std::move(fault)};
}

void set_condition(Warp& warp, const Instruction* at, const CallSite& site, unsigned lane) {
    if (site.arguments.size() != 2) {
        fault_at(warp, at, lane, Fault::Kind::unsupported,
                 "called cudaGraphSetConditional with other than two arguments");
    }
    // The driver's handles are addresses of the conditions' values.
    const uint64_t handle = read_argument(warp, site.arguments[0], lane);
    const auto value = static_cast<uint32_t>(read_argument(warp, site.arguments[1], lane));
    std::memcpy(resolve(warp, at, lane, handle, sizeof value, Access::write), &value, sizeof value);
}

[[noreturn]] void fail_assertion(Warp& warp, const Instruction* at, const CallSite& site, unsigned lane) {
    // __assertfail(message, file, line, function, char_size)
    if (site.arguments.size() < 4) {
        fault_at(warp, at, lane, Fault::Kind::assertion, "an assertion failed");
    }
    const std::string message = read_string(warp, at, lane, read_argument(warp, site.arguments[0], lane));
    const std::string file = read_string(warp, at, lane, read_argument(warp, site.arguments[1], lane));
    const auto line = static_cast<uint32_t>(read_argument(warp, site.arguments[2], lane));
    const std::string function = read_string(warp, at, lane, read_argument(warp, site.arguments[3], lane));
    throw FaultException{describe_fault(
        warp, at, lane, Fault::Kind::assertion,
        "assertion `" + message + "' failed at " + file + ":" + std::to_string(line) + " in " + function)};
}

}  // namespace

const Instruction* call_builtin(Warp& warp, const Instruction* at, const CallSite& site) {
    for (uint32_t rest = warp.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        if (site.builtin == "vprintf") {
            print(warp, at, site, lane);
        } else if (site.builtin == "malloc") {
            allocate(warp, at, site, lane);
        } else if (site.builtin == "free") {
            release(warp, at, site, lane);
        } else if (site.builtin == "cudaGraphSetConditional") {
            set_condition(warp, at, site, lane);
        } else {
            fail_assertion(warp, at, site, lane);
        }
    }
    return at + 1;
}

}  // namespace cuprum::simulator
