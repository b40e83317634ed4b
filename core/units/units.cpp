#include "core/units/units.hpp"

#include <udunits2.h>

#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "core/units/unit_advice.hpp"

namespace wattloop {

namespace {

struct FreeUnit {
  void operator()(ut_unit* unit) const { ut_free(unit); }
};
struct FreeConverter {
  void operator()(cv_converter* converter) const { cv_free(converter); }
};
struct FreeSystem {
  void operator()(ut_system* system) const { ut_free_system(system); }
};
using Unit = std::unique_ptr<ut_unit, FreeUnit>;
using Converter = std::unique_ptr<cv_converter, FreeConverter>;
using System = std::unique_ptr<ut_system, FreeSystem>;

struct TradeName {
  const char* name;
  const char* definition;  // nullptr: a dimension of its own
};

/// Units that UDUNITS-2 does not have. Apparent and reactive power have their own dimensions; otherwise VA would be accepted for W. Bytes have one,
/// too; otherwise 8 would be accepted for a byte.
/// Prefixes (k, M) come by themselves. Exact by definition: gallon of 231 cubic inches, foot of 0.3048 m;
/// water column conventional (1000 kg/m3, standard gravity).
constexpr std::array trade_names{
    TradeName{"VA", nullptr},
    TradeName{"voltampere", nullptr},
    TradeName{"var", nullptr},
    TradeName{"EUR", nullptr},
    TradeName{"USD", nullptr},
    TradeName{"B", nullptr},
    TradeName{"Wh", "3600 J"},
    TradeName{"Ah", "3600 C"},
    TradeName{"gpm", "3.785411784e-3 m3/min"},
    TradeName{"GPM", "3.785411784e-3 m3/min"},
    TradeName{"lpm", "1e-3 m3/min"},
    TradeName{"LPM", "1e-3 m3/min"},
    TradeName{"CFM", "0.028316846592 m3/min"},
    TradeName{"cfm", "0.028316846592 m3/min"},
    TradeName{"bit", "0.125 B"},
    TradeName{"KiB", "1024 B"},
    TradeName{"MiB", "1048576 B"},
    TradeName{"GiB", "1073741824 B"},
    TradeName{"TiB", "1099511627776 B"},
    TradeName{"inH2O", "249.08891 Pa"},
    TradeName{"ft_H2O", "2989.06692 Pa"},
};

/// UDUNITS-2 with the trade's names. Its parser keeps global state: use only under `udunits_lock`.
class UnitNames {
 public:
  UnitNames() {
    ut_set_error_message_handler(ut_ignore);
    system_.reset(ut_read_xml(nullptr));
    if (!system_) throw std::runtime_error("the unit database of UDUNITS-2 (udunits2.xml) cannot be read");
    for (const TradeName& trade : trade_names) add(trade);
    alias("voltampere", "VA");
    alias("VAr", "var");
    for (const char* name : {"byte", "bytes"}) alias(name, "B");  // UDUNITS-2 counts 8 bits as a number
    alias("bits", "bit");
  }

  /// Null for an unknown unit.
  Unit parse(const std::string& text) const { return Unit(ut_parse(system_.get(), text.c_str(), UT_UTF8)); }

 private:
  void add(const TradeName& trade) {
    const Unit unit = trade.definition == nullptr ? Unit(ut_new_base_unit(system_.get())) : parse(trade.definition);
    map(trade.name, unit.get());
  }
  void alias(const char* name, const char* same_as) { map(name, parse(same_as).get()); }
  void map(const char* name, const ut_unit* unit) {
    ut_unmap_symbol_to_unit(system_.get(), name, UT_ASCII);
    ut_unmap_name_to_unit(system_.get(), name, UT_ASCII);
    if (ut_map_symbol_to_unit(name, UT_ASCII, unit) != UT_SUCCESS) {
      throw std::runtime_error(fmt::format("UDUNITS-2 does not take the unit name {}", name));
    }
  }

  System system_;
};

std::mutex& udunits_lock() {
  static std::mutex lock;
  return lock;
}

const UnitNames& unit_system() {
  static const UnitNames names;
  return names;
}

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string replaced(std::string_view text, std::string_view what, std::string_view with) {
  std::string result;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what)) {
    result.append(text.substr(0, at)).append(with);
    text.remove_prefix(at + what.size());
  }
  return result.append(text);
}

