#include "twin/study/plan/distribution_reader.hpp"

#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/text/nearest.hpp"
#include "twin/document/map_reader.hpp"
#include "twin/study/plan/study.hpp"

namespace wattloop::twin {

namespace {

using Kind = Distribution::Kind;

/// What each kind is reported by.
struct KindKeys {
  std::string_view name;
  Kind kind;
  std::string_view middle, spread;  ///< empty: it has none
  bool needs_ends;
};
constexpr std::array kinds{KindKeys{"normal", Kind::normal, "mean", "deviation", false},
                           KindKeys{"lognormal", Kind::lognormal, "median", "factor", false},
                           KindKeys{"triangular", Kind::triangular, "likeliest", "", true},
                           KindKeys{"uniform", Kind::uniform, "", "", true}};

class DistributionReader {
 public:
  DistributionReader(const Node& node, Problems& problems)
      : reader_(node, "distribution", problems), problems_(problems), before_(problems.size()) {}

  std::optional<Distribution> read() {
    if (!reader_.is_map()) return {};
    const KindKeys* keys = read_kind();
    if (keys == nullptr) return {};
    Distribution made{.kind = keys->kind};
    const auto from = number("from", keys->needs_ends), to = number("to", keys->needs_ends);
    const auto middle = keys->middle.empty() ? Said{} : number(keys->middle, true);
    const auto spread = keys->spread.empty() ? Said{} : number(keys->spread, true);
    reader_.report_unknown_keys();
    if (problems_.size() > before_) return {};
    made.unit = keys->middle.empty() ? from.value->unit : middle.value->unit;
    for (const Said* one : {&from, &to, &middle}) check_unit(*one, made.unit);
    if (!keys->spread.empty()) check_spread(keys->kind, spread, made.unit);
    if (from.value) made.from = from.value->number;
    if (to.value) made.to = to.value->number;
    if (middle.value) made.middle = middle.value->number;
    if (spread.value) made.spread = spread.value->number;
    if (problems_.size() == before_) check_order(made);
    return problems_.size() > before_ ? std::nullopt : std::optional(made);
  }

 private:
  struct Said {
    const Node* node = nullptr;
    std::optional<WrittenNumber> value{};
  };

  const KindKeys* read_kind() {
    const Node* kind = reader_.require("kind", "normal, lognormal, triangular or uniform");
    if (kind == nullptr) return nullptr;
    for (const KindKeys& one : kinds) {
      if (kind->text == one.name) return &one;
    }
    std::vector<std::string> names;
    for (const KindKeys& one : kinds) names.emplace_back(one.name);
    const std::string near = nearest_hint(kind->text, names);
    problems_.add(problem_at(*kind, fmt::format("there is no distribution '{}'", kind->text),
                             near.empty() ? "write one of: normal, lognormal, triangular, uniform" : near));
    return nullptr;
  }

  Said number(std::string_view key, bool is_needed) {
    const Node* node = is_needed ? reader_.require(key, "a number with its unit") : reader_.find(key);
    if (node == nullptr || node->is_null()) return {};
    Said said{node, node->is_scalar() ? written_number(node->text) : std::nullopt};
    if (!said.value)
      problems_.add(problem_at(*node, fmt::format("{}: {} is no number with its unit", key, describe(*node))));
    return said;
  }

  void refuse(const Said& said, std::string message, std::string hint) {
    problems_.add(problem_at(said.node == nullptr ? reader_.node() : *said.node, std::move(message), std::move(hint)));
  }

  void check_unit(const Said& said, const std::string& unit) {
    if (said.value && said.value->unit != unit)
      refuse(said,
             fmt::format("'{}' is in {}, but other numbers of the distribution are in {}", said.node->text,
                         name_of(said.value->unit), name_of(unit)),
             "write all of them in one unit");
  }

  static std::string name_of(const std::string& unit) { return unit.empty() ? "no unit" : unit; }

  /// A deviation is a difference: that of degC is in K.
  void check_spread(Kind kind, const Said& spread, const std::string& unit) {
    const bool is_factor = kind == Kind::lognormal;
    const std::string expected = is_factor ? "" : unit == "degC" ? "K" : unit;
    if (spread.value->unit != expected)
      refuse(
          spread,
          fmt::format("'{}' is in {}, expected {}", spread.node->text, name_of(spread.value->unit), name_of(expected)),
          is_factor
              ? "68 % of all values lie between the median divided by this factor and the median times this factor"
              : "");
    if (is_factor && !(spread.value->number > 1.0))
      refuse(spread, fmt::format("factor: {} gives no spread", spread.node->text),
             "write a number above 1, for example 1.2");
    if (!is_factor && !(spread.value->number > 0.0))
      refuse(spread, fmt::format("deviation: {} gives no spread", spread.node->text), "write a number above 0");
  }

  void check_order(const Distribution& made) {
    if (made.kind == Kind::lognormal && !(made.middle > 0.0))
      refuse({}, "the median of a lognormal distribution is not above 0",
             "write a median above 0: the logarithm of the values is normally distributed");
    if (made.kind == Kind::lognormal && made.from && !(*made.from > 0.0))
      refuse({}, "a lognormal distribution begins above 0", "delete `from`, or write a value above 0");
    if (made.from && made.to && !(*made.from < *made.to))
      refuse({}, "the distribution is empty", "`from` is not below `to`");
    const bool has_middle = made.kind != Kind::uniform;
    const bool is_below = made.from && made.middle < *made.from, is_above = made.to && made.middle > *made.to;
    if (has_middle && (is_below || is_above))
      refuse({}, "the middle of the distribution is not between its ends", "write a value between `from` and `to`");
  }

  MapReader reader_;
  Problems& problems_;
  std::size_t before_;
};

}  // namespace

std::optional<Distribution> read_distribution(const Node& node, Problems& problems) {
  return DistributionReader(node, problems).read();
}

}  // namespace wattloop::twin
