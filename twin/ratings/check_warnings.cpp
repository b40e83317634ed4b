#include "twin/ratings/check_warnings.hpp"

#include <algorithm>
#include <iterator>

#include "core/text/count_text.hpp"
#include "twin/actions/weather/outdoors.hpp"
#include "twin/planning/weather/condensation_warnings.hpp"
#include "twin/planning/weather/weather_of_scenario.hpp"
#include "twin/planning/work/work.hpp"
#include "twin/ratings/rating_check.hpp"

namespace wattloop::twin {

std::vector<std::string> check_warnings(const Scenario& scenario) {
  const Work work = make_work(scenario);
  std::vector<std::string> warnings = check_ratings(scenario).warnings;
  std::ranges::copy(work.warnings, std::back_inserter(warnings));
  std::ranges::move(condensation_warnings(scenario, make_outdoors(scenario)), std::back_inserter(warnings));
  return warnings;
}

std::string nameplate_verdict(std::size_t warnings) {
  if (warnings == 0) return "ratings are consistent at nameplate load";
  return count_text(warnings, "warning") + " at nameplate load";
}

}  // namespace wattloop::twin
