// Several processes, each with one simulated device, over what stands in for NCCL. Each runs parallel_nccl_rank.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cuprum/core/device.hpp"

extern char** environ;

namespace cuprum::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Nobody else gets the port for as long as it lives.
class TakenPort {
public:
    explicit TakenPort(int port) : handle_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<uint16_t>(port));
        is_taken_ =
            ::bind(handle_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 && ::listen(handle_, 1) == 0;
    }
    ~TakenPort() { ::close(handle_); }
    TakenPort(const TakenPort&) = delete;
    TakenPort& operator=(const TakenPort&) = delete;
    bool is_taken() const { return is_taken_; }

private:
    int handle_;
    bool is_taken_ = false;
};

// A pair of neighbouring ports that were free just now; the first one's number.
int free_port() {
    for (;;) {
        int handles[2] = {-1, -1}, port = 0;
        bool are_free = true;
        for (int i = 0; i < 2 && are_free; ++i) {
            sockaddr_in address{};
            address.sin_family = AF_INET;
            address.sin_port = htons(static_cast<uint16_t>(i == 0 ? 0 : port + 1));
            handles[i] = ::socket(AF_INET, SOCK_STREAM, 0);
            socklen_t size = sizeof(address);
            are_free = ::bind(handles[i], reinterpret_cast<sockaddr*>(&address), size) == 0;
            ::getsockname(handles[i], reinterpret_cast<sockaddr*>(&address), &size);
            if (i == 0) port = ntohs(address.sin_port);
        }
        for (const int handle : handles)
            ::close(handle);
        if (are_free) return port;
    }
}

struct Outcome {
    int status = 0;  // waitpid's
    std::string output;
    bool is_success() const { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }
};

// NCCL takes a GPU for each process; on the simulator's devices its stand-in does as well.
bool has_gpus_for(int count) {
    return core::Device(0).is_simulator() || core::Device::count() >= count;
}
constexpr const char* too_few_gpus = "there are fewer GPUs than processes";

class Processes : public testing::TestWithParam<int> {
protected:
    void SetUp() override {
        std::string name = "/dev/shm/cuprum-test-XXXXXX";
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder = name;
    }
    void TearDown() override {
        if (folder.empty()) return;
        // A rank that was killed leaves its files.
        std::filesystem::remove_all(folder);
    }

    // `names`: of the launcher's variables. Port 0: any.
    std::vector<Outcome> run(const std::string& scenario, size_t count, const std::vector<std::string>& more = {},
                             const std::string& names = "RANK WORLD_SIZE LOCAL_RANK", int port_number = 0) {
        std::istringstream words(names);
        std::string rank_name, count_name, local_name;
        words >> rank_name >> count_name >> local_name;
        const std::string port = std::to_string(port_number == 0 ? free_port() : port_number);
        std::vector<pid_t> pids(count);
        for (size_t rank = 0; rank < count; ++rank) {
            std::vector<std::string> variables{rank_name + "=" + std::to_string(rank),
                                               count_name + "=" + std::to_string(count),
                                               local_name + "=" + std::to_string(rank),
                                               "CUPRUM_TEST_NCCL_FOLDER=" + folder,
                                               "MASTER_ADDR=127.0.0.1",
                                               "MASTER_PORT=" + port};
            variables.insert(variables.end(), more.begin(), more.end());
            std::vector<char*> environment, arguments;
            for (std::string& variable : variables)
                environment.push_back(variable.data());
            for (char** inherited = environ; *inherited != nullptr; ++inherited)
                environment.push_back(*inherited);
            environment.push_back(nullptr);
            std::string program = RANK_PROGRAM, argument = scenario;
            arguments = {program.data(), argument.data(), nullptr};
            posix_spawn_file_actions_t actions;
            posix_spawn_file_actions_init(&actions);
            const std::string output = output_of(rank);
            posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
            posix_spawn_file_actions_adddup2(&actions, 1, 2);
            EXPECT_EQ(
                ::posix_spawn(&pids[rank], program.c_str(), &actions, nullptr, arguments.data(), environment.data()),
                0);
            posix_spawn_file_actions_destroy(&actions);
        }
        std::vector<Outcome> outcomes(count);
        for (size_t rank = 0; rank < count; ++rank) {
            if (rank == 1 && scenario == "stop") continue;
            ::waitpid(pids[rank], &outcomes[rank].status, 0);
        }
        if (scenario == "stop") {
            ::kill(pids[1], SIGKILL);
            ::waitpid(pids[1], &outcomes[1].status, 0);
        }
        for (size_t rank = 0; rank < count; ++rank)
            outcomes[rank].output = text_of(output_of(rank));
        return outcomes;
    }
    static std::string text_of(const std::string& file) {
        std::ostringstream text;
        text << std::ifstream(file).rdbuf();
        return text.str();
    }
    std::string output_of(size_t rank) const { return folder + "/output-" + std::to_string(rank); }
    // Nothing is left in shared memory of a communicator whose ranks have all ended in order.
    size_t files_left() const {
        return static_cast<size_t>(std::count_if(
            std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator(),
            [](const auto& entry) { return entry.path().filename().string().starts_with("cuprum-nccl"); }));
    }

