#include "cuprum/parallel/distributed/communicator.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../program_function.hpp"
#include "cuprum/core/error.hpp"
#include "distributed_objects.hpp"
#include "values.hpp"

using namespace cuprum::capi;
namespace core = cuprum::core;
namespace parallel = cuprum::parallel;
namespace distributed = cuprum::parallel::distributed;

namespace {

std::vector<core::Device> read_devices(const Call& call, const void* devices, uint64_t devices_size) {
    const uint64_t count =
        element_count(call, "devices", parallel::Type(parallel::TypeKind::int32), devices, devices_size);
    const auto* const ordinals = static_cast<const int32_t*>(devices);
    return {ordinals, ordinals + count};
}

// The rank of this process, with the caller's function.
distributed::Process read_process(uint32_t rank, uint32_t count, cuprum_broadcast broadcast, void* user_data) {
    distributed::Process process;
    process.rank = rank;
    process.count = count;
    if (broadcast != nullptr) {
        process.broadcast = [broadcast, user_data](std::span<std::byte> bytes) {
            forget_last_error();
            check_program_function(broadcast(user_data, bytes.data(), bytes.size()),
                                   "making a communicator of several processes", "broadcast of the program's");
        };
    }
    return process;
}

// One side of a message; its memory is kept in use until the copies are in their streams.
class Sides {
public:
    Sides(const Call& call, const char* parameter) : call_(call), parameter_(parameter) {}

    core::BufferRef read(cuprum_buffer memory, uint64_t offset, uint64_t size, uint32_t number) {
        if (memory == nullptr) {
            if (size == 0) return {};
            call_.refuse(parameter_, "message " + std::to_string(number) + " has NULL for the memory of " +
                                         std::to_string(size) + " bytes of a rank of this process");
        }
        pins_.push_back(call_.use(memory, parameter_, static_cast<int32_t>(number)));
        try {
            return pins_.back()->buffer.slice(offset, size);
        } catch (const cuprum::Error& error) {
            cuprum::ErrorInfo info = error.info();
            info.operation = "exchanging messages";
            info.object = std::string(parameter_) + " of message " + std::to_string(number);
            cuprum::throw_error(std::move(info));
        }
    }

private:
    const Call& call_;
    const char* parameter_;
    std::vector<Pin<BufferObject>> pins_;
};

}  // namespace

cuprum_status cuprum_communicator_create(cuprum_communicator* communicator_out, const void* devices,
                                         uint64_t devices_size) {
    return run("cuprum_communicator_create", [&](const Call& call) {
        call.require(communicator_out, "communicator_out");
        const std::vector<core::Device> ranks = read_devices(call, devices, devices_size);
        *communicator_out = call.give<cuprum_communicator>(CommunicatorObject{distributed::Communicator(ranks)});
    });
}

cuprum_status cuprum_communicator_create_nccl(cuprum_communicator* communicator_out, const void* devices,
                                              uint64_t devices_size, uint32_t timeout_ms) {
    return run("cuprum_communicator_create_nccl", [&](const Call& call) {
        call.require(communicator_out, "communicator_out");
        const std::vector<core::Device> ranks = read_devices(call, devices, devices_size);
        const distributed::NcclOptions options{std::chrono::milliseconds(timeout_ms)};
        *communicator_out =
            call.give<cuprum_communicator>(CommunicatorObject{distributed::Communicator(ranks, options)});
    });
}

cuprum_status cuprum_communicator_create_process(cuprum_communicator* communicator_out, int32_t device, uint32_t rank,
                                                 uint32_t count, cuprum_broadcast broadcast, void* user_data,
                                                 uint32_t timeout_ms) {
    return run("cuprum_communicator_create_process", [&](const Call& call) {
        call.require(communicator_out, "communicator_out");
        const distributed::Process process = read_process(rank, count, broadcast, user_data);
        const distributed::NcclOptions options{std::chrono::milliseconds(timeout_ms)};
        *communicator_out = call.give<cuprum_communicator>(
            CommunicatorObject{distributed::Communicator(core::Device(device), process, options)});
    });
}

cuprum_status cuprum_process_from_environment(uint32_t* rank_out, uint32_t* count_out, uint32_t* local_rank_out,
                                              int32_t* has_broadcast_out) {
    return run("cuprum_process_from_environment", [&](const Call& call) {
        call.require(rank_out, "rank_out");
        call.require(count_out, "count_out");
        call.require(local_rank_out, "local_rank_out");
        call.require(has_broadcast_out, "has_broadcast_out");
        const auto process = distributed::Process::from_environment();
        *rank_out = static_cast<uint32_t>(process.rank);
        *count_out = static_cast<uint32_t>(process.count);
        *local_rank_out = static_cast<uint32_t>(process.local_rank);
        *has_broadcast_out = process.broadcast ? 1 : 0;
    });
}

