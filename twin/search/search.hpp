// Searches: trials one after the other, and what came of them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "twin/search/bisection.hpp"
#include "twin/search/kept_runs.hpp"
#include "twin/search/optimum.hpp"
#include "twin/search/search_plan.hpp"
#include "twin/search/sobol_indices.hpp"

namespace wattloop::twin {

/// One value, tried with all of its family or until one run said no.
struct SearchTrial {
  double at = 0.0;
  bool holds = false;                   ///< of a limit
  bool is_probe = false;                ///< that looks for a second change of the answer
  bool has_answer = true;               ///< all of its runs came to their end
  double value = 0.0;                   ///< of an optimum: the worst of the family, in the unit that is kept
  std::size_t runs = 0;                 ///< that were made
  std::size_t run = 0;                  ///< that says no, or that is the worst
  std::size_t first = 0;                ///< run of the family
  std::string unreached{}, exceeded{};  ///< set-points and limits of the first of its runs that has any
  std::string what{};                   ///< "cdu_1: peak_die_temperature <= 85 degC violated"; empty where all holds
};

/// What `wattloop check` says of the hall with a value.
struct CheckedValue {
  double at = 0.0;
  std::optional<std::size_t> warnings{};  ///< none: there is no such hall
};

struct TornadoBar {
  std::string change{}, from{}, to{};
  double at_low = 0.0, at_high = 0.0;  ///< of the figure
};

/// Of one figure, what moves it most first.
struct FigureSensitivity {
  std::size_t column = 0;  ///< of the table
  double in_base = 0.0;    ///< of a tornado
  std::vector<TornadoBar> bars{};
  std::vector<std::string> changes{};  ///< of Sobol indices
  std::vector<SobolIndex> indices{};
};

struct SearchFindings {
  std::vector<SearchTrial> trials{};
  Bisection bisection{};  ///< of largest and smallest
  Optimum optimum{};      ///< of minimise and maximise; values with their sign turned for the latter
  std::vector<FigureSensitivity> sensitivities{};
  std::vector<CheckedValue> checked{};  ///< values that the answer names
  std::size_t failed = 0;               ///< runs of a sensitivity without an answer
};

/// Values that the answer names: the last that holds and the first that does not, or the optimum; each once.
std::vector<double> named_values(const SearchPlan& plan, const SearchFindings& findings);

/// Counts for each of these the warnings of `check`, with the hall of the first run of its family.
std::vector<CheckedValue> check_values(const SearchPlan& plan, const StudyBase& base, const SearchFindings& findings);

/// Adds trials to the plan as it goes. `when_tried` is called for each. Throws KeptRuns::Interrupted, and SolverError where an optimum meets a run without
/// an answer.
SearchFindings search(SearchPlan& plan, KeptRuns& runs, const std::function<void(const SearchTrial&)>& when_tried);

}  // namespace wattloop::twin
