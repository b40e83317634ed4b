// Runs of a study whose whole results are kept, beside their rows: `worst 5 by peak_die_temperature`, `all`, `none`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wattloop::twin {

struct ChosenRuns {
  enum class Kind { none, all, some };
  Kind kind = Kind::none;
  std::size_t count = 0;
  std::string figure{};
  bool is_largest = true;  ///< else the smallest
};

/// Whether an item of `keep` speaks of whole results, well or badly.
bool reports_whole_results(std::string_view text);

/// Empty text is none. Nothing where it says nothing that one could do.
std::optional<ChosenRuns> read_chosen_runs(const std::string& text);

/// "run-0042.h5": as many digits as the study needs.
std::string results_name(std::size_t run, std::size_t runs);

}  // namespace wattloop::twin
