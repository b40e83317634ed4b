// The pictures of a report, each as a file of its own.
#pragma once

#include <string>
#include <vector>

#include "twin/report/events/shown_time.hpp"
#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

struct DiagramKind {
  std::string name{};   ///< "one-line"
  std::string words{};  ///< "power of every part with open breakers, at one instant"
  std::string needs{};  ///< what a file has to hold for it
  bool is_of_moment = false;
};

/// What a picture is of: the run or the study, and what is shown of it.
struct PictureHeading {
  std::string title{}, words{};
};

/// The picture in `html` alone, on white below its heading, with its name space and the style that pages give it; empty where there is none.
std::string standing_alone(const std::string& html, const PictureHeading& heading);

/// All there are.
const std::vector<DiagramKind>& diagram_kinds();

/// An SVG file on its own. `time_s` counts for those of a moment. Empty where the file does not hold what it needs; std::out_of_range where there is
/// no such kind.
std::string diagram_file(const ResultsReader& results, const std::string& kind, const ShownTime& moment);

}  // namespace wattloop::twin
