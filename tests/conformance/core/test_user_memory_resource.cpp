// Memory resources that the program writes.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fixture.hpp"

namespace cuprum::core {
namespace {

using test::error_of;
using test::kernel;
using test::one_thread_each;
using test::values_of;
using testing::HasSubstr;

// What an allocator was asked for; it outlives the allocator.
struct Calls {
    struct Free {
        DevicePointer address;
        uint64_t size;
        StreamRef stream;
        friend bool operator==(const Free&, const Free&) = default;
    };
    std::mutex mutex;
    std::vector<std::pair<uint64_t, StreamRef>> allocations;
    std::vector<Free> frees;
    bool is_gone = false;
};

// Wraps another resource, and writes down what is asked of it.
class Recorder : public MemoryAllocator {
public:
    Recorder(MemoryResource upstream, std::shared_ptr<Calls> calls)
        : upstream_(std::move(upstream)), calls_(std::move(calls)) {}
    ~Recorder() override { calls_->is_gone = true; }
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    DevicePointer allocate(uint64_t size, StreamRef stream) override {
        {
            const std::lock_guard lock(calls_->mutex);
            calls_->allocations.emplace_back(size, stream);
        }
        Buffer buffer = stream.is_valid() ? upstream_.allocate(size, stream) : upstream_.allocate(size);
        return buffer.release();
    }
    void deallocate(DevicePointer address, uint64_t size, StreamRef stream) override {
        {
            const std::lock_guard lock(calls_->mutex);
            calls_->frees.push_back({address, size, stream});
        }
        if (stream.is_valid()) {
            upstream_.deallocate(address, size, stream);
        } else {
            upstream_.deallocate(address, size);
        }
    }

private:
    MemoryResource upstream_;
    std::shared_ptr<Calls> calls_;
};

struct Broken {};

// Throws instead of allocating, or instead of freeing.
template <class Exception>
class Failing : public MemoryAllocator {
public:
    Failing(Exception allocating, Exception freeing, bool allocates)
        : allocating_(std::move(allocating)), freeing_(std::move(freeing)), allocates_(allocates) {}

    DevicePointer allocate(uint64_t size, StreamRef /*stream*/) override {
        if (!allocates_) throw Exception(allocating_);
        memory_.resize(size);
        return reinterpret_cast<uintptr_t>(memory_.data());
    }
    void deallocate(DevicePointer /*address*/, uint64_t /*size*/, StreamRef /*stream*/) override {
        throw Exception(freeing_);
    }

private:
    Exception allocating_;
    Exception freeing_;
    bool allocates_;
    std::vector<char> memory_;
};

class NullAllocator : public MemoryAllocator {
public:
    DevicePointer allocate(uint64_t /*size*/, StreamRef /*stream*/) override { return 0; }
    void deallocate(DevicePointer /*address*/, uint64_t /*size*/, StreamRef /*stream*/) override { ADD_FAILURE(); }
};

class HostAllocator : public MemoryAllocator {
public:
    DevicePointer allocate(uint64_t size, StreamRef /*stream*/) override {
        return reinterpret_cast<uintptr_t>(std::malloc(size));
    }
    void deallocate(DevicePointer address, uint64_t /*size*/, StreamRef /*stream*/) override {
        std::free(reinterpret_cast<void*>(address));
    }
};

std::string last_cleanup_error;

class CleanupErrors {
public:
    CleanupErrors() : former_(set_cleanup_error_handler(&keep)) { last_cleanup_error.clear(); }
    ~CleanupErrors() { set_cleanup_error_handler(former_); }
    CleanupErrors(const CleanupErrors&) = delete;
    CleanupErrors& operator=(const CleanupErrors&) = delete;

private:
    static void keep(const Error& error) noexcept { last_cleanup_error = error.what(); }
    CleanupErrorHandler former_;
};

class UserResources : public testing::Test {
protected:
    UserMemoryResource recorder_of(const MemoryResource& upstream, MemoryKind kind = MemoryKind::device,
                                   int32_t device_id = 0) const {
        return {std::make_shared<Recorder>(upstream, calls), kind, device_id};
    }

