#include "handle_table.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace cuprum::capi {
namespace {

constexpr uint64_t alive_mark = 0xA11FE;

// Counts itself, and can tell when it is looked at after its end.
struct Probe {
    explicit Probe(std::atomic<int>& count) : alive(count) { ++alive; }
    ~Probe() {
        mark = 0;
        --alive;
    }
    std::atomic<int>& alive;
    uint64_t mark = alive_mark;
};

void delete_probe(void* probe) noexcept {
    delete static_cast<Probe*>(probe);
}

class HandleTableTest : public testing::Test {
protected:
    // Its number is the address of its object.
    HandleValue make(HandleType type = HandleType::stream) {
        auto* const probe = new Probe(alive);
        return table.insert(type, probe, delete_probe, reinterpret_cast<uintptr_t>(probe));
    }
    bool is_usable(HandleValue value, HandleType type = HandleType::stream) {
        HandleSlot* slot = table.acquire(value, type);
        if (slot == nullptr) {
            return false;
        }
        table.release(slot);
        return true;
    }

    std::atomic<int> alive{0};
    std::unique_ptr<HandleTable> owner = std::make_unique<HandleTable>();
    HandleTable& table = *owner;
};

TEST_F(HandleTableTest, GivesTheObjectBackUntilItsHandleIsDestroyed) {
    auto* probe = new Probe(alive);
    const HandleValue value = table.insert(HandleType::event, probe, delete_probe);
    HandleSlot* slot = table.acquire(value, HandleType::event);
    ASSERT_NE(slot, nullptr);
    EXPECT_EQ(slot->object, probe);
    table.release(slot);

    EXPECT_TRUE(table.destroy(value, HandleType::event));
    EXPECT_EQ(alive, 0);
    EXPECT_FALSE(is_usable(value, HandleType::event));
}

TEST_F(HandleTableTest, KeepsAnObjectUntilItsLastUserIsDone) {
    const HandleValue value = make();
    HandleSlot* first = table.acquire(value, HandleType::stream);
    HandleSlot* second = table.acquire(value, HandleType::stream);
    EXPECT_TRUE(table.destroy(value, HandleType::stream));
    EXPECT_EQ(alive, 1);
    EXPECT_FALSE(is_usable(value)) << "a destroyed handle cannot be acquired any more";
    EXPECT_EQ(table.diagnose(value, HandleType::stream), HandleProblem::destroyed);
    table.release(first);
    EXPECT_EQ(alive, 1);
    table.release(second);
    EXPECT_EQ(alive, 0);
}

TEST_F(HandleTableTest, GivesTheNumberOfLiveHandlesOnly) {
    const HandleValue value = table.insert(HandleType::buffer, new Probe(alive), delete_probe, 0xFFFFFFFF00000001);
    EXPECT_EQ(table.number_of(value, HandleType::buffer), 0xFFFFFFFF00000001);
    EXPECT_EQ(table.number_of(value, HandleType::stream), std::nullopt);
    EXPECT_EQ(table.number_of(value + 1, HandleType::buffer), std::nullopt);
    EXPECT_EQ(table.number_of(value + 0x3FFFFF, HandleType::buffer), std::nullopt);
    EXPECT_EQ(table.number_of(0, HandleType::buffer), std::nullopt);
    HandleSlot* user = table.acquire(value, HandleType::buffer);
    table.destroy(value, HandleType::buffer);
    EXPECT_EQ(table.number_of(value, HandleType::buffer), std::nullopt);
    table.release(user);
    EXPECT_EQ(table.number_of(value, HandleType::buffer), std::nullopt);
}

TEST_F(HandleTableTest, RefusesToDestroyTwice) {
    const HandleValue value = make();
    HandleSlot* user = table.acquire(value, HandleType::stream);
    EXPECT_TRUE(table.destroy(value, HandleType::stream));
    EXPECT_FALSE(table.destroy(value, HandleType::stream)) << "while it is still in use";
    table.release(user);
    EXPECT_FALSE(table.destroy(value, HandleType::stream)) << "when it is gone";
    EXPECT_EQ(table.diagnose(value, HandleType::stream), HandleProblem::destroyed);
    EXPECT_EQ(table.live(), 0u);
}

TEST_F(HandleTableTest, TellsAStaleHandleFromTheSlotsNextOwner) {
    const HandleValue stale = make();
    EXPECT_TRUE(table.destroy(stale, HandleType::stream));
    const HandleValue current = make();
    EXPECT_NE(stale, current);
    EXPECT_FALSE(is_usable(stale));
    EXPECT_FALSE(table.destroy(stale, HandleType::stream));
    EXPECT_EQ(table.diagnose(stale, HandleType::stream), HandleProblem::destroyed);
    EXPECT_TRUE(is_usable(current));
    table.destroy(current, HandleType::stream);
}

TEST_F(HandleTableTest, TellsTypesApart) {
    const HandleValue buffer = make(HandleType::buffer);
    EXPECT_FALSE(is_usable(buffer, HandleType::stream));
    EXPECT_FALSE(table.destroy(buffer, HandleType::stream));
    EXPECT_EQ(table.diagnose(buffer, HandleType::stream), HandleProblem::other_type);
    EXPECT_EQ(HandleTable::type_of(buffer), HandleType::buffer);
    EXPECT_TRUE(is_usable(buffer, HandleType::buffer));
    table.destroy(buffer, HandleType::buffer);
}

TEST_F(HandleTableTest, RefusesEveryValueThatItNeverGaveOut) {
    const HandleValue value = make();
    EXPECT_FALSE(is_usable(0));
    EXPECT_EQ(table.diagnose(0, HandleType::stream), HandleProblem::null);
    int local = 0;
    const std::vector<HandleValue> garbage = {
        1,
        UINT64_MAX,
        0xFFFFFFFF00000001,
        0xDEADBEEFDEADBEEF,
        reinterpret_cast<uintptr_t>(&local),
        value + (uint64_t{1} << 22),   // a generation that is yet to come
        value + 1,                     // a slot that was never used
        value + 0x3FFFFF,              // a slot far out
        value | uint64_t{0x3F} << 50,  // a type that does not exist
        value ^ uint64_t{1} << 63,     // another magic
    };
    for (const HandleValue wrong : garbage) {
        EXPECT_FALSE(is_usable(wrong)) << std::hex << wrong;
        EXPECT_FALSE(table.destroy(wrong, HandleType::stream)) << std::hex << wrong;
        EXPECT_EQ(table.diagnose(wrong, HandleType::stream), HandleProblem::unknown) << std::hex << wrong;
    }
    EXPECT_TRUE(is_usable(value));
    table.destroy(value, HandleType::stream);
}

TEST_F(HandleTableTest, RandomValuesAreNeverTakenForHandles) {
    const HandleValue value = make();
    std::mt19937_64 random(20240607);
    for (int round = 0; round < 200000; ++round) {
        const uint64_t wrong = random();
        if (wrong != value) {
            ASSERT_FALSE(is_usable(wrong)) << std::hex << wrong;
        }
    }
    table.destroy(value, HandleType::stream);
}

TEST_F(HandleTableTest, HandlesAreDistinctAndNeverZero) {
    std::set<HandleValue> seen;
    std::vector<HandleValue> handles;
    for (int round = 0; round < 2000; ++round) {
        handles.push_back(make());
        EXPECT_NE(handles.back(), 0u);
        EXPECT_TRUE(seen.insert(handles.back()).second);
        if (round % 3 == 0) {
            EXPECT_TRUE(table.destroy(handles.back(), HandleType::stream));
            handles.pop_back();
        }
    }
    EXPECT_EQ(table.live(), handles.size());
    for (const HandleValue value : handles) {
        EXPECT_TRUE(is_usable(value));
        EXPECT_TRUE(table.destroy(value, HandleType::stream));
    }
    EXPECT_EQ(table.live(), 0u);
    EXPECT_EQ(alive, 0);
}

TEST_F(HandleTableTest, ASlotWhoseGenerationsAreUsedUpIsNotUsedAgain) {
    // Turns the slot's generation to the last one, as 2^28 - 1 objects would, and the handle with it.
    constexpr uint64_t last_generation = (uint64_t{1} << 28) - 1;
    const HandleValue first = make();
    HandleSlot* slot = table.acquire(first, HandleType::stream);
    slot->state.fetch_add(last_generation << 36);
    const HandleValue last = first + (last_generation << 22);
    table.release(slot);
    EXPECT_TRUE(table.destroy(last, HandleType::stream));
    EXPECT_EQ(alive, 0);

    const HandleValue next = make();
    EXPECT_NE(next & 0x3FFFFF, first & 0x3FFFFF) << "the worn-out slot's first handle would be valid again";
    EXPECT_FALSE(is_usable(first));
    EXPECT_FALSE(is_usable(last));
    table.destroy(next, HandleType::stream);
}

TEST_F(HandleTableTest, AbandonsObjectsOnceToldTo) {
    const HandleValue value = make();
    HandleSlot* slot = table.acquire(value, HandleType::stream);
    const std::unique_ptr<Probe> abandoned(static_cast<Probe*>(slot->object));
    table.release(slot);
    table.abandon_objects();
    EXPECT_TRUE(table.destroy(value, HandleType::stream));
    EXPECT_EQ(alive, 1);
    EXPECT_EQ(table.live(), 0u);
}

TEST_F(HandleTableTest, AfterAForkTheParentsHandlesCanBeDestroyedAndNotUsed) {
    const HandleValue value = make();
    HandleSlot* slot = table.acquire(value, HandleType::stream);
    const std::unique_ptr<Probe> abandoned(static_cast<Probe*>(slot->object));
    table.release(slot);
    table.before_fork();
    table.after_fork_in_child();

    EXPECT_EQ(table.live(), 0u);
    EXPECT_FALSE(is_usable(value));
    EXPECT_EQ(table.diagnose(value, HandleType::stream), HandleProblem::forked);
    EXPECT_TRUE(table.destroy(value, HandleType::stream));
    EXPECT_EQ(alive, 1) << "its memory in the driver belongs to the parent";

    const HandleValue own = make();
    EXPECT_TRUE(is_usable(own)) << "the child makes handles of its own";
    EXPECT_TRUE(table.destroy(own, HandleType::stream));
}

TEST(ProcessHandlesTest, AForkedChildStartsWithoutHandles) {
    std::atomic<int> alive{0};
    const HandleValue value = process_handles().insert(HandleType::program, new Probe(alive), delete_probe);
    const pid_t child = fork();
    if (child == 0) {
        const bool is_right = process_handles().live() == 0 &&
                              process_handles().diagnose(value, HandleType::program) == HandleProblem::forked &&
                              process_handles().destroy(value, HandleType::program) && alive == 1;
        _exit(is_right ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_EQ(process_handles().live(), 1u) << "the parent keeps its own";
    EXPECT_TRUE(process_handles().destroy(value, HandleType::program));
    EXPECT_EQ(alive, 0);
}

// Threads make, use and destroy handles that all of them know. A use that succeeds must see a living object of the
// right kind for as long as it lasts, and in the end every object must have gone exactly once.
TEST_F(HandleTableTest, SurvivesThreadsThatMakeUseAndDestroyTheSameHandles) {
    constexpr int thread_count = 4;
    constexpr int rounds = 20000;
    constexpr size_t shared_count = 16;
    std::vector<std::atomic<HandleValue>> shared(shared_count);
    std::atomic<int> made{0};
    std::atomic<int> destroyed{0};
    std::atomic<int> uses{0};
    std::atomic<int> wrong{0};

    const auto work = [&](unsigned seed) {
        std::mt19937 random(seed);
        for (int round = 0; round < rounds; ++round) {
            std::atomic<HandleValue>& place = shared[random() % shared_count];
            switch (random() % 4) {
                case 0: {
                    const HandleValue former = place.exchange(make());
                    ++made;
                    if (former != 0 && table.destroy(former, HandleType::stream)) {
                        ++destroyed;
                    }
                    break;
                }
                case 1:
                    if (table.destroy(place.load(), HandleType::stream)) {
                        ++destroyed;
                    }
                    break;
                case 2: {
                    // Only this thread destroys it, so its number must be there, and its own.
                    const HandleValue own = make();
                    ++made;
                    HandleSlot* slot = table.acquire(own, HandleType::stream);
                    wrong += table.number_of(own, HandleType::stream) != reinterpret_cast<uintptr_t>(slot->object);
                    table.release(slot);
                    destroyed += table.destroy(own, HandleType::stream) ? 1 : 0;
                    wrong += table.number_of(own, HandleType::stream) != std::nullopt;
                    static_cast<void>(table.number_of(place.load(), HandleType::stream));
                    break;
                }
                default:
                    if (HandleSlot* slot = table.acquire(place.load(), HandleType::stream)) {
                        const auto* probe = static_cast<const Probe*>(slot->object);
                        for (int look = 0; look < 8; ++look) {
                            wrong += probe->mark != alive_mark ? 1 : 0;
                        }
                        table.release(slot);
                        ++uses;
                    }
            }
        }
    };
    std::vector<std::thread> threads;
    for (unsigned seed = 0; seed < thread_count; ++seed) {
        threads.emplace_back(work, 100 + seed);
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (const std::atomic<HandleValue>& place : shared) {
        if (table.destroy(place.load(), HandleType::stream)) {
            ++destroyed;
        }
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(made, destroyed) << "each handle is destroyed exactly once";
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(table.live(), 0u);
    EXPECT_GT(uses, rounds / 4) << "the threads hardly met";
}

}  // namespace
}  // namespace cuprum::capi
