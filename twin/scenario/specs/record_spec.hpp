// `record`: what a run writes to its results, and how often.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/parts/field.hpp"

namespace wattloop::twin {

struct RecordSpec {
  std::string what = "all";  ///< or "summary": no tables, no layout
  double facility_s = 1.0;   ///< facility, electrical, loops, CDUs, rooms
  double racks_s = 15.0;
  double gpus_s = 60.0;
  std::vector<std::string> gpu_fields{"die_temperature", "power", "clock_fraction"};

  static constexpr auto fields() {
    using P = RecordSpec;
    return std::array{
        Field<P>{&P::what, "what", "all|summary",
                 "all: everything. summary: only summary, events, limits and provenance; `record: summary` has the "
                 "same meaning."},
        Field<P>{&P::facility_s, "facility", "s", Range::positive,
                 "Interval of facility, feeders, loops, CDUs and rooms; if it is not given, the default is multiplied "
                 "by the number of days of the run."},
        Field<P>{&P::racks_s, "racks", "s", Range::positive,
                 "Interval of racks; if it is not given, the default is multiplied by the number of days of the run."},
    };
  }

  bool is_summary_only() const { return what == "summary"; }
};

}  // namespace wattloop::twin