/// A unit in the spelling that `UnitNames` parses.
std::string for_parser(std::string_view unit) {
  std::string text = unit.starts_with('/') ? "1" : "";
  text.append(unit);
  for (const std::string_view product : {"V A", "V.A", "V*A", "V·A"}) text = replaced(text, product, "VA");
  return replaced(text, "delta_K", "K");
}

std::string expected(std::string_view si_unit) {
  if (si_unit == "1") return "expected a ratio";
  if (si_unit == "delta_K") return "expected a difference in K";
  return fmt::format("expected {}", unit_for_people(si_unit));
}

/// A value, its unit and the expected unit, as messages print them.
struct Question {
  std::string_view text;  // as the user wrote it
  double number;
  std::string_view unit;
  std::string_view si_unit;
};

[[noreturn]] void refuse(const Question& asked, std::string_view what, std::string hint) {
  throw QuantityError(fmt::format("'{}' {}, {}", asked.text, what, expected(asked.si_unit)), std::move(hint));
}

[[noreturn]] void refuse_bare_number(const Question& asked) {
  const char* others = asked.si_unit == "s" ? ", or the same in min, h, d or years" : "";
  refuse(asked, "has no unit", fmt::format("write '{}'{}", example_quantity(asked.number, asked.si_unit), others));
}

void refuse_ambiguous(const Question& asked) {
  for (const std::string& name : unit_names(asked.unit)) {
    const std::string_view instead = instead_of_ambiguous(name);
    if (instead.empty()) continue;
    refuse(asked, "is ambiguous", std::string(instead));
  }
}

/// UDUNITS-2 also reads factors ("5 W/10"), origins ("K @ 273.15", "s since 1970") and logarithms: not plain
/// units. Digits may only be exponents: behind a name, `^` or `-`.
bool is_plain(std::string_view unit) {
  if (unit.starts_with("1/")) unit.remove_prefix(2);
  if (unit.find_first_of("@:+\"'") != std::string_view::npos) return false;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const bool is_digit = unit[i] >= '0' && unit[i] <= '9';
    if (is_digit && (i == 0 || std::string_view(" /*.()").find(unit[i - 1]) != std::string_view::npos)) return false;
  }
  for (const std::string& name : unit_names(unit)) {
    for (const std::string_view word : {"since", "after", "from", "ref", "re", "lg", "ln"}) {
      if (name == word) return false;
    }
  }
  return true;
}

[[noreturn]] void refuse_unknown(const Question& asked, const UnitNames& units) {
  for (const std::string& name : unit_names(asked.unit)) {
    if (units.parse(for_parser(name))) continue;
    refuse(asked, fmt::format("has the unknown unit '{}'", name), instead_of_unknown(name));
  }
  refuse(asked, "is no number with a unit", {});
}

/// UDUNITS-2 converts reciprocals ("10 Hz" for "0.1 s"). We refuse them.
bool are_alike(const Unit& a, const Unit& b) {
  const Unit quotient(ut_divide(a.get(), b.get()));
  return quotient && ut_is_dimensionless(quotient.get()) != 0;
}

double converted(double number, const Unit& from, const Unit& to) {
  const Converter converter(ut_get_converter(from.get(), to.get()));
  return cv_convert_double(converter.get(), number);
}

/// A hint if a volume flow is given instead of a mass flow, or the reciprocal of the expected unit (K/W for W/K).
std::string near_dimension_hint(const Question& asked, const Unit& unit, const Unit& si, const UnitNames& units) {
  const Unit turned(ut_invert(unit.get()));
  if (turned && are_alike(turned, si) && asked.number != 0.0) {
    const double value = 1.0 / converted(asked.number, unit, Unit(ut_invert(si.get())));
    return fmt::format("did you mean '{:.4g} {}'?", value, unit_for_people(asked.si_unit));
  }
  const Unit volume_flow = units.parse("m3/s");
  if (asked.si_unit == "kg/s" && are_alike(unit, volume_flow)) {
    const double water_kg_per_m3 = 1000.0;
    const double flow_kg_per_s = water_kg_per_m3 * converted(asked.number, unit, volume_flow);
    return fmt::format("for water, write '{:.4g} kg/s'", flow_kg_per_s);
  }
  return {};
}