    std::string folder;
};

TEST_P(Processes, RunAllAlgorithms) {
    if (!has_gpus_for(GetParam())) GTEST_SKIP() << too_few_gpus;
    for (const Outcome& outcome : run("algorithms", static_cast<size_t>(GetParam())))
        EXPECT_TRUE(outcome.is_success()) << outcome.output;
    EXPECT_EQ(files_left(), 0U);
}

INSTANTIATE_TEST_SUITE_P(TwoToFour, Processes, testing::Values(2, 3, 4));

class TwoProcesses : public Processes {};

TEST_F(TwoProcesses, OfMpiMeetByItsBroadcast) {
    if (!has_gpus_for(2)) GTEST_SKIP() << too_few_gpus;
    for (const Outcome& outcome : run("algorithms", 2, {"CUPRUM_TEST_BROADCAST_FILE=" + folder + "/bytes"},
                                      "OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE OMPI_COMM_WORLD_LOCAL_RANK"))
        EXPECT_TRUE(outcome.is_success()) << outcome.output;
}

// What torchrun sets for the workers of one host (torch/distributed/elastic/agent/server/local_elastic_agent.py), which
// is not here itself. It listens at the port that it names.
TEST_F(TwoProcesses, MeetAsTorchrunStartsThem) {
    if (!has_gpus_for(2)) GTEST_SKIP() << too_few_gpus;
    const int port = free_port();
    const TakenPort agent(port);
    ASSERT_TRUE(agent.is_taken());
    const std::vector<std::string> more{"GROUP_RANK=0",
                                        "GROUP_WORLD_SIZE=1",
                                        "LOCAL_WORLD_SIZE=2",
                                        "ROLE_WORLD_SIZE=2",
                                        "ROLE_NAME=default",
                                        "OMP_NUM_THREADS=1",
                                        "TORCHELASTIC_RESTART_COUNT=0",
                                        "TORCHELASTIC_MAX_RESTARTS=0",
                                        "TORCHELASTIC_RUN_ID=none",
                                        "TORCHELASTIC_USE_AGENT_STORE=True",
                                        "TORCH_NCCL_ASYNC_ERROR_HANDLING=1"};
    for (const Outcome& outcome : run("algorithms", 2, more, "RANK WORLD_SIZE LOCAL_RANK", port))
        EXPECT_TRUE(outcome.is_success()) << outcome.output;
}

