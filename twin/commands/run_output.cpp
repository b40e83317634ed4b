#include "twin/commands/run_output.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/problem.hpp"
#include "twin/results/hdf5_file.hpp"
#include "twin/results/results_groups.hpp"
#include "twin/results/results_reader.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string message, std::string hint) {
  throw InputError({{{"-o", 0, 0}, std::move(message), std::move(hint), {}}}, "the command line");
}

/// Also where the last of them leads to nothing yet.
fs::path without_links(fs::path file) {
  constexpr int most_links = 40;  // as the system has it
  std::error_code error;
  for (int link = 0; fs::is_symlink(fs::symlink_status(file, error)); ++link) {
    if (link == most_links) throw FileError(fmt::format("cannot write {}: its links lead in a circle", file.string()));
    const fs::path next = fs::read_symlink(file, error);
    if (error) throw FileError(fmt::format("cannot write {}: {}", file.string(), error.message()));
    file = next.is_absolute() ? next : file.parent_path() / next;
  }
  return file;
}

bool is_same(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

bool is_of_wattloop(const fs::path& file) {
  try {
    return Hdf5Reader(file).number_attribute(format_attribute) >= 0;
  } catch (const FileError&) {
    return false;
  }
}

std::optional<std::string> earlier_overrides(const fs::path& file) {
  try {
    return ResultsReader(file).provenance_text("overrides");
  } catch (const FileError&) {
    return std::nullopt;  // of a run that did not end, or damaged: nothing that somebody relies on
  }
}

/// Results may be run again into their own place, where nobody names another and nothing of them is changed.
bool is_repeated_in_place(const RunOptions& options, const fs::path& output) {
  return options.output.empty() && options.overrides.empty() && is_same(output, options.scenario);
}

}  // namespace

fs::path named_output(const RunOptions& options, const Scenario& scenario) {
  return options.output.empty() ? fs::path("results") / (scenario.name + ".h5") : options.output;
}

fs::path allowed_output(const RunOptions& options, const Scenario& scenario, const std::string& overrides) {
  const fs::path named = named_output(options, scenario);
  const fs::path name = named.filename();
  if (name.empty() || name == "." || name == "..")
    refuse(fmt::format("'{}' names a folder", named.string()), "end it in a file's name");
  const fs::path output = without_links(named);
  std::error_code error;
  const fs::file_status status = fs::status(output, error);
  if (!fs::exists(status) || fs::is_directory(status)) return output;  // the writer knows what to say of a folder
  if (!fs::is_regular_file(status)) {
    throw FileError(fmt::format("cannot write {}: it is a device or a pipe", named.string()));
  }
  const bool is_input =
      is_same(output, options.scenario) ||
      std::ranges::any_of(scenario.input_files, [&](const std::string& input) { return is_same(output, input); });
  if (is_input && !is_repeated_in_place(options, output)) {
    refuse(fmt::format("'{}' is read by this run", named.string()), "name another file: results would take its place");
  }
  if (!options.is_forced && !is_of_wattloop(output)) {
    refuse(fmt::format("'{}' was not written by Wattloop", named.string()),
           "name another file, or let --force replace it");
  }
  const std::optional<std::string> earlier = options.output.empty() ? earlier_overrides(output) : std::nullopt;
  if (earlier && *earlier != overrides) {
    refuse(fmt::format("'{}' holds a run {}", named.string(),
                       earlier->empty() ? "without --set" : "with --set " + *earlier),
           fmt::format("another name keeps both, -o {} replaces it", named.string()));
  }
  return output;
}

}  // namespace wattloop::twin