cuprum_status cuprum_process_broadcast(void* bytes, uint64_t size, uint32_t timeout_ms) {
    return run("cuprum_process_broadcast", [&](const Call& call) {
        if (size > 0) call.require(bytes, "bytes");
        const auto process = distributed::Process::from_environment(std::chrono::milliseconds(timeout_ms));
        if (!process.broadcast) {
            throw cuprum::InvalidState("sending bytes from rank 0 to all processes", "MASTER_ADDR",
                                       "it is not set, or there is no MASTER_PORT: it is not known where to meet",
                                       "set both, or give the processes a broadcast of their own: with MPI, MPI_Bcast");
        }
        process.broadcast({static_cast<std::byte*>(bytes), size});
    });
}

cuprum_status cuprum_communicator_destroy(cuprum_communicator communicator) {
    return run("cuprum_communicator_destroy", [&](const Call& call) { call.destroy(communicator, "communicator"); });
}

cuprum_status cuprum_communicator_size(uint32_t* size_out, cuprum_communicator communicator) {
    return run("cuprum_communicator_size", [&](const Call& call) {
        call.require(size_out, "size_out");
        *size_out = static_cast<uint32_t>(call.use(communicator, "communicator")->communicator.size());
    });
}

cuprum_status cuprum_communicator_first_local_rank(uint32_t* rank_out, cuprum_communicator communicator) {
    return run("cuprum_communicator_first_local_rank", [&](const Call& call) {
        call.require(rank_out, "rank_out");
        *rank_out = static_cast<uint32_t>(call.use(communicator, "communicator")->communicator.first_local_rank());
    });
}

cuprum_status cuprum_communicator_local_size(uint32_t* size_out, cuprum_communicator communicator) {
    return run("cuprum_communicator_local_size", [&](const Call& call) {
        call.require(size_out, "size_out");
        *size_out = static_cast<uint32_t>(call.use(communicator, "communicator")->communicator.local_size());
    });
}

cuprum_status cuprum_communicator_is_local(int32_t* is_local_out, cuprum_communicator communicator, uint32_t rank) {
    return run("cuprum_communicator_is_local", [&](const Call& call) {
        call.require(is_local_out, "is_local_out");
        *is_local_out = call.use(communicator, "communicator")->communicator.is_local(rank) ? 1 : 0;
    });
}

cuprum_status cuprum_communicator_can_read_peers(int32_t* can_read_out, cuprum_communicator communicator) {
    return run("cuprum_communicator_can_read_peers", [&](const Call& call) {
        call.require(can_read_out, "can_read_out");
        *can_read_out = call.use(communicator, "communicator")->communicator.can_read_peers() ? 1 : 0;
    });
}

cuprum_status cuprum_communicator_device(int32_t* device_out, cuprum_communicator communicator, uint32_t rank) {
    return run("cuprum_communicator_device", [&](const Call& call) {
        call.require(device_out, "device_out");
        const auto ranks = call.use(communicator, "communicator");
        check_rank(call, rank, ranks->communicator.size());
        *device_out = ranks->communicator.device(rank).device_id();
    });
}

cuprum_status cuprum_communicator_stream(cuprum_stream* stream_out, cuprum_communicator communicator, uint32_t rank) {
    return run("cuprum_communicator_stream", [&](const Call& call) {
        call.require(stream_out, "stream_out");
        const auto ranks = call.use(communicator, "communicator");
        check_rank(call, rank, ranks->communicator.size());
        // A copy of a communicator keeps its streams.
        auto keeper = std::make_shared<const distributed::Communicator>(ranks->communicator);
        const core::StreamRef stream = keeper->stream(rank);
        *stream_out = call.give<cuprum_stream>(StreamObject(stream, std::move(keeper)));
    });
}

cuprum_status cuprum_communicator_sync(cuprum_communicator communicator) {
    return run("cuprum_communicator_sync",
               [&](const Call& call) { call.use(communicator, "communicator")->communicator.sync(); });
}

cuprum_status cuprum_communicator_abort(cuprum_communicator communicator) {
    return run("cuprum_communicator_abort",
               [&](const Call& call) { call.use(communicator, "communicator")->communicator.abort(); });
}

cuprum_status cuprum_communicator_exchange(cuprum_communicator communicator, const cuprum_message* messages,
                                           uint32_t message_count) {
    return run("cuprum_communicator_exchange", [&](const Call& call) {
        const auto ranks = call.use(communicator, "communicator");
        if (message_count > 0) call.require(messages, "messages");
        Sides sources(call, "source"), destinations(call, "destination");
        std::vector<distributed::Message> list;
        list.reserve(message_count);
        for (uint32_t number = 0; number < message_count; ++number) {
            const cuprum_message& each = messages[number];
            distributed::Message message{each.from, each.to, {}, {}};
            if (ranks->communicator.is_local(each.from))
                message.source = sources.read(each.source, each.source_offset, each.size, number);
            if (ranks->communicator.is_local(each.to))
                message.destination = destinations.read(each.destination, each.destination_offset, each.size, number);
            list.push_back(message);
        }
        ranks->communicator.exchange(list);
    });
}
