// Communicators over NCCL in one process: what NCCL lacks or does wrong. That it does what is asked of it,
// test_parallel_distributed_over_nccl shows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "cuprum/bindings/nccl.hpp"
#include "cuprum/cuprum.hpp"
#include "cuprum/parallel/parallel.hpp"

namespace cuprum::parallel {
namespace {

using core::Device;
using distributed::Communicator;
using distributed::NcclOptions;
using distributed::Process;
using distributed::Shard;
using testing::AllOf;
using testing::HasSubstr;

// What the stand-in is told, for as long as it lives.
class Told {
public:
    explicit Told(const char* text) {
        setenv("CUPRUM_TEST_NCCL", text, 1);
        bindings::nccl::library().reset();
    }
    ~Told() {
        unsetenv("CUPRUM_TEST_NCCL");
        bindings::nccl::library().reset();
    }
    Told(const Told&) = delete;
    Told& operator=(const Told&) = delete;
};

constexpr const char* for_the_stand_in = "NCCL itself does not do what it is told here";

template <class Exception, class Call>
std::string thrown(const Call& call) {
    try {
        call();
    } catch (const Exception& error) {
        return error.what();
    }
    return "nothing was thrown";
}

class Nccl : public testing::Test {
protected:
    static Communicator make() { return Communicator({Device(1), Device(0)}, NcclOptions{}); }

