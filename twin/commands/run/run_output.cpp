#include "twin/commands/run/run_output.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "twin/platform/whole_file.hpp"
#include "twin/results/hdf5/hdf5_file.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "twin/results/schema/results_groups.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string message, std::string hint) {
  throw InputError({{{"-o", 0, 0}, std::move(message), std::move(hint), {}}}, "the command line");
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

/// That of a scenario which is gone may be this one, moved: then its checksum reports whether it is.
bool is_other_scenario(const std::string& earlier, const std::string& now) {
  std::error_code error;
  return !earlier.empty() && !now.empty() && earlier != now && fs::exists(earlier, error) && !is_same(earlier, now);
}

/// Of a name that no one chose: it is not to take the place of another run.
void demand_same_run(const RunRecord& earlier, const RunRecord& now, const fs::path& named) {
  std::string what;
  if (is_other_scenario(earlier.scenario_file, now.scenario_file)) {
    what = "of " + earlier.scenario_file;
  } else if (earlier.overrides != now.overrides) {
    what = earlier.overrides.empty() ? "without --set" : "with --set " + earlier.overrides;
  }
  if (what.empty()) return;
  refuse(fmt::format("'{}' holds a run {}", named.string(), what),
         fmt::format("give another name to keep both; -o {} replaces it", named.string()));
}

/// Results may be run again into their own place, where no one names another and nothing of them is changed.
bool is_repeated_in_place(const RunOptions& options, const fs::path& output) {
  return options.output.empty() && options.overrides.empty() && is_same(output, options.scenario);
}

}  // namespace

fs::path named_output(const RunOptions& options, const Scenario& scenario) {
  return options.output.empty() ? fs::path("results") / (scenario.name + ".h5") : options.output;
}

std::optional<RunRecord> read_run_record(const fs::path& results) {
  try {
    const ResultsReader reader(results);
    const auto text = [&](const char* name) { return reader.provenance_text(name); };
    const auto overrides = text("overrides");
    if (!overrides) return std::nullopt;
    return RunRecord{*overrides, text("scenario_file").value_or(""), text("inputs").value_or("")};
  } catch (const FileError&) {
    return std::nullopt;  // of a run that did not end, or damaged: nothing that somebody relies on
  }
}

AllowedOutput allowed_output(const RunOptions& options, const Scenario& scenario, const RunRecord& record) {
  const fs::path named = named_output(options, scenario);
  const fs::path name = named.filename();
  if (name.empty() || name == "." || name == "..")
    refuse(fmt::format("'{}' names a folder", named.string()), "write a path that ends with the name of a file");
  const fs::path output = without_links(named);
  std::error_code error;
  const fs::file_status status = fs::status(output, error);
  if (!fs::exists(status) || fs::is_directory(status)) return {output, {}};  // the writer knows what to say of a folder
  if (!fs::is_regular_file(status)) {
    throw FileError(fmt::format("cannot write {}: it is a device or a pipe", named.string()));
  }
  const bool is_input =
      is_same(output, options.scenario) ||
      std::ranges::any_of(scenario.input_files, [&](const InputFile& input) { return is_same(output, input.path); });
  if (is_input && !is_repeated_in_place(options, output)) {
    refuse(fmt::format("'{}' is read by this run", named.string()),
           "give another name: the results would replace this input");
  }
  if (!options.is_forced && !is_of_wattloop(output)) {
    refuse(fmt::format("'{}' was not written by Wattloop", named.string()),
           "give another name, or replace the file with --force");
  }
  const std::optional<RunRecord> earlier = read_run_record(output);
  if (earlier && options.output.empty()) demand_same_run(*earlier, record, named);
  return {output, earlier};
}

}  // namespace wattloop::twin
