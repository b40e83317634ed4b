#include "twin/ratings/remedies.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "core/text/count_text.hpp"
#include "core/units/units.hpp"
#include "twin/ratings/nameplate_hall.hpp"

namespace wattloop::twin {

namespace {

/// Rows of a kind begin with it; machines that share a load are counted, others have to be larger.
struct Kind {
  std::string_view begin;
  std::string_view noun;
  bool is_shared;
};
constexpr std::array kinds{
    Kind{"psu", "power supplies", false},
    Kind{"one cord", "power supplies on each cord", false},
    Kind{"network door", "rear doors", false},
    Kind{"door", "rear doors", false},
    Kind{"pdu", "PDUs, or fewer racks on each,", false},
    Kind{"ups", "UPS, by larger or more modules,", false},
    Kind{"transformer", "transformers", false},
    Kind{"substation", "substations", false},
    Kind{"breaker", "breakers", false},
    Kind{"fuse", "fuses", false},
    Kind{"cable", "cables", false},
    Kind{"feeder", "feeders", false},
    Kind{"generator", "generator on the same bus", true},
    Kind{"cdu", "CDU in its loop", true},
    Kind{"loop pumps", "CDU in its loop, or a lower differential pressure", true},
    Kind{"tower pumps", "tower cell", true},
    Kind{"tower", "tower cell", true},
    Kind{"chiller", "chiller", true},
    Kind{"pumps of machines", "machine on that water, or larger pumps", true},
    Kind{"room", "air handler", true},
    Kind{"electrical_room", "air handler", true},
};

/// "2 more generators on the same bus": what follows a place or a comma stays as it is.
std::string so_many_more(double more, std::string noun) {
  if (more > 1.0) noun.insert(std::min({noun.find(" on "), noun.find(" in "), noun.find(','), noun.size()}), "s");
  return fmt::format("{:.0f} more {}", more, noun);
}

std::string rating_remedy(const CheckRow& row) {
  if (!row.starved_by.empty())
    return row.of.starts_with("chiller") ? "colder water or air at the condensers"
                                         : "a set-point further above the air outside";
  const auto kind = std::ranges::find_if(kinds, [&](const Kind& k) { return row.of.starts_with(k.begin); });
  const std::string value = format_quantity(row.value, row.unit);
  if (kind != kinds.end() && !kind->is_shared)
    return row.is_met() ? fmt::format("larger {}", kind->noun) : fmt::format("{} for {} or more", kind->noun, value);
  const bool are_pumps = kind == kinds.end() && row.of.ends_with(" pumps");
  const bool are_air_handlers = row.name.find("air handler") != std::string::npos;  // of a room with a name of its own
  const std::string noun = are_air_handlers      ? "air handler"
                           : are_pumps           ? "pump on duty"
                           : kind == kinds.end() ? words_of_name(row.of)
                                                 : std::string(kind->noun);
  const double needed = std::ceil(row.sharing * row.value / row.limit - CheckRow::rounding);
  const double more = std::isfinite(needed) ? std::max(1.0, needed - row.sharing) : 1.0;
  const bool is_each = !row.is_met() && row.unit == "W" && row.name.find(" of ") != std::string::npos;
  return so_many_more(more, noun) + (is_each ? fmt::format(", or {} each", value) : "");
}

/// What carries the heat away from where a temperature is too high.
std::string_view medium_of(const CheckRow& row) {
  const auto has = [](const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; };
  if (has(row.quantity, "air") || row.of == "rooms" || row.of == "CRAHs") return "air";
  if (row.of.starts_with("dies") || row.of.starts_with("racks") || row.of == "loops") return "coolant";
  return "water";
}

std::string beside(const CheckRow& row) {
  return row.out == Outage{}.text || row.out == open_valves ? "" : fmt::format(", or one more beside {}", row.out);
}

std::string temperature_remedy(const CheckRow& row) {
  const bool is_hot = row.side == Side::above;
  const std::string by = row.is_met() ? "" : fmt::format(" by {:.1f} K", std::ceil(-10.0 * row.margin()) / 10.0);
  const std::string way = fmt::format("{} {}{}", is_hot ? "colder" : "warmer", medium_of(row), by);
  return way + (is_hot ? beside(row) : medium_of(row) == "water" ? ", or glycol in it" : "");
}

}  // namespace

std::string remedy_of(const CheckRow& row) {
  switch (row.kind) {
    case CheckRow::Kind::rating:
      return rating_remedy(row);
    case CheckRow::Kind::set_point:
      if (row.side == Side::below && row.unit == "K")
        return fmt::format("a set-point of {}, or fewer machines at work", format_quantity(row.value, row.unit));
      return fmt::format("a set-point of {}{}", format_quantity(row.value, row.unit),
                         row.out == Outage{}.text ? ", or more capacity" : beside(row));
    case CheckRow::Kind::power:
      return "cords to a second power block that is then in service";
    case CheckRow::Kind::limit:
      if (row.of.starts_with("selectivity") && row.unit == "1")
        return "a higher rated current of the first, or a lower one of the second";
      if (row.of.starts_with("selectivity"))
        return "a longer time or a higher pickup of the first, or less of both of the second";
      if (row.unit == "A" && row.side == Side::below)
        return "a lower pickup, a shorter or larger cable, or a stronger source";
      if (row.unit == "A") return "fewer sources in parallel on the bus, or breakers that interrupt more";
      return row.unit == "K" ? temperature_remedy(row) : fmt::format("more capacity{}", beside(row));
  }
  return {};
}

}  // namespace wattloop::twin
