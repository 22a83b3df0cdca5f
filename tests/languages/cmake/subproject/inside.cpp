// Where a program finds the simulator that its own build has made.
#include <cstdio>

#include <cuprum/pathfinder/pathfinder.hpp>

int main() {
    std::printf("%s\n", cuprum::pathfinder::find_cuda_library("cuda").c_str());
}