    // The sum of 1, 2 and 3, of which rank 1 has one.
    static int32_t sum(const Communicator& communicator) {
        const Type type = Type::of<int32_t>();
        const distributed::Reduce sum(communicator, type, OpKind::plus, type);
        std::vector<core::Buffer> memory;
        std::vector<Shard> in, out;
        const std::vector<std::vector<int32_t>> elements{{1, 2}, {3}};
        for (size_t rank = 0; rank < 2; ++rank) {
            memory.push_back(communicator.device(rank).allocate(elements[rank].size() * 4));
            memory.back().copy_from_host(elements[rank]);
            in.push_back(Shard::of<int32_t>(memory.back()));
            memory.push_back(communicator.device(rank).allocate(4));
            out.push_back(Shard::of<int32_t>(memory.back()));
        }
        sum(in, out, 0);
        int32_t result = 0;
        memory.back().copy_to_host(&result, sizeof(result));
        return result;
    }
};

TEST_F(Nccl, AddsOverTwoDevices) {
    EXPECT_EQ(sum(make()), 6);
}

TEST_F(Nccl, ThatIsTooOldIsRefused) {
    if (!Device(0).is_simulator()) GTEST_SKIP() << for_the_stand_in;
    const Told told("version=2.10");
    EXPECT_THAT(thrown<Unsupported>(make), AllOf(HasSubstr("NCCL 2.10"), HasSubstr("expected NCCL 2.14 or newer")));
}

TEST_F(Nccl, ThatFailsWhenACommunicatorIsMadeSaysSo) {
    if (!Device(0).is_simulator()) GTEST_SKIP() << for_the_stand_in;
    for (const char* function : {"ncclCommInitRankConfig", "ncclGetUniqueId"}) {
        const Told told((std::string("fail=") + function).c_str());
        EXPECT_THAT(thrown<DriverError>(make), AllOf(HasSubstr(function), HasSubstr("ncclSystemError")));
    }
    EXPECT_EQ(sum(make()), 6);
}

TEST_F(Nccl, ThatFailsInACallEndsTheCommunicator) {
    if (!Device(0).is_simulator()) GTEST_SKIP() << for_the_stand_in;
    const auto pool = core::PooledMemoryResource::of(Device(0).memory_resource());
    const auto used = [&] {
        Device(0).sync();
        return pool.attribute(core::MemoryPoolAttribute::used_mem_current);
    };
    const Communicator communicator = make();
    const uint64_t before = used();
    for (const char* function : {"ncclSend", "ncclGroupEnd"}) {
        const Communicator other = make();
        {
            const Told told((std::string("fail=") + function).c_str());
            try {
                sum(other);
                ADD_FAILURE() << function;
            } catch (const DriverError& error) {
                EXPECT_EQ(error.domain(), ErrorDomain::nccl);
                EXPECT_EQ(error.code(), ncclInternalError);
                EXPECT_THAT(error.what(), AllOf(HasSubstr(function), HasSubstr("the stand-in was told to")));
            }
        }
        EXPECT_THAT(thrown<InvalidState>([&] { sum(other); }),
                    AllOf(HasSubstr("it was given up"), HasSubstr(function)));
    }
    EXPECT_EQ(used(), before);
    EXPECT_EQ(sum(communicator), 6);
}

TEST_F(Nccl, IsGivenUpWhenTheProgramSaysSo) {
    const Communicator communicator = make();
    communicator.abort();
    EXPECT_THAT(thrown<InvalidState>([&] { sum(communicator); }), HasSubstr("the program gave it up"));
}

TEST(NcclMissing, SaysWhereItWasLookedFor) {
    if (std::getenv("CUPRUM_TEST_NCCL_IS_HIDDEN") == nullptr) GTEST_SKIP() << "runs as test_parallel_nccl_missing";
    EXPECT_THAT(thrown<NotFound>([] { const Communicator none({Device(0), Device(1)}, NcclOptions{}); }),
                AllOf(HasSubstr("libnccl.so.2"), HasSubstr("nvidia-nccl-cu13")));
}

class ProcessOfEnvironment : public testing::Test {
protected:
    void SetUp() override { clear(); }
    void TearDown() override { clear(); }
    static void clear() {
        for (const char* name :
             {"RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT", "OMPI_COMM_WORLD_RANK",
              "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID",
              "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"})
            unsetenv(name);
    }
};

TEST_F(ProcessOfEnvironment, IsWhatTheLauncherSays) {
    struct Case {
        const char *rank, *count, *local_rank;
    };
    for (const Case& launcher :
         {Case{"RANK", "WORLD_SIZE", "LOCAL_RANK"},
          Case{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
          Case{"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"}, Case{"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"}}) {
        clear();
        setenv(launcher.rank, "5", 1);
        setenv(launcher.count, "8", 1);
        setenv(launcher.local_rank, "1", 1);
        const Process process = Process::from_environment();
        EXPECT_EQ(process.rank, 5U);
        EXPECT_EQ(process.count, 8U);
        EXPECT_EQ(process.local_rank, 1U);
        EXPECT_FALSE(process.broadcast) << "there is no MASTER_ADDR";
    }
}

TEST_F(ProcessOfEnvironment, IsRefusedWhereItIsNotComplete) {
    EXPECT_THAT(thrown<InvalidState>([] { Process::from_environment(); }), HasSubstr("torchrun"));
    setenv("RANK", "1", 1);
    setenv("WORLD_SIZE", "two", 1);
    EXPECT_THAT(thrown<InvalidArgument>([] { Process::from_environment(); }), HasSubstr("'two', expected a number"));
    setenv("WORLD_SIZE", "2", 1);
    EXPECT_THAT(thrown<InvalidArgument>([] { const Communicator none(Device(0), Process::from_environment()); }),
                HasSubstr("no broadcast"));
    setenv("RANK", "2", 1);
    EXPECT_THAT(thrown<InvalidArgument>([] { const Communicator none(Device(0), Process::from_environment()); }),
                HasSubstr("expected a rank below that"));
    setenv("RANK", "1", 1);
    setenv("MASTER_ADDR", "127.0.0.1", 1);
    setenv("MASTER_PORT", "1", 1);  // nobody listens at the next one
    EXPECT_THAT(thrown<InvalidState>([] {
                    const Communicator none(Device(0), Process::from_environment(std::chrono::milliseconds(100)));
                }),
                HasSubstr("rank 0 has not answered rank 1 in 100 ms"));
}

}  // namespace
}  // namespace cuprum::parallel