void refuse_other_dimension(const Question& asked, const Unit& unit, const Unit& si, const UnitNames& units) {
  if (are_alike(unit, si)) return;
  std::string hint = confusion_hint(asked.number, asked.unit, asked.si_unit);
  if (hint.empty()) hint = near_dimension_hint(asked, unit, si, units);
  refuse(asked, fmt::format("is in {}", asked.unit), std::move(hint));
}

double ratio(const Question& asked) {
  if (asked.unit.empty()) return asked.number;
  if (asked.unit == "%" || asked.unit == "percent") return asked.number / 100.0;
  refuse(asked, fmt::format("is in {}", asked.unit), "write 0.5 or 50 %");
}

double answer(const Question& asked) {
  if (!std::isfinite(asked.number)) refuse(asked, "is not finite", {});
  refuse_ambiguous(asked);
  if (asked.si_unit == "1") return ratio(asked);
  if (asked.unit.empty()) refuse_bare_number(asked);
  const std::lock_guard guard(udunits_lock());
  const UnitNames& units = unit_system();
  const Unit si = units.parse(for_parser(asked.si_unit));
  if (!si) throw std::invalid_argument(fmt::format("no SI unit: '{}'", asked.si_unit));
  const Unit unit = units.parse(for_parser(asked.unit));
  if (!unit || !is_plain(asked.unit)) refuse_unknown(asked, units);
  refuse_other_dimension(asked, unit, si, units);

  const double value = converted(asked.number, unit, si);
  if (!std::isfinite(value)) refuse(asked, "is not finite", {});
  const double offset = converted(0.0, unit, si);
  if (asked.si_unit == "delta_K" && offset != 0.0) {
    refuse(asked, "is a temperature", fmt::format("write '{:.4g} K'", value - offset));
  }
  if (asked.si_unit == "K" && unit_names(asked.unit).front().starts_with("delta_")) {
    refuse(asked, "is a difference", fmt::format("write '{}'", example_quantity(asked.number, "K")));
  }
  if (asked.si_unit == "K" && value < 0.0) refuse(asked, "is below absolute zero", {});
  return value;
}

struct NumberAndRest {
  double number;
  std::string_view rest;
};

/// The number at the start of the text; none if there is none.
std::optional<NumberAndRest> split_number(std::string_view text) {
  std::string_view digits = text;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  for (const std::string_view name : {".nan", ".inf", "-.inf"}) {
    if (digits.starts_with(name)) return NumberAndRest{std::nan(""), digits.substr(name.size())};
  }
  double number = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) number = HUGE_VAL;
  return NumberAndRest{number, digits.substr(static_cast<std::size_t>(end - digits.data()))};
}

/// Where the second part of "1 h 30 min" begins, or npos.
std::size_t second_part(std::string_view rest) {
  for (std::size_t i = 1; i + 1 < rest.size(); ++i) {
    if (rest[i] == ' ' && rest[i + 1] >= '0' && rest[i + 1] <= '9') return i + 1;
  }
  return std::string_view::npos;
}

}  // namespace

double to_si(std::string_view untrimmed, std::string_view si_unit) {
  const std::string_view text = trimmed(untrimmed);
  Question asked{text, 0.0, {}, si_unit};
  if (text.empty()) throw QuantityError(fmt::format("no value, {}", expected(si_unit)), {});
  const std::optional<NumberAndRest> split = split_number(text);
  if (!split) {
    refuse(asked, "is no number with a unit", fmt::format("for example '{}'", example_quantity(20.0, si_unit)));
  }
  asked.number = split->number;
  asked.unit = trimmed(split->rest);
  if (asked.unit.starts_with(',')) {
    refuse(asked, "is no number with a unit", "write '.' before decimals, and nothing between thousands");
  }
  const std::size_t more = si_unit == "s" ? second_part(asked.unit) : std::string_view::npos;
  if (more == std::string_view::npos) return answer(asked);
  const std::string_view others = asked.unit.substr(more);
  asked.unit = trimmed(asked.unit.substr(0, more));
  if (asked.number < 0.0) refuse(asked, "has several parts and a sign", {});
  return answer(asked) + to_si(others, si_unit);
}

double to_si(double value, std::string_view unit, std::string_view si_unit) {
  const std::string text = fmt::format("{:g} {}", value, unit);
  return answer({trimmed(text), value, trimmed(unit), si_unit});
}

}  // namespace wattloop
