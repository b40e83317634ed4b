#include "twin/report/events/first_throttles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "core/tables/local_time.hpp"

namespace wattloop::twin {

namespace {

/// What makes a GPU hotter than others, and by how much of its mean.
struct Reason {
  std::string_view text;
  double adverse_ratio;
};

std::string reason_of(const GpuThrottles& throttles, std::size_t gpu) {
  const double resistance = throttles.resistance_ratio[gpu], flow = throttles.flow_ratio[gpu],
               leakage = throttles.leakage_ratio[gpu];
  const std::array reasons{Reason{"its thermal resistance", resistance - 1.0}, Reason{"its flow", 1.0 - flow},
                           Reason{"its leakage", leakage - 1.0}};
  const Reason& first = *std::ranges::max_element(reasons, {}, &Reason::adverse_ratio);
  const std::string most = first.adverse_ratio > 0.0 ? fmt::format("most by {}", first.text) : "not by its own spread";
  return fmt::format("{}: resistance {:.3f}, flow {:.3f}, leakage {:.3f} of the mean", most, resistance, flow, leakage);
}

std::string rack_of(const std::string& gpu) {
  const std::string node = gpu.substr(0, gpu.rfind('.'));
  return node.substr(0, node.rfind('.'));
}

}  // namespace

std::vector<EventRecord> first_throttles(const GpuThrottles& throttles) {
  std::vector<EventRecord> events;
  for (std::size_t gpu = 0; gpu < throttles.first_s.size(); ++gpu) {
    if (std::isnan(throttles.first_s[gpu])) continue;
    events.push_back({throttles.first_s[gpu], "first_throttle", throttles.names[gpu], reason_of(throttles, gpu)});
  }
  std::ranges::stable_sort(events, {}, &EventRecord::time_s);
  return events;
}

std::string first_throttles_table(const GpuThrottles& throttles, const std::string& start) {
  constexpr std::size_t bars = 12;
  constexpr double widest_px = 300.0;
  const std::vector<EventRecord> events = first_throttles(throttles);
  if (events.empty()) return {};
  const double begin_s = events.front().time_s, end_s = events.back().time_s;
  const double wide_s = std::max(std::ceil((end_s - begin_s + 1.0) / bars), 1.0);
  std::array<std::size_t, bars> counts{};
  std::array<std::set<std::string>, bars> racks;
  for (const EventRecord& event : events) {
    const auto bar = std::min(static_cast<std::size_t>((event.time_s - begin_s) / wide_s), bars - 1);
    ++counts[bar];
    racks[bar].insert(rack_of(event.target));
  }
  std::string text = "<table><tr><th>from</th><th>GPUs first below full clock</th><th></th><th>in racks</th></tr>\n";
  const double most = static_cast<double>(*std::ranges::max_element(counts));
  for (std::size_t bar = 0; bar < bars && begin_s + static_cast<double>(bar) * wide_s <= end_s; ++bar) {
    text += fmt::format(
        "<tr><td>{}</td><td class='number'>{}</td><td><span class='bar' style='width:{:.0f}px'></span></td><td "
        "class='number'>{}</td></tr>\n",
        instant_text(start, begin_s + static_cast<double>(bar) * wide_s), counts[bar],
        widest_px * static_cast<double>(counts[bar]) / most, racks[bar].size());
  }
  return text + fmt::format(
                    "</table>\n<p>{} of {} GPUs were below full clock because of their temperature. <code>wattloop "
                    "events --kind first_throttle</code> lists each of them.</p>\n",
                    events.size(), throttles.first_s.size());
}

}  // namespace wattloop::twin
