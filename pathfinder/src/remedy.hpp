// The commands that mend what is wrong with a machine. Each is a line for a shell, with a comment where one is needed.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "cuprum/pathfinder/finder.hpp"

namespace cuprum::pathfinder {

inline constexpr const char* use_simulator = "export CUPRUM_DRIVER=sim  # Cuprum's simulator needs no GPU";

/// `text` as one word for a shell.
std::string shell_word(std::string_view text);

/// Several remedies of which each mends it, on lines of their own.
std::string one_of(std::initializer_list<std::string> remedies);

/// Installs packages where this process looks for them: in the Python environment that it searches, else in a new one
/// that the command makes and activates.
std::string pip_install(const Finder& finder, const std::string& packages);

/// All packages that a compile needs, of that toolkit's version.
std::string toolkit_packages(const Version& version);
/// The same, of the newest major version that is allowed, and of the minor one where no other is; none if there are no
/// packages of any allowed version.
std::optional<std::string> toolkit_packages(const VersionConstraint& constraint);

/// Gets NVIDIA's driver onto this machine; empty if no driver can help, because there is no NVIDIA GPU.
std::string install_driver(const System& system);

/// Sets LD_LIBRARY_PATH to what it is without the entries that nothing may be taken from.
std::string clean_library_path(const System& system);

}  // namespace cuprum::pathfinder
