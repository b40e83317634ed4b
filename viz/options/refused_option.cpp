#include "viz/options/refused_option.hpp"

#include "core/text/problem.hpp"

namespace wattloop::viz {

void refuse_option(const std::string& option, const std::string& message, const std::string& hint) {
  Problem problem;
  problem.place.file = option;
  problem.message = message;
  problem.hint = hint;
  throw InputError({std::move(problem)}, "the command line");
}

}  // namespace wattloop::viz
