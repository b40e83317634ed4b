#include "twin/commands/studies/whole_runs.hpp"

#include <algorithm>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "twin/commands/program/exit_codes.hpp"
#include "twin/commands/run/run_command.hpp"
#include "twin/platform/unfinished_name.hpp"
#include "twin/platform/whole_file.hpp"
#include "twin/simulation/interrupt.hpp"
#include "twin/study/plan/chosen_runs.hpp"

namespace wattloop::twin {

namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

/// Of a run that was killed, or found the disk full. No two processes write one run.
void remove_unfinished(const fs::path& file) {
  const std::string start = file.filename().string() + ".";
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(file.parent_path(), ignored)) {
    if (entry.path().filename().string().starts_with(start)) fs::remove(entry.path(), ignored);
  }
}

void copy_whole(const fs::path& from, const fs::path& to) {
  const fs::path unfinished = unfinished_name(to);
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  fs::copy_file(from, unfinished, error);
  if (error) {
    std::error_code ignored;
    fs::remove(unfinished, ignored);
    throw FileError(fmt::format("cannot write {}: {}", to.string(), error.message()));
  }
  give_name(unfinished, to, to);
}

/// Nothing that somebody else has put there.
void remove_others(const fs::path& folder, const std::set<std::string>& kept) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder / "runs", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("run-") && name.ends_with(".h5") && !kept.contains(name)) fs::remove(entry.path(), ignored);
  }
}

}  // namespace

void remove_whole_runs(const fs::path& folder) { remove_others(folder, {}); }

bool write_whole_runs(const StudyPlace& place, const StudyTable& rows) {
  for (const std::size_t run : choose(place.plan.chosen, rows)) {
    const fs::path file = place.folder / "runs" / results_name(run, place.plan.runs.size());
    if (is_there(file)) continue;
    remove_unfinished(file);
    Scenario scenario = place.base.source.with(place.plan.runs.run(run).changes);
    scenario.title = fmt::format("{}, run {}", place.plan.study.title, run);
    RunOptions options;
    options.scenario = place.plan.study.file;
    options.output = file;
    options.threads = place.threads;
    options.is_quiet = true;
    options.given = &scenario;
    options.method = place.plan.study.method;
    if (twin::run(options) == interrupted_exit_code) return false;
  }
  return true;
}

std::vector<std::size_t> gather_whole_runs(const StudyTable& table, const std::vector<fs::path>& folders,
                                           const fs::path& output) {
  std::vector<std::size_t> missing;
  std::set<std::string> kept;
  for (const std::size_t run : choose(read_chosen_runs(table.whole_results).value_or(ChosenRuns{}), table)) {
    const std::string name = results_name(run, table.runs);
    kept.insert(name);
    const fs::path to = output / "runs" / name;
    if (is_there(to)) continue;
    const auto from = std::ranges::find_if(folders, [&](const fs::path& f) { return is_there(f / "runs" / name); });
    if (from == folders.end()) {
      missing.push_back(run);
    } else {
      copy_whole(*from / "runs" / name, to);
    }
  }
  remove_others(output, kept);
  return missing;
}

}  // namespace wattloop::twin
