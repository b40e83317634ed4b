#include "api/engine/quantities.hpp"

#include "core/text/problem.hpp"
#include "core/units/units.hpp"

namespace wattloop::engine {

namespace {

template <class Convert>
double converted(const Convert& convert) {
  try {
    return convert();
  } catch (const QuantityError& error) {
    throw InputError({{{"quantity", 0, 0}, error.what(), error.hint, {}}}, "the quantity");
  }
}

}  // namespace

double to_si(std::string_view quantity, std::string_view si_unit) {
  return converted([&] { return wattloop::to_si(quantity, si_unit); });
}

double from_si(double value, std::string_view si_unit, std::string_view unit) {
  return converted([&] {
    const double zero = wattloop::to_si(0.0, unit, si_unit), one = wattloop::to_si(1.0, unit, si_unit);
    return (value - zero) / (one - zero);
  });
}

}  // namespace wattloop::engine
