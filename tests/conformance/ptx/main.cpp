// Runs the cases of instruction forms on a CUDA driver and says which results differ from the expected ones.
//
// CUPRUM_DRIVER=gpu runs them on the installed driver, anything else on the simulator of this build; CUPRUM_TEST_DRIVER
// names another library, CUPRUM_PTX_FORMS another folder of cases.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>

#include "driver.hpp"

namespace cuprum::ptx_test {
namespace {

constexpr char usage[] =
    R"(usage: ptx_conformance [OPTION]... [FILE]...

Runs the cases in each FILE (all files of tests/conformance/ptx/forms without one).

  --only TEXT      forms that contain TEXT alone
  --random N       random operands per form, for --dump and --compare (256)
  --dump FILE      writes the results of random operands to FILE, one line each
  --against FILE   compares the results of random operands with those that --dump wrote elsewhere, of the same forms
                   and the same --random
  --compare        runs random operands on the installed GPU driver and on the simulator, and prints where they differ
  --known FILE     forms that may differ there, one to a line: those are counted and are no failure
  --shown N        differences printed per form (3)
  --required FILE  fails unless every form that FILE lists has a case
  --write FOLDER   writes the module that runs each form to FOLDER, and runs nothing
)";

struct Options {
    std::vector<std::string> files;
    std::string only, dump, against, known, required, write;
    size_t random = 256;
    size_t shown = 3;
    bool compare = false;
};

Options parse_options(int count, char** arguments) {
    Options options;
    for (int k = 1; k < count; ++k) {
        const std::string argument = arguments[k];
        const auto value = [&]() -> std::string {
            if (++k == count) throw std::runtime_error(argument + " needs a value");
            return arguments[k];
        };
        if (argument == "--only")
            options.only = value();
        else if (argument == "--random")
            options.random = std::stoul(value());
        else if (argument == "--dump")
            options.dump = value();
        else if (argument == "--against")
            options.against = value();
        else if (argument == "--known")
            options.known = value();
        else if (argument == "--required")
            options.required = value();
        else if (argument == "--write")
            options.write = value();
        else if (argument == "--shown")
            options.shown = std::stoul(value());
        else if (argument == "--compare")
            options.compare = true;
        else if (argument.starts_with('-'))
            throw std::runtime_error(argument + " is no option\n" + usage);
        else
            options.files.push_back(argument);
    }
    if (options.files.empty()) {
        const char* const folder = std::getenv("CUPRUM_PTX_FORMS");
        for (const auto& entry : std::filesystem::directory_iterator(folder != nullptr ? folder : CUPRUM_PTX_FORMS)) {
            if (entry.path().extension() == ".txt") options.files.push_back(entry.path());
        }
        std::sort(options.files.begin(), options.files.end());
    }
    return options;
}

// The simulator lies beside the programs of the build tree, wherever that has been moved to.
std::string simulator_library() {
    return std::filesystem::canonical("/proc/self/exe").parent_path().parent_path() /
           "lib/cuprum/simulator/libcuda.so.1";
}

std::string driver_library() {
    if (const char* named = std::getenv("CUPRUM_TEST_DRIVER"); named != nullptr && *named != 0) return named;
    const char* const choice = std::getenv("CUPRUM_DRIVER");
    return choice != nullptr && std::strcmp(choice, "gpu") == 0 ? "libcuda.so.1" : simulator_library();
}

std::string operands_text(const Group& group, const std::vector<Bits>& operands) {
    std::string text;
    for (size_t k = 0; k < operands.size(); ++k)
        text += " " + format_value(group.operands[k], operands[k]);
    return text;
}

// The same operands on every machine: seeded with the form's name.
std::vector<std::vector<Bits>> random_operands(const Group& group, const std::string& form, size_t count) {
    uint64_t seed = 0xcbf29ce484222325;  // FNV-1a
    for (const char letter : form)
        seed = (seed ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    std::mt19937_64 random(seed);
    std::vector<std::vector<Bits>> operands(count);
    for (std::vector<Bits>& one : operands) {
        for (const Type type : group.operands)
            one.push_back(random_value(type, random));
    }
    return operands;
}

class Report {
public:
    Report(size_t shown, std::set<std::string> known) : shown_(shown), known_(std::move(known)) {}
    void begin(const Group& group, const std::string& form) {
        group_ = &group;
        form_ = form;
        here_ = 0;
    }
    void difference(unsigned line, const std::string& text) {
        ++differences_;
        if (++here_ > shown_) return;
        std::printf("%s:%u: %s: %s\n", group_->file.c_str(), line, form_.c_str(), text.c_str());
    }
    void end() {
        if (here_ > shown_) std::printf("  ... and %zu more of %s\n", here_ - shown_, form_.c_str());
        if (here_ == 0) return;
        ++(known_.contains(form_) ? known_forms_ : failed_forms_);
    }
    size_t differences() const { return differences_; }
    size_t failed_forms() const { return failed_forms_; }
    size_t known_forms() const { return known_forms_; }

private:
    size_t shown_, here_ = 0, differences_ = 0, failed_forms_ = 0, known_forms_ = 0;
    std::set<std::string> known_;
    const Group* group_ = nullptr;
    std::string form_;
};

void run_cases(Driver& driver, const Group& group, const std::string& form, Report& report) {
    std::vector<std::vector<Bits>> operands;
    for (const Case& one : group.cases)
        operands.push_back(one.operands);
    const auto results = driver.run(group, form, operands);
    for (size_t k = 0; k < group.cases.size(); ++k) {
        for (size_t r = 0; r < group.results.size(); ++r) {
            for (unsigned thread = 0; thread < group.threads; ++thread) {
                const Bits expected = group.cases[k].results[r][thread], found = results[k][r][thread];
                const Type type = group.results[r];
                if (agrees(type, found, expected, group.tolerance)) continue;
                std::string text = operands_text(group, operands[k]) + " gives " + format_value(type, found) +
                                   ", expected " + format_value(type, expected);
                if (group.results.size() > 1) text += ", result " + std::to_string(r + 1);
                if (group.threads > 1) text += ", thread " + std::to_string(thread);
                report.difference(group.cases[k].line, text);
            }
        }
    }
}

void dump_random(Driver& driver, const Group& group, const std::string& form,
                 const std::vector<std::vector<Bits>>& operands, std::ostream& out) {
    const auto results = driver.run(group, form, operands);
    for (size_t k = 0; k < operands.size(); ++k) {
        out << form << operands_text(group, operands[k]) << " =";
        for (size_t r = 0; r < group.results.size(); ++r)
            out << ' ' << format_value(group.results[r], results[k][r][0]);
        out << '\n';
    }
}

using Results = decltype(std::declval<Driver&>().run(std::declval<const Group&>(), "", {}));

// What dump_random has written of this form, in its place in the file.
Results read_dumped(std::istream& dump, const Group& group, const std::string& form,
                    const std::vector<std::vector<Bits>>& operands) {
    Results results;
    for (const std::vector<Bits>& given : operands) {
        const std::string head = form + operands_text(group, given) + " =";
        std::string line;
        if (!std::getline(dump, line) || !line.starts_with(head)) {
            throw std::runtime_error("the dumped results are of other operands: expected '" + head + "', found '" +
                                     line + "'");
        }
        std::istringstream values(line.substr(head.size()));
        auto& one = results.emplace_back();
        for (const Type type : group.results) {
            std::string value;
            values >> value;
            one.push_back({parse_value(type, value.substr(0, value.find('(')))});
        }
    }
    return results;
}

// Approximate forms may differ by what both are allowed; the largest distance is printed.
void compare_random(const Group& group, const std::string& form, const std::vector<std::vector<Bits>>& operands,
                    const Results& expected, const Results& found, Report& report) {
    Tolerance both = group.tolerance;
    both.ulps *= 2;
    both.absolute *= 2;
    both.relative *= 2;
    uint64_t worst = 0;
    size_t unequal = 0;
    for (size_t k = 0; k < operands.size(); ++k) {
        for (size_t r = 0; r < group.results.size(); ++r) {
            const Type type = group.results[r];
            const Bits a = found[k][r][0], b = expected[k][r][0];
            if (a == b) continue;
            if (!both.exact() && type != Type::f16x2 && type != Type::bf16x2) {
                worst = std::max(worst, distance_in_ulps(type, a, b));
                ++unequal;
            }
            if (agrees(type, a, b, both)) continue;
            report.difference(group.line, operands_text(group, operands[k]) + " gives " + format_value(type, a) +
                                              ", the GPU " + format_value(type, b));
        }
    }
    if (unequal != 0) {
        std::printf("%s: approximate: %zu of %zu results differ, by at most %llu ulp\n", form.c_str(), unequal,
                    operands.size(), static_cast<unsigned long long>(worst));
    }
}

// The forms of `path`, one to a line.
std::vector<std::string> listed_forms(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error(path + " cannot be read");
    std::vector<std::string> forms;
    for (std::string line; std::getline(file, line);) {
        if (!line.empty() && line[0] != '#') forms.push_back(line);
    }
    return forms;
}

// Those of `path` that no group has.
std::vector<std::string> missing_forms(const std::string& path, const std::vector<Group>& groups) {
    std::set<std::string> covered;
    for (const Group& group : groups)
        covered.insert(group.forms.begin(), group.forms.end());
    std::vector<std::string> missing = listed_forms(path);
    std::erase_if(missing, [&](const std::string& form) { return covered.contains(form); });
    return missing;
}

int run(const Options& options) {
    std::vector<Group> groups;
    for (const std::string& file : options.files) {
        std::vector<Group> more = read_cases(file);
        std::move(more.begin(), more.end(), std::back_inserter(groups));
    }
    if (!options.write.empty()) {
        for (const Group& group : groups) {
            for (const std::string& form : group.forms) {
                const std::string name = options.write + "/" + form + "." + std::to_string(group.line) + ".ptx";
                if (!(std::ofstream(name) << kernel_text(group, form, std::max(group.target, 100u))))
                    throw std::runtime_error(name + " cannot be written");
            }
        }
        return 0;
    }
    if (!options.required.empty()) {
        const std::vector<std::string> missing = missing_forms(options.required, groups);
        for (const std::string& form : missing)
            std::printf("no case of %s\n", form.c_str());
        std::printf("%s\n", missing.empty() ? "every required form has a case" : "required forms without a case");
        return missing.empty() ? 0 : 1;
    }
    // The simulator is asked for an architecture that has every form.
    setenv("CUPRUM_SIM", "cc=10.0", 0);
    Driver driver(options.compare ? "libcuda.so.1" : driver_library());
    std::unique_ptr<Driver> simulator;
    if (options.compare) simulator = std::make_unique<Driver>(simulator_library());
    std::printf("on %s, compute capability %u.%u\n", driver.device_name().c_str(), driver.compute_capability() / 10,
                driver.compute_capability() % 10);
    std::ofstream dump;
    if (!options.dump.empty()) dump.open(options.dump);
    std::ifstream against;
    if (!options.against.empty()) {
        against.open(options.against);
        if (!against) throw std::runtime_error(options.against + " cannot be read");
    }
    const std::vector<std::string> known =
        options.known.empty() ? std::vector<std::string>() : listed_forms(options.known);
    Report report(options.shown, {known.begin(), known.end()});
    size_t forms = 0, cases = 0, left_out = 0, simulator_only = 0;
    const bool random_only = options.compare || dump.is_open() || against.is_open();
    const bool on_hardware = driver.device_name().find("simulator") == std::string::npos;
    for (const Group& group : groups) {
        for (const std::string& form : group.forms) {
            if (form.find(options.only) == std::string::npos) continue;
            if (!runs_on(group, driver.compute_capability())) {
                ++left_out;
                continue;
            }
            if (!group.hardware && (on_hardware || random_only)) {
                ++simulator_only;
                continue;
            }
            const bool random = group.random && group.threads == 1 && !group.operands.empty();
            if (random_only && !random) continue;
            report.begin(group, form);
            try {
                const auto operands =
                    random_only ? random_operands(group, form, options.random) : std::vector<std::vector<Bits>>{};
                if (options.compare)
                    compare_random(group, form, operands, driver.run(group, form, operands),
                                   simulator->run(group, form, operands), report);
                else if (against.is_open())
                    compare_random(group, form, operands, read_dumped(against, group, form, operands),
                                   driver.run(group, form, operands), report);
                else if (dump.is_open())
                    dump_random(driver, group, form, operands, dump);
                else
                    run_cases(driver, group, form, report);
            } catch (const std::exception& error) {
                report.difference(group.line, error.what());
            }
            report.end();
            ++forms;
            cases += random_only ? options.random : group.cases.size();
        }
    }
    std::printf("%zu forms, %zu cases: %zu forms with differences", forms, cases, report.failed_forms());
    if (report.known_forms() != 0) std::printf("; %zu forms with known ones", report.known_forms());
    if (left_out != 0) std::printf("; %zu forms need a newer device", left_out);
    if (simulator_only != 0) std::printf("; %zu forms are the simulator's alone", simulator_only);
    std::printf("\n");
    if (forms == 0) throw std::runtime_error("nothing was run");
    return report.failed_forms() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace cuprum::ptx_test

int main(int count, char** arguments) {
    try {
        return cuprum::ptx_test::run(cuprum::ptx_test::parse_options(count, arguments));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ptx_conformance: %s\n", error.what());
        return 2;
    }
}
