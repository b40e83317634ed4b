#include "twin/run/figures/kpi_limit.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "core/text/nearest.hpp"
#include "core/units/units.hpp"
#include "twin/results/schema/figure_named.hpp"

namespace wattloop::twin {

namespace {

using Relation = KpiLimit::Relation;

struct Sign {
  std::string_view text;
  Relation relation;
};
/// The longer ones first.
constexpr std::array signs{Sign{"<=", Relation::at_most}, Sign{">=", Relation::at_least}, Sign{"<", Relation::below},
                           Sign{">", Relation::above}};

constexpr const char* form = "KPI <= VALUE UNIT, with <=, >=, < or >";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

bool is_count(const NamedValue& figure) { return std::holds_alternative<std::int64_t>(figure.value); }
bool is_text(const NamedValue& figure) { return std::holds_alternative<std::string>(figure.value); }

/// Behind the number.
std::string written_unit(std::string_view value) {
  const std::string text(trimmed(value));
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return std::string(trimmed(end));
}

/// One limit, and where its mistakes go.
class Reader {
 public:
  Reader(const std::string& text, std::span<const NamedValue> figures, Problems& problems)
      : text_(text), figures_(figures), problems_(problems) {}

  std::optional<KpiLimit> read() {
    const std::size_t at = text_.find_first_of("<>");
    if (at == std::string::npos) return refuse(fmt::format("expected {}", form), "");
    const Sign& sign = *std::ranges::find_if(
        signs, [&](const Sign& one) { return std::string_view(text_).substr(at).starts_with(one.text); });
    const std::string_view name = trimmed(std::string_view(text_).substr(0, at));
    const std::string_view value = trimmed(std::string_view(text_).substr(at + sign.text.size()));
    if (name.empty() || name.ends_with('=')) return refuse(fmt::format("expected {}", form), "");
    if (value.find_first_of("<>=") != std::string_view::npos)
      return refuse(fmt::format("expected {}", form), "write two limits for two bounds");
    const NamedValue* figure = find(name);
    if (figure == nullptr) return {};
    return bound(*figure, value, sign.relation);
  }

 private:
  std::nullopt_t refuse(std::string message, std::string hint) {
    problems_.add({{fmt::format("--limit '{}'", text_), 0, 0}, std::move(message), std::move(hint), {}});
    return std::nullopt;
  }

  /// Null where there is no such figure or none that is a number; reported.
  const NamedValue* find(std::string_view name) {
    const NamedValue* found = figure_named(figures_, name);
    if (found == nullptr) {
      std::vector<std::string> names;
      for (const NamedValue& figure : figures_) {
        if (!is_text(figure)) names.push_back(figure.name);
      }
      const std::string hint = problems_.are_all_reported() ? nearest_hint(name, names) : "";
      refuse(fmt::format("the summary of this hall has no '{}'", name),
             hint.empty() ? "wattloop run SCENARIO --json prints all names" : hint);
      return nullptr;
    }
    if (!is_text(*found)) return found;
    refuse(fmt::format("'{}' is a text, not a number", name), found->long_name);
    return nullptr;
  }

  std::optional<KpiLimit> bound(const NamedValue& figure, std::string_view value, Relation relation) {
    KpiLimit limit{.text = std::string(trimmed(text_)),
                   .name = figure.name,
                   .relation = relation,
                   .si_unit = figure.unit.empty() ? "1" : figure.unit,
                   .written_unit = written_unit(value)};
    try {
      limit.bound = to_si(value, limit.si_unit);
    } catch (const QuantityError& error) {
      return refuse(fmt::format("{}: {}", figure.name, error.what()), error.hint);
    }
    if (is_count(figure) && !limit.written_unit.empty())
      return refuse(fmt::format("{}: '{}' is a share, expected a count", figure.name, value), figure.long_name);
    return limit;
  }

  const std::string& text_;
  std::span<const NamedValue> figures_;
  Problems& problems_;
};

}  // namespace

bool KpiLimit::holds(double value) const {
  switch (relation) {
    case Relation::at_most:
      return value <= bound;
    case Relation::at_least:
      return value >= bound;
    case Relation::below:
      return value < bound;
    case Relation::above:
      return value > bound;
  }
  return false;
}

std::string sign_of(KpiLimit::Relation relation) {
  return std::string(std::ranges::find(signs, relation, &Sign::relation)->text);
}

std::vector<KpiLimit> read_limits(std::span<const std::string> texts, std::span<const NamedValue> figures,
                                  Problems& problems) {
  std::vector<KpiLimit> limits;
  for (const std::string& text : texts) {
    if (const auto limit = Reader(text, figures, problems).read()) limits.push_back(*limit);
  }
  return limits;
}

}  // namespace wattloop::twin