    Device device{0};
    Stream stream = device.create_stream();
    DeviceMemoryResource pool{device, {}};
    std::shared_ptr<Calls> calls = std::make_shared<Calls>();
    UserMemoryResource resource = recorder_of(pool);
};

TEST_F(UserResources, AllocateAndFreeInTheStream) {
    Buffer buffer = resource.allocate(16, stream);
    EXPECT_EQ(calls->allocations, (std::vector<std::pair<uint64_t, StreamRef>>{{16, stream}}));
    buffer.fill(7, 4, stream);
    stream.sync();
    EXPECT_EQ(values_of<int>(buffer), std::vector<int>(4, 7));
    EXPECT_EQ(buffer.memory_resource(), resource);
    EXPECT_EQ(buffer.size(), 16U);
    EXPECT_EQ(buffer.device_id(), 0);
    EXPECT_EQ(calls->frees.size(), 0U);
    const DevicePointer address = buffer.handle();
    buffer.close();
    buffer.close();
    EXPECT_EQ(calls->frees, (std::vector<Calls::Free>{{address, 16, stream}}));
    stream.sync();
    EXPECT_EQ(pool.attribute(MemoryPoolAttribute::used_mem_current), 0U);
}

TEST_F(UserResources, SayWhatTheirMemoryIs) {
    const auto of_kind = [&](MemoryKind kind, int32_t device_id) { return recorder_of(pool, kind, device_id); };
    EXPECT_TRUE(resource.is_device_accessible());
    EXPECT_FALSE(resource.is_host_accessible());
    EXPECT_FALSE(resource.is_managed());
    EXPECT_EQ(resource.device_id(), 0);
    EXPECT_FALSE(resource.has_pool());
    EXPECT_TRUE(of_kind(MemoryKind::pinned, -1).is_host_accessible());
    EXPECT_TRUE(of_kind(MemoryKind::pinned, -1).is_device_accessible());
    EXPECT_EQ(of_kind(MemoryKind::pinned, -1).device_id(), -1);
    EXPECT_TRUE(of_kind(MemoryKind::managed, -1).is_managed());
    EXPECT_TRUE(of_kind(MemoryKind::host, -1).is_host_accessible());
    EXPECT_FALSE(of_kind(MemoryKind::host, -1).is_device_accessible());
}

TEST_F(UserResources, AreFreedInTheStreamOfChoice) {
    const Stream second = device.create_stream();
    Buffer buffer = resource.allocate(16, stream);
    second.wait(stream);
    buffer.close(second);
    ASSERT_EQ(calls->frees.size(), 1U);
    EXPECT_EQ(calls->frees.front().stream, second);
}

TEST_F(UserResources, KeepTheStreamUntilTheMemoryIsFreed) {
    Buffer buffer;
    {
        const Stream short_lived = device.create_stream();
        buffer = resource.allocate(16, short_lived);
    }
    buffer.close();
    device.sync();
    EXPECT_EQ(pool.attribute(MemoryPoolAttribute::used_mem_current), 0U);
}

TEST_F(UserResources, WithoutAStreamAreFreedWhenAllWorkIsDone) {
    const UserMemoryResource pinned = recorder_of(LegacyPinnedMemoryResource(), MemoryKind::pinned, -1);
    {
        const Buffer buffer = pinned.allocate(4096 * sizeof(int));
        EXPECT_FALSE(calls->allocations.front().second.is_valid());
        launch(stream, one_thread_each(4096), kernel("increment"), buffer, 4096);
    }
    ASSERT_EQ(calls->frees.size(), 1U);
    EXPECT_FALSE(calls->frees.front().stream.is_valid());
    EXPECT_TRUE(stream.is_done());
}

TEST_F(UserResources, AreNotAskedForNoBytes) {
    const Buffer buffer = resource.allocate(0, stream);
    EXPECT_EQ(buffer.size(), 0U);
    EXPECT_TRUE(buffer.is_valid());
    EXPECT_EQ(buffer.memory_resource(), resource);
    EXPECT_EQ(calls->allocations.size(), 0U);
}

TEST_F(UserResources, LiveAsLongAsTheirBuffers) {
    Buffer buffer = resource.allocate(16, stream);
    resource = UserMemoryResource(std::make_shared<HostAllocator>(), MemoryKind::host);
    buffer.fill(7, 4, stream);
    EXPECT_FALSE(calls->is_gone);
    buffer.close();
    EXPECT_EQ(calls->frees.size(), 1U);
    EXPECT_TRUE(calls->is_gone);
}

TEST_F(UserResources, GiveTheProgramsObjectBack) {
    const auto allocator = std::make_shared<HostAllocator>();
    const MemoryResource general = UserMemoryResource(allocator, MemoryKind::host);
    EXPECT_EQ(UserMemoryResource::of(general).allocator(), allocator);
    EXPECT_THAT(error_of<InvalidArgument>([&] { UserMemoryResource::of(pool); }).what(),
                HasSubstr("this memory resource is of another kind"));
    EXPECT_THROW(UserMemoryResource::of(MemoryResource()), InvalidState);
}

TEST_F(UserResources, ThrowWhatTheProgramThrows) {
    const UserMemoryResource standard(
        std::make_shared<Failing<std::runtime_error>>(std::runtime_error("no more"), std::runtime_error(""), false),
        MemoryKind::device, 0);
    EXPECT_STREQ(error_of<std::runtime_error>([&] { static_cast<void>(standard.allocate(16, stream)); }).what(),
                 "no more");
    const UserMemoryResource other(std::make_shared<Failing<Broken>>(Broken(), Broken(), false), MemoryKind::device, 0);
    EXPECT_THROW(static_cast<void>(other.allocate(16)), Broken);
    const DeviceMemoryResource small(device, {.max_size = 1 << 22});
    const UserMemoryResource limited = recorder_of(small);
    EXPECT_THROW(static_cast<void>(limited.allocate(uint64_t{1} << 32, stream)), OutOfMemory);
    EXPECT_EQ(calls->frees.size(), 0U);
}

TEST_F(UserResources, ReportWhatIsThrownWhileFreeing) {
    const CleanupErrors errors;
    const UserMemoryResource standard(
        std::make_shared<Failing<std::runtime_error>>(std::runtime_error(""), std::runtime_error("lost"), true),
        MemoryKind::host);
    Buffer buffer = standard.allocate(16);
    const DevicePointer address = buffer.handle();
    buffer.close();
    EXPECT_THAT(last_cleanup_error, HasSubstr("freeing memory of a memory resource"));
    EXPECT_THAT(last_cleanup_error, HasSubstr("it has thrown: lost"));
    const UserMemoryResource other(std::make_shared<Failing<Broken>>(Broken(), Broken(), true), MemoryKind::host);
    other.allocate(16).close();
    EXPECT_THAT(last_cleanup_error, HasSubstr("something other than a std::exception"));
    EXPECT_THROW(standard.deallocate(address, 16), std::runtime_error);  // not in a destructor
    EXPECT_THROW(standard.deallocate(address, 16, stream), std::runtime_error);
}

TEST_F(UserResources, RefuseANullAddress) {
    const UserMemoryResource null(std::make_shared<NullAllocator>(), MemoryKind::device, 0);
    EXPECT_THAT(error_of<InvalidState>([&] { static_cast<void>(null.allocate(16, stream)); }).what(),
                HasSubstr("it has returned a null address for 16 bytes"));
    EXPECT_NO_THROW(null.deallocate(0, 16));
    EXPECT_NO_THROW(null.deallocate(0, 16, stream));
}

TEST_F(UserResources, NeedAllThatTheyAreMadeOf) {
    const auto allocator = std::make_shared<HostAllocator>();
    EXPECT_THAT(error_of<InvalidArgument>([&] { UserMemoryResource(nullptr, MemoryKind::host); }).what(),
                HasSubstr("it is null"));
    EXPECT_THROW(UserMemoryResource(allocator, MemoryKind::unknown), InvalidArgument);
    EXPECT_THAT(error_of<InvalidArgument>([&] { UserMemoryResource(allocator, MemoryKind::device); }).what(),
                HasSubstr("a device's memory needs the device's number"));
    EXPECT_THROW(UserMemoryResource(allocator, MemoryKind::pinned, -2), InvalidArgument);
    EXPECT_THROW(UserMemoryResource(allocator, MemoryKind::device, Device::count()), InvalidArgument);
}

TEST_F(UserResources, OfHostMemoryCanBeCopied) {
    const UserMemoryResource host(std::make_shared<HostAllocator>(), MemoryKind::host);
    const Buffer buffer = host.allocate(4 * sizeof(int));
    EXPECT_FALSE(buffer.is_device_accessible());
    EXPECT_TRUE(buffer.is_host_accessible());
    buffer.copy_from_host(std::vector<int>{1, 2, 3, 4});
    EXPECT_EQ(buffer.as_span<int>()[3], 4);
    const Buffer on_device = device.allocate(buffer.size());
    on_device.copy_from(buffer, stream);
    stream.sync();
    EXPECT_EQ(values_of<int>(on_device), (std::vector<int>{1, 2, 3, 4}));
}

TEST_F(UserResources, MayBeUsedByManyThreads) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            const Stream own = device.create_stream();
            for (int turn = 0; turn < 50; ++turn)
                resource.allocate(256, own).fill(1, 1, own);
            own.sync();
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(calls->allocations.size(), 200U);
    EXPECT_EQ(calls->frees.size(), 200U);
    EXPECT_EQ(pool.attribute(MemoryPoolAttribute::used_mem_current), 0U);
}

TEST_F(UserResources, CanBeOnesOfTheDevice) {
    const MemoryResource former = device.memory_resource();
    device.set_memory_resource(resource);
    EXPECT_EQ(device.memory_resource(), resource);
    EXPECT_NE(DeviceMemoryResource(device), resource);
    {
        const Buffer buffer = device.allocate(16, stream);
        const Buffer borrowed_stream = device.allocate(16, StreamRef(stream));
        EXPECT_EQ(buffer.memory_resource(), resource);
        EXPECT_EQ(calls->allocations.size(), 2U);
        EXPECT_FALSE(device.allocate(16).memory_resource().is_valid()) << "it is for memory in a stream";
        device.set_memory_resource(former);
    }
    EXPECT_EQ(calls->frees.size(), 2U);
    EXPECT_EQ(device.memory_resource(), former);
    EXPECT_EQ(device.allocate(16, stream).memory_resource(), former);
    EXPECT_FALSE(device.allocate(16).memory_resource().is_valid());
}

TEST_F(UserResources, OfTheDeviceLiveUntilAnotherIsChosen) {
    const MemoryResource former = device.memory_resource();
    device.set_memory_resource(resource);
    resource = UserMemoryResource(std::make_shared<HostAllocator>(), MemoryKind::host);
    static_cast<void>(device.allocate(16, stream));
    EXPECT_FALSE(calls->is_gone);
    device.set_memory_resource(former);
    EXPECT_TRUE(calls->is_gone);
}

TEST_F(UserResources, OfTheDeviceMustSuitIt) {
    const MemoryResource former = device.memory_resource();
    EXPECT_THAT(error_of<InvalidArgument>([&] { device.set_memory_resource(LegacyPinnedMemoryResource()); }).what(),
                HasSubstr("a device allocates from a pool of its memory, or from a resource that the program has "
                          "written"));
    const UserMemoryResource host(std::make_shared<HostAllocator>(), MemoryKind::host);
    EXPECT_THAT(error_of<InvalidArgument>([&] { device.set_memory_resource(host); }).what(),
                HasSubstr("devices cannot use the resource's memory"));
    EXPECT_THROW(device.set_memory_resource(MemoryResource()), InvalidState);
    EXPECT_EQ(device.memory_resource(), former);
}

TEST_F(UserResources, TakeMemoryOver) {
    Buffer released = resource.allocate(16, stream);
    const DevicePointer address = released.release();
    EXPECT_EQ(calls->frees.size(), 0U);
    {
        const Buffer buffer = Buffer::from_handle(address, 16, resource, stream);
        EXPECT_EQ(buffer.memory_resource(), resource);
        EXPECT_EQ(buffer.handle(), address);
    }
    EXPECT_EQ(calls->frees, (std::vector<Calls::Free>{{address, 16, stream}}));
}

TEST_F(UserResources, AndOthersTakeMemoryOver) {
    Buffer released = pool.allocate(16, stream);
    const DevicePointer address = released.release();
    const DeviceMemoryResource other(device, {});
    EXPECT_THROW(static_cast<void>(Buffer::from_handle(address, 16, other, stream)), InvalidArgument);
    EXPECT_THROW(static_cast<void>(Buffer::from_handle(address, 16, pool)), InvalidArgument);
    EXPECT_THROW(static_cast<void>(Buffer::from_handle(0, 16, pool, stream)), InvalidArgument);
    EXPECT_THROW(static_cast<void>(Buffer::from_handle(UINT64_MAX, 16, resource)), InvalidArgument);
    EXPECT_THROW(static_cast<void>(Buffer::from_handle(address, 16, MemoryResource())), InvalidState);
    EXPECT_GT(pool.attribute(MemoryPoolAttribute::used_mem_current), 0U);
    EXPECT_EQ(Buffer::from_handle(address, 16, pool, stream).memory_resource(), pool);
    stream.sync();
    EXPECT_EQ(pool.attribute(MemoryPoolAttribute::used_mem_current), 0U);
    const LegacyPinnedMemoryResource pinned;
    Buffer of_host = pinned.allocate(16);
    const Buffer again = Buffer::from_handle(of_host.release(), 16, pinned);
    EXPECT_EQ(again.as_span<char>().size(), 16U);
    const VirtualMemoryResource mapped(device);
    device.sync();  // what tests before this one have freed in a stream's order
    const uint64_t before = device.memory_info().free;
    Buffer of_addresses = mapped.allocate(16);
    static_cast<void>(Buffer::from_handle(of_addresses.release(), 16, mapped));
    EXPECT_EQ(device.memory_info().free, before);
}

}  // namespace
}  // namespace cuprum::core
