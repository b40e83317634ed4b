// Parts of the base that patterns of a study name.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/text/problem.hpp"
#include "twin/document/document.hpp"
#include "twin/ratings/part_list.hpp"

namespace wattloop::twin {

class ChosenParts {
 public:
  ChosenParts(std::span<const PartRow> parts, Problems& problems);

  /// Those that fit a pattern and can do that event (any, where it is empty), each once. Patterns of none are reported.
  std::vector<Node> of(const std::vector<Node>& patterns, const std::string& event) const;

 private:
  void report_none(const Node& pattern, const std::string& event, bool fits_any) const;

  std::span<const PartRow> parts_;
  std::vector<std::string> names_{};
  Problems& problems_;
};

/// What an event does to `value`: "fail"; empty where it does nothing to it.
std::string event_word(const Node& event);

}  // namespace wattloop::twin
