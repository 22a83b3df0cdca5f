#include "driver/stream/executor.hpp"

#include <csignal>

#include <chrono>
#include <thread>
#include <utility>

#include "driver/stream/relax.hpp"

namespace cuprum::simulator::libcuda {

namespace {

// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
uint64_t mix(uint64_t state) {
    state += 0x9e3779b97f4a7c15;
    state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9;
    state = (state ^ state >> 27) * 0x94d049bb133111eb;
    return state ^ state >> 31;
}

uint64_t draw(uint64_t seed, const Executor::Place& place) {
    return mix(mix(mix(seed + static_cast<uint64_t>(place.kind)) ^ place.number) ^ place.position);
}

}  // namespace

void Executor::start(std::function<void()> task) {
    bool more_threads = false, looked_for = false;
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(task));
        arrived_.store(true, std::memory_order_release);
        more_threads = waiting_.size() > idle_;
        looked_for = looking_ && waiting_.size() == 1;
    }
    if (more_threads) {
        // The program's signals are for the program's own threads.
        sigset_t all, previous;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &previous);
        std::thread([this] { serve(); }).detach();
        pthread_sigmask(SIG_SETMASK, &previous, nullptr);
    } else if (!looked_for) {
        wanted_.notify_one();
    }
}

void Executor::look_for_work(std::unique_lock<std::mutex>& lock) {
    if (looking_ || !waiting_.empty()) return;
    looking_ = true;
    arrived_.store(false, std::memory_order_relaxed);
    lock.unlock();
    look_for_a_while([&] { return arrived_.load(std::memory_order_acquire); });
    lock.lock();
    looking_ = false;
}

void Executor::serve() {
    std::unique_lock lock(mutex_);
    while (true) {
        ++idle_;
        look_for_work(lock);
        wanted_.wait(lock, [&] { return !waiting_.empty(); });
        --idle_;
        {
            const std::function<void()> task = std::move(waiting_.front());
            waiting_.pop_front();
            lock.unlock();
            task();
        }
        lock.lock();
    }
}

std::chrono::microseconds Executor::draw_pause(const Place& place, bool* held) const {
    *held = false;
    if (!seed_) return std::chrono::microseconds{0};
    const uint64_t drawn = draw(*seed_, place);
    // One piece of work in four is put off by up to half a millisecond, one in sixteen by up to ten.
    if (drawn % 4 == 0) return std::chrono::microseconds(drawn / 16 % 512);
    if (drawn % 16 == 1) {
        *held = true;
        return std::chrono::microseconds(drawn / 16 % 10000);
    }
    return std::chrono::microseconds{0};
}

void Executor::delay(const Place& place) const {
    bool held = false;
    const std::chrono::microseconds pause = draw_pause(place, &held);
    if (!held && pause.count() > 0) std::this_thread::sleep_for(pause);
}

size_t Executor::choose(const Place& place, size_t count) const {
    if (!seed_) return 0;
    return static_cast<size_t>((draw(*seed_, place) >> 32) % count);
}

Executor& executor() {
    // Never destroyed: its threads may run until the process is gone.
    static Executor* const instance = new Executor;
    return *instance;
}

}  // namespace cuprum::simulator::libcuda
