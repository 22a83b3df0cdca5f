#include "cuprum/parallel/distributed/process.hpp"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "cuprum/core/error.hpp"

namespace cuprum::parallel::distributed {

namespace {

constexpr const char* reading = "reading the environment of a process";
constexpr const char* meeting = "sending bytes from rank 0 to all processes";

using Clock = std::chrono::steady_clock;

// The variables of one launcher. A local rank need not be there.
struct Launcher {
    const char* rank;
    const char* count;
    const char* local_rank;
};
constexpr std::array launchers{
    Launcher{"RANK", "WORLD_SIZE", "LOCAL_RANK"},  // torchrun
    Launcher{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    Launcher{"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
    Launcher{"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"},
};

std::optional<size_t> number(const char* variable) {
    const char* const text = std::getenv(variable);
    if (text == nullptr) return std::nullopt;
    size_t value = 0;
    const char* const end = text + std::strlen(text);
    if (std::from_chars(text, end, value).ptr != end || text == end) {
        throw InvalidArgument(reading, variable, "it is '" + std::string(text) + "', expected a number");
    }
    return value;
}

[[noreturn]] void fail(const std::string& object, const std::string& detail) {
    throw InvalidState(meeting, object, detail, "see that rank 0 runs, and that its host and port can be reached");
}

class Socket {
public:
    explicit Socket(int handle = -1) : handle_(handle) {}
    ~Socket() {
        if (handle_ >= 0) ::close(handle_);
    }
    Socket(Socket&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}
    Socket& operator=(Socket&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    bool is_valid() const { return handle_ >= 0; }
    int handle() const { return handle_; }

    // A call that takes longer fails. Zero would mean forever.
    void set_time_left(Clock::time_point end) const {
        const auto left = std::chrono::duration_cast<std::chrono::microseconds>(end - Clock::now());
        const auto microseconds = std::max<int64_t>(left.count(), 1);
        const timeval time{static_cast<time_t>(microseconds / 1000000),
                           static_cast<suseconds_t>(microseconds % 1000000)};
        for (const int option : {SO_RCVTIMEO, SO_SNDTIMEO})
            ::setsockopt(handle_, SOL_SOCKET, option, &time, sizeof(time));
    }
    bool send_all(std::span<const std::byte> bytes) const {
        while (!bytes.empty()) {
            const ssize_t sent = ::send(handle_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent < 0 && errno == EINTR) continue;
            if (sent <= 0) return false;
            bytes = bytes.subspan(static_cast<size_t>(sent));
        }
        return true;
    }
    bool receive_all(std::span<std::byte> bytes) const {
        while (!bytes.empty()) {
            const ssize_t received = ::recv(handle_, bytes.data(), bytes.size(), 0);
            if (received < 0 && errno == EINTR) continue;
            if (received <= 0) return false;
            bytes = bytes.subspan(static_cast<size_t>(received));
        }
        return true;
    }

private:
    int handle_;
};

// What a process says first. Other programs' connections are not taken for one.
struct Greeting {
    std::array<char, 8> name{'c', 'u', 'p', 'r', 'u', 'm', '-', '1'};
    uint64_t rank = 0;
};

struct Meeting {
    std::string host, port;
    size_t rank, count;
    std::chrono::milliseconds timeout;

    std::string text() const { return host + ":" + port; }
    void operator()(std::span<std::byte> bytes) const;
    void give(std::span<const std::byte> bytes, Clock::time_point end) const;
    void get(std::span<std::byte> bytes, Clock::time_point end) const;

    struct Addresses {
        addrinfo* first = nullptr;
        ~Addresses() {
            if (first != nullptr) ::freeaddrinfo(first);
        }
    };
    void look_up(Addresses& addresses, bool is_listener) const {
        addrinfo hints{};
        hints.ai_family = AF_UNSPEC;
        hints.ai_socktype = SOCK_STREAM;
        hints.ai_flags = is_listener ? AI_PASSIVE : 0;
        const int result = ::getaddrinfo(is_listener ? nullptr : host.c_str(), port.c_str(), &hints, &addresses.first);
        if (result != 0) fail(text(), std::string("its address is not known: ") + ::gai_strerror(result));
    }
};

void Meeting::operator()(std::span<std::byte> bytes) const {
    const auto end = Clock::now() + timeout;
    if (count < 2) return;
    if (rank == 0) {
        give(bytes, end);
    } else {
        get(bytes, end);
    }
}

void Meeting::give(std::span<const std::byte> bytes, Clock::time_point end) const {
    Addresses addresses;
    look_up(addresses, true);
    Socket listener;
    for (const addrinfo* address = addresses.first; address != nullptr && !listener.is_valid();
         address = address->ai_next) {
        Socket socket(::socket(address->ai_family, address->ai_socktype | SOCK_CLOEXEC, address->ai_protocol));
        const int yes = 1;
        if (!socket.is_valid()) continue;
        ::setsockopt(socket.handle(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
        if (::bind(socket.handle(), address->ai_addr, address->ai_addrlen) == 0 &&
            ::listen(socket.handle(), static_cast<int>(count)) == 0)
            listener = std::move(socket);
    }
    if (!listener.is_valid()) fail("port " + port, std::string("rank 0 cannot listen there: ") + std::strerror(errno));
    std::vector<bool> has_come(count, false);
    for (size_t come = 1; come < count;) {
        listener.set_time_left(end);
        const Socket peer(::accept4(listener.handle(), nullptr, nullptr, SOCK_CLOEXEC));
        if (!peer.is_valid()) {
            if (errno == EINTR && Clock::now() < end) continue;
            fail("port " + port, std::to_string(come) + " of " + std::to_string(count) + " processes have come in " +
                                     std::to_string(timeout.count()) + " ms");
        }
        peer.set_time_left(end);
        Greeting greeting;
        const auto name = greeting.name;
        if (!peer.receive_all(std::as_writable_bytes(std::span(&greeting, 1))) || greeting.name != name) continue;
        if (greeting.rank == 0 || greeting.rank >= count || has_come[greeting.rank]) continue;
        if (!peer.send_all(bytes)) continue;
        has_come[greeting.rank] = true;
        ++come;
    }
}

void Meeting::get(std::span<std::byte> bytes, Clock::time_point end) const {
    // Rank 0 may not listen yet.
    for (; Clock::now() < end; std::this_thread::sleep_for(std::chrono::milliseconds(20))) {
        Addresses addresses;
        look_up(addresses, false);
        for (const addrinfo* address = addresses.first; address != nullptr; address = address->ai_next) {
            const Socket socket(
                ::socket(address->ai_family, address->ai_socktype | SOCK_CLOEXEC, address->ai_protocol));
            if (!socket.is_valid()) continue;
            socket.set_time_left(end);
            if (::connect(socket.handle(), address->ai_addr, address->ai_addrlen) != 0) continue;
            const Greeting greeting{.rank = rank};
            if (socket.send_all(std::as_bytes(std::span(&greeting, 1))) && socket.receive_all(bytes)) return;
        }
    }
    fail(text(),
         "rank 0 has not answered rank " + std::to_string(rank) + " in " + std::to_string(timeout.count()) + " ms");
}

std::string port_of_meeting() {
    if (const auto port = number("CUPRUM_MASTER_PORT")) return std::to_string(*port);
    const auto port = number("MASTER_PORT");
    return port ? std::to_string(*port + 1) : std::string();
}

}  // namespace

Process Process::from_environment(std::chrono::milliseconds timeout) {
    for (const Launcher& launcher : launchers) {
        const auto rank = number(launcher.rank), count = number(launcher.count);
        if (!rank || !count) continue;
        Process process;
        process.rank = *rank;
        process.count = *count;
        process.local_rank = number(launcher.local_rank).value_or(*rank);
        const char* const host = std::getenv("MASTER_ADDR");
        const std::string port = port_of_meeting();
        // MPI's launchers set none.
        if (host != nullptr && !port.empty()) process.broadcast = Meeting{host, port, *rank, *count, timeout};
        return process;
    }
    throw InvalidState(reading, "RANK",
                       "neither torchrun's variables are set nor those of an MPI: this process was started alone",
                       "start it with torchrun or mpirun, or set RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and "
                       "MASTER_PORT");
}

}  // namespace cuprum::parallel::distributed
