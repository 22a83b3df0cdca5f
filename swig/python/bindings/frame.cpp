#include "frame.hpp"

#include <cstring>
#include <memory>
#include <new>

namespace cuprum::python {

Frame::Overflow* Frame::overflow() {
    if (overflow_ == nullptr) {
        overflow_ = new (std::nothrow) Overflow;
        if (overflow_ == nullptr) {
            PyErr_NoMemory();
        }
    }
    return overflow_;
}

// Zeroed, which costs large blocks nothing before they are touched.
char* Frame::take_from_heap(std::size_t bytes) {
    Overflow* const more = overflow();
    if (more == nullptr) {
        return nullptr;
    }
    void* const block = PyMem_Calloc(1, bytes);
    if (block == nullptr) {
        PyErr_NoMemory();
        return nullptr;
    }
    more->blocks.push_back(block);
    return static_cast<char*>(block);
}

bool Frame::hold_buffer(PyObject* exporter, void*& address, std::size_t& bytes) {
    Py_buffer* view = nullptr;
    std::unique_ptr<Py_buffer> own;
    if (held_ < holds) {
        view = &buffers_[held_];
    } else {
        own.reset(new (std::nothrow) Py_buffer);
        if (own == nullptr || overflow() == nullptr) {
            PyErr_NoMemory();
            return false;
        }
        view = own.get();
    }
    // Read-only memory too: whether a call writes is the caller's word, as it is in C.
    if (PyObject_GetBuffer(exporter, view, PyBUF_ANY_CONTIGUOUS) != 0) {
        return false;
    }
    address = view->buf;
    bytes = static_cast<std::size_t>(view->len);
    if (own != nullptr) {
        overflow_->buffers.push_back(own.release());
    } else {
        ++held_;
    }
    return true;
}

bool Frame::keep(PyObject* owned) {
    Overflow* const more = overflow();
    if (more == nullptr) {
        Py_DECREF(owned);
        return false;
    }
    more->objects.push_back(owned);
    return true;
}

void Frame::release() {
    for (std::size_t i = 0; i < held_; ++i) {
        PyBuffer_Release(&buffers_[i]);
    }
    if (overflow_ == nullptr) {
        return;
    }
    for (Py_buffer* view : overflow_->buffers) {
        PyBuffer_Release(view);
        delete view;
    }
    for (PyObject* object : overflow_->objects) {
        Py_DECREF(object);
    }
    for (void* block : overflow_->blocks) {
        PyMem_Free(block);
    }
    delete overflow_;
}

}  // namespace cuprum::python
