#include "driver/executor.hpp"

#include <csignal>

#include <chrono>
#include <thread>
#include <utility>

#include "driver/relax.hpp"

namespace cuprum::simulator::libcuda {

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
