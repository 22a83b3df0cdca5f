#include "device_calls.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <thread>

#include "cuprum/pathfinder/error.hpp"

namespace cuprum::parallel::out_of_core {

namespace {

// Ends the work of a device because another one has failed, whose error is what the caller gets.
struct Stopped {};

void check_resource(const char* operation, const DeviceMemory& memory) {
    const core::MemoryResource& resource = memory.resource;
    if (!resource.is_valid()) return;
    if (resource.is_device_accessible() && resource.device_id() == memory.device.device_id()) return;
    throw InvalidArgument(operation, "memory resource",
                          "its memory is not that of device " + std::to_string(memory.device.device_id()),
                          "give a resource of this device, such as a DeviceMemoryResource");
}

}  // namespace

void check_devices(const char* operation, const std::vector<DeviceMemory>& memory) {
    if (memory.empty()) throw InvalidArgument(operation, "devices", "there are none, expected at least one");
    for (size_t i = 0; i < memory.size(); ++i) {
        check_resource(operation, memory[i]);
        for (size_t earlier = 0; earlier < i; ++earlier) {
            if (!(memory[earlier].device == memory[i].device)) continue;
            throw InvalidArgument(operation, "device " + std::to_string(memory[i].device.device_id()),
                                  "it is given twice, expected each device once");
        }
    }
}

Plans::Plans(const std::vector<DeviceMemory>& memory, const std::function<Needs(size_t device)>& needs, uint64_t count,
             const PieceSizes& sizes) {
    plans_.push_back(plan_pieces(memory.front(), needs(0), count, sizes));
    if (plans_.front().pieces <= 1) return;
    uint64_t piece = plans_.front().piece;
    for (size_t device = 1; device < memory.size(); ++device) {
        plans_.push_back(plan_pieces(memory[device], needs(device), count, sizes));
        piece = std::min(piece, plans_.back().piece);
    }
    for (Plan& plan : plans_)
        plan = with_pieces_of(plan, piece);
    if (plans_.size() > plans_.front().pieces) plans_.resize(plans_.front().pieces);
}

DeviceCalls::DeviceCalls(const std::vector<DeviceMemory>& memory, const Plans& plans) {
    for (size_t device = 0; device < plans.devices(); ++device)
        calls_.push_back(std::make_unique<PieceCall>(memory[device], plans[device]));
}

DeviceCalls::~DeviceCalls() {
    for (const std::unique_ptr<PieceCall>& call : calls_)
        call->stop();
}

void DeviceCalls::run(uint64_t pieces, const std::function<Stages(size_t device)>& stages,
                      const std::function<void(size_t device)>& after) {
    next_piece_ = 0;
    std::vector<std::exception_ptr> errors(size());
    const auto run_and_keep_error = [&](size_t device) {
        try {
            run_on(device, pieces, stages, after);
        } catch (const Stopped&) {
        } catch (...) {
            errors[device] = std::current_exception();
            stop();
        }
    };
    {
        std::vector<std::jthread> threads;
        try {
            for (size_t device = 1; device < size(); ++device)
                threads.emplace_back(run_and_keep_error, device);
        } catch (...) {
            stop();
            throw;
        }
        run_and_keep_error(0);
    }
    for (const std::exception_ptr& error : errors) {
        if (error != nullptr) std::rethrow_exception(error);
    }
}

void DeviceCalls::run_on(size_t device, uint64_t pieces, const std::function<Stages(size_t device)>& stages,
                         const std::function<void(size_t device)>& after) {
    Stages given = stages(device);
    const auto copy_in = given.copy_in;
    given.copy_in = [&](uint64_t piece, const PieceBuffer& buffer) {
        check_stopped();
        copy_in(piece, buffer);
    };
    calls_[device]->run(pieces, given, device, size());
    if (after) after(device);
    calls_[device]->wait();
}

void DeviceCalls::stop() {
    const std::scoped_lock lock(mutex_);
    is_stopped_ = true;
    turn_.notify_all();
}

void DeviceCalls::check_stopped() {
    const std::scoped_lock lock(mutex_);
    if (is_stopped_) throw Stopped();
}

void DeviceCalls::wait_for_turn(std::unique_lock<std::mutex>& lock, uint64_t piece) {
    turn_.wait(lock, [&] { return is_stopped_ || next_piece_ == piece; });
    if (is_stopped_) throw Stopped();
}

void DeviceCalls::finish() {
    for (const std::unique_ptr<PieceCall>& call : calls_)
        call->wait();
    for (const std::unique_ptr<PieceCall>& call : calls_)
        call->finish();
}

}  // namespace cuprum::parallel::out_of_core
