// The immutable part of a value, which its copies share.
#pragma once

#include <memory>
#include <utility>

namespace cuprum::parallel::detail {

/// Moving copies: a value that was moved from is as it was.
template <class T>
class Shared {
public:
    Shared() = default;
    Shared(std::shared_ptr<const T> pointer) : pointer_(std::move(pointer)) {}
    Shared(const Shared&) = default;
    Shared& operator=(const Shared&) = default;
    ~Shared() = default;

    const T& operator*() const { return *pointer_; }
    const T* operator->() const { return pointer_.get(); }
    friend bool operator==(const Shared&, const Shared&) = default;

private:
    std::shared_ptr<const T> pointer_;
};

}  // namespace cuprum::parallel::detail