// Open MPI's own launcher, which sets no address.
TEST_F(TwoProcesses, MeetAsMpirunStartsThem) {
    if (!has_gpus_for(2)) GTEST_SKIP() << too_few_gpus;
    if (std::system("command -v mpirun >/dev/null") != 0) {
        ASSERT_FALSE(core::Device(0).is_simulator()) << "mpirun is missing: ./run setup installs openmpi-bin";
        GTEST_SKIP() << "mpirun is missing";
    }
    const std::string command =
        "CUPRUM_TEST_NCCL_FOLDER=" + folder + " MASTER_ADDR=127.0.0.1 MASTER_PORT=" + std::to_string(free_port()) +
        " OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe --bind-to none"
        " --mca plm_rsh_agent sh -np 2 " RANK_PROGRAM " algorithms >" +
        output_of(0) + " 2>&1";
    const Outcome outcome{std::system(command.c_str()), text_of(output_of(0))};
    EXPECT_TRUE(outcome.is_success()) << outcome.output;
    EXPECT_EQ(outcome.output, "ok\nok\n");
}

TEST_F(TwoProcesses, ThatDisagreeAllHearOfIt) {
    if (!has_gpus_for(3)) GTEST_SKIP() << too_few_gpus;
    const std::vector<Outcome> outcomes = run("disagreements", 3);
    for (const Outcome& outcome : outcomes) {
        EXPECT_TRUE(outcome.is_success()) << outcome.output;
        for (const char* what : {"type: ", "operator: ", "initial value: ", "algorithm: ", "bins: "}) {
            const size_t at = outcome.output.find(what);
            ASSERT_NE(at, std::string::npos) << what << outcome.output;
            EXPECT_THAT(outcome.output.substr(at, 300), HasSubstr("does not agree with rank")) << what;
        }
        EXPECT_THAT(outcome.output, HasSubstr("elements on all ranks together"));
    }
    EXPECT_THAT(outcomes[1].output, HasSubstr("it has no memory"));
    for (const size_t rank : {0, 2})
        EXPECT_THAT(outcomes[rank].output, HasSubstr("rank 1 (another process)): it has refused its arguments"));
}

void expect_survivors(const std::vector<Outcome>& outcomes, const char* reason, double most_seconds) {
    EXPECT_TRUE(WIFSIGNALED(outcomes[1].status)) << outcomes[1].output;
    for (const size_t rank : {0, 2}) {
        const std::string& output = outcomes[rank].output;
        EXPECT_TRUE(outcomes[rank].is_success()) << output;
        EXPECT_THAT(output, AllOf(HasSubstr(reason), HasSubstr("then: "), HasSubstr("it was given up")));
        const size_t at = output.find("seconds: ");
        ASSERT_NE(at, std::string::npos) << output;
        EXPECT_LT(std::stod(output.substr(at + 9)), most_seconds);
    }
}

TEST_F(TwoProcesses, HearThatAThirdHasDied) {
    if (!has_gpus_for(3)) GTEST_SKIP() << too_few_gpus;
    expect_survivors(run("death", 3), "ncclRemoteError", 60);
}

// Nobody notices but by the time it takes.
TEST_F(TwoProcesses, GiveAThirdUpThatStops) {
    if (!has_gpus_for(3)) GTEST_SKIP() << too_few_gpus;
    expect_survivors(run("stop", 3, {"CUPRUM_TEST_TIMEOUT_MS=3000", "CUPRUM_TEST_NCCL=silent"}), "3000 ms", 60);
}

TEST_F(TwoProcesses, GiveUpAThirdThatNeverComes) {
    if (!has_gpus_for(3)) GTEST_SKIP() << too_few_gpus;
    const std::string file = folder + "/bytes";
    const std::vector<Outcome> outcomes =
        run("absence", 3, {"CUPRUM_TEST_TIMEOUT_MS=1500", "CUPRUM_TEST_BROADCAST_FILE=" + file});
    for (const size_t rank : {0, 2})
        EXPECT_THAT(outcomes[rank].output, HasSubstr("other ranks have not done their part in 1500 ms"));
}

}  // namespace
}  // namespace cuprum::test
