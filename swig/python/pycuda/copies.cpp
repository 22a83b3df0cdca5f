// Copies between the host and the device, copies within the device, and fills.
#include "objects.hpp"

namespace cuprum::python::pycuda {

namespace {

constexpr char python_module[] = "cuprum.compat.pycuda._memory";

// The address of an int, or of an allocation that has room. False, without an error, for everything else.
bool device_address(PyObject* memory, std::uint64_t bytes, std::uint64_t& address) {
    static PythonName device_allocation("cuprum.compat.pycuda._pointers", "DeviceAllocation");
    auto* const type = reinterpret_cast<PyTypeObject*>(device_allocation.get());
    if (type != nullptr && PyObject_TypeCheck(memory, type) != 0) {
        const auto& allocation = as<MemoryObject>(memory);
        address = allocation.address;
        return address != 0 && static_cast<std::uint64_t>(allocation.size) >= bytes;
    }
    if (type != nullptr && PyLong_CheckExact(memory) != 0) {
        address = PyLong_AsUnsignedLongLong(memory);
    }
    const bool is_known = type != nullptr && PyLong_CheckExact(memory) != 0 && PyErr_Occurred() == nullptr;
    PyErr_Clear();
    return is_known;
}

bool whole_number(PyObject* object, long long& number) {
    if (PyLong_Check(object) == 0) {
        return false;
    }
    number = PyLong_AsLongLong(object);
    if (number == -1 && PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        return false;
    }
    return true;
}

// Whether there are `count` arguments by position, and behind them a stream, by position or by name, where the call
// takes one.
template <bool is_async>
bool has_usual_form(const Arguments& arguments, Py_ssize_t count, std::uint64_t& stream) {
    if (arguments.count == count && arguments.names == nullptr) {
        return true;
    }
    if constexpr (is_async) {
        const bool is_by_position = arguments.count == count + 1 && arguments.names == nullptr;
        const bool is_by_name = arguments.count == count && arguments.names != nullptr &&
                                PyTuple_Size(arguments.names) == 1 &&
                                PyUnicode_CompareWithASCIIString(PyTuple_GetItem(arguments.names, 0), "stream") == 0;
        return (is_by_position || is_by_name) && stream_handle(arguments.values[count], stream);
    }
    return false;
}

// `Call` names the driver's function, and the Python function for what is not usual.
struct HtoD {
    static constexpr char driver[] = "cuMemcpyHtoD", python[] = "_memcpy_htod";
    static constexpr bool is_async = false, is_to_host = false;
};
struct HtoDAsync {
    static constexpr char driver[] = "cuMemcpyHtoDAsync", python[] = "_memcpy_htod_async";
    static constexpr bool is_async = true, is_to_host = false;
};
struct DtoH {
    static constexpr char driver[] = "cuMemcpyDtoH", python[] = "_memcpy_dtoh";
    static constexpr bool is_async = false, is_to_host = true;
};
struct DtoHAsync {
    static constexpr char driver[] = "cuMemcpyDtoHAsync", python[] = "_memcpy_dtoh_async";
    static constexpr bool is_async = true, is_to_host = true;
};
struct DtoD {
    static constexpr char driver[] = "cuMemcpyDtoD", python[] = "_memcpy_dtod";
    static constexpr bool is_async = false;
};
struct DtoDAsync {
    static constexpr char driver[] = "cuMemcpyDtoDAsync", python[] = "_memcpy_dtod_async";
    static constexpr bool is_async = true;
};
struct SetD8 {
    static constexpr char driver[] = "cuMemsetD8", python[] = "_memset_d8";
    static constexpr bool is_async = false;
    static constexpr int width = 1;
};
struct SetD16 {
    static constexpr char driver[] = "cuMemsetD16", python[] = "_memset_d16";
    static constexpr bool is_async = false;
    static constexpr int width = 2;
};
struct SetD32 {
    static constexpr char driver[] = "cuMemsetD32", python[] = "_memset_d32";
    static constexpr bool is_async = false;
    static constexpr int width = 4;
};
struct SetD8Async {
    static constexpr char driver[] = "cuMemsetD8Async", python[] = "_memset_d8_async";
    static constexpr bool is_async = true;
    static constexpr int width = 1;
};
struct SetD16Async {
    static constexpr char driver[] = "cuMemsetD16Async", python[] = "_memset_d16_async";
    static constexpr bool is_async = true;
    static constexpr int width = 2;
};
struct SetD32Async {
    static constexpr char driver[] = "cuMemsetD32Async", python[] = "_memset_d32_async";
    static constexpr bool is_async = true;
    static constexpr int width = 4;
};

// The driver's function with a stream behind its arguments where it takes one.
template <class Call, class... Values>
std::uint64_t run_copy(DriverFunction& function, std::uint64_t stream, Values... values) {
    if constexpr (Call::is_async) {
        return function(values..., stream);
    } else {
        return function(values...);
    }
}

// (dest, src[, stream]), one of them host memory.
template <class Call>
PyObject* copy_with_host(PyObject* /*module*/, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    static PythonName otherwise(python_module, Call::python);
    static DriverFunction copy(Call::driver);
    const Arguments arguments{values, count, names};
    std::uint64_t stream = 0;
    if (!has_usual_form<Call::is_async>(arguments, 2, stream)) {
        return otherwise(arguments);
    }
    Py_buffer host;
    constexpr int flags = Call::is_to_host ? PyBUF_ANY_CONTIGUOUS | PyBUF_WRITABLE : PyBUF_ANY_CONTIGUOUS;
    if (PyObject_GetBuffer(values[Call::is_to_host ? 0 : 1], &host, flags) != 0) {
        PyErr_Clear();
        return otherwise(arguments);
    }
    std::uint64_t address = 0;
    if (!device_address(values[Call::is_to_host ? 1 : 0], static_cast<std::uint64_t>(host.len), address)) {
        PyBuffer_Release(&host);
        return otherwise(arguments);
    }
    const Py_ssize_t bytes = host.len;
    const std::uint64_t status = Call::is_to_host ? run_copy<Call>(copy, stream, slot(host.buf), address, bytes)
                                                  : run_copy<Call>(copy, stream, address, slot(host.buf), bytes);
    PyObject* const result = none_or_error(status, copy, bytes);
    PyBuffer_Release(&host);
    return result;
}

// (dest, src, size[, stream])
template <class Call>
PyObject* copy_on_device(PyObject* /*module*/, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    static PythonName otherwise(python_module, Call::python);
    static DriverFunction copy(Call::driver);
    const Arguments arguments{values, count, names};
    std::uint64_t stream = 0, dest = 0, src = 0;
    long long size = 0;
    const bool is_usual = has_usual_form<Call::is_async>(arguments, 3, stream) && whole_number(values[2], size) &&
                          size >= 0 && device_address(values[0], static_cast<std::uint64_t>(size), dest) &&
                          device_address(values[1], static_cast<std::uint64_t>(size), src);
    if (!is_usual) {
        return otherwise(arguments);
    }
    return none_or_error(run_copy<Call>(copy, stream, dest, src, size), copy, size);
}

// (dest, data, size[, stream])
template <class Call>
PyObject* fill(PyObject* /*module*/, PyObject* const* values, Py_ssize_t count, PyObject* names) {
    static PythonName otherwise(python_module, Call::python);
    static DriverFunction set(Call::driver);
    constexpr long long end = 1LL << (8 * Call::width);  // behind the largest number that fits
    const Arguments arguments{values, count, names};
    std::uint64_t stream = 0, dest = 0;
    long long data = 0, size = 0;
    const bool is_usual = has_usual_form<Call::is_async>(arguments, 3, stream) && whole_number(values[1], data) &&
                          data >= -end / 2 && data < end && whole_number(values[2], size) && size >= 0 &&
                          size <= PY_SSIZE_T_MAX / Call::width &&
                          device_address(values[0], static_cast<std::uint64_t>(size) * Call::width, dest);
    if (!is_usual) {
        return otherwise(arguments);
    }
    return none_or_error(run_copy<Call>(set, stream, dest, data & (end - 1), size), set);
}

}  // namespace

bool add_copies(PyObject* module) {
    static PyMethodDef functions[] = {
        quick_call("memcpy_htod", &copy_with_host<HtoD>,
                   "memcpy_htod(dest, src)\n--\n\nCopies host memory to the device; returns when it is done."),
        quick_call("memcpy_htod_async", &copy_with_host<HtoDAsync>,
                   "memcpy_htod_async(dest, src, stream=None)\n--\n\nCopies host memory to the device in a stream. "
                   "``src`` is page-locked, and stays until the stream has passed."),
        quick_call("memcpy_dtoh", &copy_with_host<DtoH>,
                   "memcpy_dtoh(dest, src)\n--\n\nCopies device memory to the host; returns when it is done. As many "
                   "bytes as ``dest`` has."),
        quick_call("memcpy_dtoh_async", &copy_with_host<DtoHAsync>,
                   "memcpy_dtoh_async(dest, src, stream=None)\n--\n\nCopies device memory to the host in a stream. "
                   "``dest`` is page-locked, and stays until the stream has passed."),
        quick_call("memcpy_dtod", &copy_on_device<DtoD>,
                   "memcpy_dtod(dest, src, size)\n--\n\nCopies ``size`` bytes within the device."),
        quick_call(
            "memcpy_dtod_async", &copy_on_device<DtoDAsync>,
            "memcpy_dtod_async(dest, src, size, stream=None)\n--\n\nCopies ``size`` bytes within the device, in a "
            "stream."),
        quick_call("memset_d8", &fill<SetD8>, "memset_d8(dest, data, size)\n--\n\nSets ``size`` bytes."),
        quick_call("memset_d16", &fill<SetD16>,
                   "memset_d16(dest, data, size)\n--\n\nSets ``size`` elements of 16 bits."),
        quick_call("memset_d32", &fill<SetD32>,
                   "memset_d32(dest, data, size)\n--\n\nSets ``size`` elements of 32 bits."),
        quick_call("memset_d8_async", &fill<SetD8Async>,
                   "memset_d8_async(dest, data, size, stream=None)\n--\n\n``memset_d8`` in a stream."),
        quick_call("memset_d16_async", &fill<SetD16Async>,
                   "memset_d16_async(dest, data, size, stream=None)\n--\n\n``memset_d16`` in a stream."),
        quick_call("memset_d32_async", &fill<SetD32Async>,
                   "memset_d32_async(dest, data, size, stream=None)\n--\n\n``memset_d32`` in a stream."),
        {nullptr, nullptr, 0, nullptr}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace cuprum::python::pycuda
