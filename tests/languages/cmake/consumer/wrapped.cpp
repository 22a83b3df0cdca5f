// A user's program that uses Cuprum only through the user's library.
#include <cstdio>
#include <string>

std::string name_of_the_device();

int main() {
    std::printf("%s: ok\n", name_of_the_device().c_str());
}
