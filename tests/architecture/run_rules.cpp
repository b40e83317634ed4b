#include <regex>
#include <set>

#include "tests/architecture/rules.hpp"

namespace wattloop::tests {

namespace {

/// Tests of `Simulation` and of the integrators themselves: what they start from, what they carry, what they count.
const std::set<std::string> about_simulation{"tests/properties/checkpoint.cpp", "tests/properties/checkpoint_file.cpp",
                                             "tests/properties/multirate.cpp", "tests/properties/simulation.cpp",
                                             "tests/verification/integration/core_integrators.cpp"};

/// A variable or an owned object of that type; a reference is not one.
const std::regex made(R"((unique_ptr|optional|make_unique)<(twin::)?Simulation>|\b(twin::)?Simulation [a-z_]+[({;])");

bool may_make(const std::string& path) {
  return path.starts_with("twin/simulation/") || path.starts_with("twin/run/") ||
         path.starts_with("tests/architecture/");  // which quotes what it looks for
}

}  // namespace

Violations simulation_violations(const Project& project) {
  Violations found;
  std::set<std::string> seen;
  for (const TextFile& file : project.files) {
    if (!file.is_code() || may_make(file.path)) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (!std::regex_search(file.lines[i], made)) continue;
      seen.insert(file.path);
      if (!about_simulation.contains(file.path))
        found.push_back(violation(file, i, "a run is made by HallRun (docs/decisions/0062-one-way-to-run.md)"));
    }
  }
  for (const TextFile& file : project.files) {
    if (about_simulation.contains(file.path) && !seen.contains(file.path))
      found.push_back(file.path +
                      " makes no Simulation any more: it leaves the list of tests/architecture/run_rules.cpp");
  }
  return found;
}

}  // namespace wattloop::tests
