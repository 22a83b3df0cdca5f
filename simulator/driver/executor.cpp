#include "driver/executor.hpp"

#include <csignal>

#include <chrono>
#include <thread>
#include <utility>

namespace cuprum::simulator::libcuda {

void Executor::start(std::function<void()> task) {
    bool more_threads = false;
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(task));
        more_threads = waiting_.size() > idle_;
    }
    if (more_threads) {
        // The program's signals are for the program's own threads.
        sigset_t all, previous;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &previous);
        std::thread([this] { serve(); }).detach();
        pthread_sigmask(SIG_SETMASK, &previous, nullptr);
    } else {
        wanted_.notify_one();
    }
}

void Executor::serve() {
    std::unique_lock lock(mutex_);
    while (true) {
        ++idle_;
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

void Executor::set_seed(uint64_t seed) {
    const std::lock_guard lock(random_mutex_);
    random_.emplace(seed);
    delays_ = true;
}

std::chrono::microseconds Executor::draw_pause(bool* held) {
    *held = false;
    if (!delays_) return std::chrono::microseconds{0};
    const std::lock_guard lock(random_mutex_);
    const uint64_t drawn = (*random_)();
    // One piece of work in four is put off by up to half a millisecond, one in sixteen by up to ten.
    if (drawn % 4 == 0) return std::chrono::microseconds(drawn / 16 % 512);
    if (drawn % 16 == 1) {
        *held = true;
        return std::chrono::microseconds(drawn / 16 % 10000);
    }
    return std::chrono::microseconds{0};
}

void Executor::delay() {
    bool held = false;
    const std::chrono::microseconds pause = draw_pause(&held);
    if (!held && pause.count() > 0) std::this_thread::sleep_for(pause);
}

size_t Executor::choose(size_t count) {
    if (!delays_) return 0;
    const std::lock_guard lock(random_mutex_);
    return static_cast<size_t>((*random_)() % count);
}

Executor& executor() {
    // Never destroyed: its threads may run until the process is gone.
    static Executor* const instance = new Executor;
    return *instance;
}

}  // namespace cuprum::simulator::libcuda
