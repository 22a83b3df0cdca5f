// What the commands print, as text for people.
#pragma once

#include <string>
#include <vector>

#include "cuprum/pathfinder/toolkit.hpp"
#include "info.hpp"
#include "style.hpp"

namespace cuprum::cli {

/// The path alone on the first line; with `verbose`, how it was found and what was refused before.
std::string part_report(const pathfinder::LocatedPart& part, bool verbose, const Style& style);

/// With `verbose`, what was not found too.
std::string information_report(const capi::Information& information, bool verbose, const Style& style);

std::string devices_report(const std::vector<capi::DeviceInformation>& devices, const Style& style);

std::string findings_report(const std::vector<pathfinder::Finding>& findings, const Style& style);

}  // namespace cuprum::cli
