#include "fault_plan.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

// The list names deprecated functions too.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace cuprum::test {

namespace {

FaultPlan* the_plan = nullptr;

// Several that create share one that destroys: they are counted as the first of them.
struct Pair {
    const char* create;
    const char* destroy;
};

constexpr std::array pairs{
    Pair{"cuStreamCreateWithPriority", "cuStreamDestroy"},
    Pair{"cuGreenCtxStreamCreate", "cuStreamDestroy"},
    Pair{"cuGreenCtxCreate", "cuGreenCtxDestroy"},
    Pair{"cuEventCreate", "cuEventDestroy"},
    Pair{"cuIpcOpenEventHandle", "cuEventDestroy"},
    Pair{"cuMemAlloc", "cuMemFree"},
    Pair{"cuMemAllocAsync", "cuMemFreeAsync"},
    Pair{"cuMemHostAlloc", "cuMemFreeHost"},
    Pair{"cuMemHostRegister", "cuMemHostUnregister"},
    Pair{"cuMemAddressReserve", "cuMemAddressFree"},
    Pair{"cuMemCreate", "cuMemRelease"},
    Pair{"cuMemMap", "cuMemUnmap"},
    Pair{"cuMemAllocFromPoolAsync", "cuMemFreeAsync"},
    Pair{"cuMemPoolImportPointer", "cuMemFreeAsync"},
    Pair{"cuMemPoolCreate", "cuMemPoolDestroy"},
    Pair{"cuMemPoolImportFromShareableHandle", "cuMemPoolDestroy"},
    Pair{"cuArray3DCreate", "cuArrayDestroy"},
    Pair{"cuMipmappedArrayCreate", "cuMipmappedArrayDestroy"},
    Pair{"cuTexObjectCreate", "cuTexObjectDestroy"},
    Pair{"cuSurfObjectCreate", "cuSurfObjectDestroy"},
    Pair{"cuLibraryLoadData", "cuLibraryUnload"},
    Pair{"cuGraphCreate", "cuGraphDestroy"},
    Pair{"cuStreamBeginCapture", "cuGraphDestroy"},
    Pair{"cuGraphInstantiateWithParams", "cuGraphExecDestroy"},
    Pair{"cuCtxPushCurrent", "cuCtxPopCurrent"},
};

// A function's name as a template argument.
template <size_t Size>
struct Name {
    char text[Size];
    constexpr Name(const char (&name)[Size]) { std::copy_n(name, Size, text); }
};

template <Name name, class Pointer>
struct Interposed;

template <Name name, class... Parameters>
struct Interposed<name, CUresult (*)(Parameters...)> {
    static inline CUresult (*next)(Parameters...) = nullptr;

    static CUresult call(Parameters... parameters) {
        FaultPlan& plan = FaultPlan::instance();
        const CUresult result = plan.is_struck(name.text) ? plan.result() : next(parameters...);
        plan.account(name.text, result);
        return result;
    }
};

template <Name name, class Pointer>
void interpose(std::vector<bindings::TableOverride>& overrides) {
    bindings::Library& driver = bindings::driver::library();
    const auto address = reinterpret_cast<Pointer>(driver.address_of(name.text));
    if (address == nullptr) return;  // this driver does not have it, and says so itself
    Interposed<name, Pointer>::next = address;
    overrides.emplace_back(driver, name.text, &Interposed<name, Pointer>::call);
}

// What core calls to explain a failure. To let these fail as well is a test of its own.
bool explains_failures(const std::string& function) {
    return function == "cuGetErrorName" || function == "cuGetErrorString" || function == "cuLogsDumpToMemory";
}

}  // namespace

FaultPlan::FaultPlan() {
    if (the_plan != nullptr) throw std::logic_error("one fault plan at a time");
    the_plan = this;
#define CUPRUM_FUNCTION(identifier, name, query, symbol, version, per_thread, result, parameters, arguments, \
                        signature)                                                                           \
    interpose<name, decltype(&bindings::driver::identifier)>(overrides_);
#include "cuprum/bindings/driver_functions.def"
#undef CUPRUM_FUNCTION
}

FaultPlan& FaultPlan::instance() {
    return *the_plan;
}

void FaultPlan::strike(int call, CUresult result) {
    strike_at_ = call;
    calls_ = 0;
    result_ = result;
    struck_.clear();
}

bool FaultPlan::is_struck(const char* function) {
    const std::scoped_lock lock(mutex_);
    if (strike_at_ == 0 || explains_failures(function) || ++calls_ != strike_at_) return false;
    struck_ = function;
    return true;
}

void FaultPlan::account(const char* function, CUresult result) {
    const auto first_with = [](const char* Pair::*member, const char* name) {
        return std::find_if(pairs.begin(), pairs.end(),
                            [&](const Pair& pair) { return pair.*member == std::string_view(name); });
    };
    const std::scoped_lock lock(mutex_);
    const auto created = first_with(&Pair::create, function);
    if (result == CUDA_SUCCESS && created != pairs.end()) {
        ++live_[first_with(&Pair::destroy, created->destroy)->create];
    }
    // A destruction that failed was tried: nobody can do more.
    const auto destroyed = first_with(&Pair::destroy, function);
    if (destroyed != pairs.end()) --live_[destroyed->create];
}

}  // namespace cuprum::test
