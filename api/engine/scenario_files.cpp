#include "api/engine/scenario_files.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "core/text/problem.hpp"
#include "twin/run/act.hpp"

namespace wattloop::engine {

std::string watts_file(const std::filesystem::path& file, const std::vector<twin::GpuWatts>& watts) {
  return watts.empty() ? std::string() : file.stem().string() + ".gpu_power.csv";
}

twin::Scenario with_all(const twin::Scenario& base, const std::vector<std::string>& acts,
                        const std::vector<twin::GpuWatts>& watts) {
  std::vector<twin::EventSpec> events;
  for (const twin::GpuWatts& row : watts) std::ranges::move(twin::act_of_watts(row).events, std::back_inserter(events));
  return twin::with_events(twin::with_acts(base, acts), std::move(events));
}

void write_whole(const std::filesystem::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) throw FileError(fmt::format("cannot write {}: {}", file.string(), std::strerror(errno)));
}

}  // namespace wattloop::engine
