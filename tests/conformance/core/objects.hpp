// One object of every class of core, and what is done with it: for tests of what becomes of objects.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cuprum::test {

// One thing that is done with an object. It can be done any number of times.
struct Use {
    std::string name;
    std::function<void()> call;
    // It cannot succeed once the context is lost or destroyed. Others may.
    bool needs_context = false;
};

struct Specimen {
    std::string name;
    std::vector<Use> uses;
    std::function<void()> close;      // empty where its class has nothing to close
    std::function<void()> move_away;  // to another object, which is destroyed at once; empty where it is a plain value
    std::shared_ptr<void> object;     // destroyed with the last copy of this
};

// Of device 0. What they are used with is made with them, and lives as long.
std::vector<Specimen> every_object();

}  // namespace cuprum::test
