// The launch of a kernel whose arguments are packed already.
#include <array>

#include "objects.hpp"

namespace cuprum::python::pycuda {

namespace {

using Sizes = std::array<std::uint64_t, 3>;

bool unsigned_number(PyObject* object, std::uint64_t& number) {
    if (PyLong_Check(object) == 0) {
        return false;
    }
    number = PyLong_AsUnsignedLongLong(object);
    if (number == ~std::uint64_t{0} && PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        return false;
    }
    return true;
}

// A tuple of one to three ints that fit into 32 bits.
bool sizes_of(PyObject* given, Sizes& sizes) {
    const Py_ssize_t count = PyTuple_Check(given) != 0 ? PyTuple_Size(given) : 0;
    if (count < 1 || count > 3) {
        return false;
    }
    sizes = {1, 1, 1};
    for (Py_ssize_t i = 0; i < count; ++i) {
        auto& size = sizes[static_cast<std::size_t>(i)];
        if (!unsigned_number(PyTuple_GetItem(given, i), size) || size > 0xFFFFFFFF) {
            return false;
        }
    }
    return true;
}

// (function, grid, block, shared, stream, the address of `extra`): the CUresult, or None where something is not usual.
PyObject* launch_packed(PyObject* /*module*/, PyObject* const* values, Py_ssize_t count) {
    static DriverFunction launch("cuLaunchKernel");
    Sizes grid, block;
    std::uint64_t function = 0, shared = 0, stream = 0, extra = 0;
    const bool is_usual = count == 6 && unsigned_number(values[0], function) && sizes_of(values[1], grid) &&
                          sizes_of(values[2], block) && unsigned_number(values[3], shared) && shared <= 0xFFFFFFFF &&
                          unsigned_number(values[4], stream) && unsigned_number(values[5], extra);
    if (!is_usual) {
        Py_RETURN_NONE;
    }
    return PyLong_FromUnsignedLongLong(
        launch(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared, stream, 0, extra));
}

}  // namespace

bool add_launches(PyObject* module) {
    static PyMethodDef functions[] = {
        {"launch_packed", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&launch_packed)), METH_FASTCALL,
         "launch_packed(function, grid, block, shared, stream, extra)\n--\n\nLaunches with arguments that lie at "
         "``extra``. The CUresult; None where the launch is not a usual one, and was not tried."},
        {nullptr, nullptr, 0, nullptr}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace cuprum::python::pycuda
