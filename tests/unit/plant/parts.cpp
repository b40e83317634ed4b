// What holds for every kind of part, whatever it is. A new kind is held to it by being in the catalog.
#include <cstring>
#include <map>
#include <random>
#include <set>

#include "tests/support/catch.hpp"
#include "tests/support/halls/toy_part.hpp"
#include "tests/support/halls/toy_vent.hpp"
#include "twin/parts/part_catalog.hpp"
#include "twin/parts/part_kinds.hpp"
#include "twin/parts/part_set_of.hpp"

using namespace wattloop;
using namespace wattloop::twin;

namespace {

double random_in(double low, double high) {
  static std::mt19937 generator(1);
  return std::uniform_real_distribution(low, high)(generator);
}

/// Parameters between 0.2 and 0.8, whatever they mean; counts are left at 0.
template <Part K>
typename K::Params random_params() {
  typename K::Params params{};
  std::array<double, sizeof(params) / sizeof(double)> numbers{};
  for (double& number : numbers) number = random_in(0.2, 0.8);
  if constexpr (!std::is_empty_v<typename K::Params>)
    std::memcpy(static_cast<void*>(&params), numbers.data(), std::min(sizeof(params), sizeof(numbers)));
  return params;
}

/// What may be seen at a port: temperatures where there are temperatures, flows that are forward.
void fill_port(PortMedium medium, std::span<double> seen) {
  const bool is_fluid = medium == PortMedium::liquid || medium == PortMedium::air;
  if (seen.empty() || medium == PortMedium::electric || medium == PortMedium::reading) return;
  if (is_fluid) seen[seen.size() == 1 ? 0 : 1] = random_in(0.1, 3.0);
  if (!is_fluid || seen.size() > 1) seen[0] = random_in(285.0, 320.0);
  if (is_fluid && seen.size() > 1) seen[2] = random_in(1000.0, 4200.0);
  if (medium != PortMedium::weather || seen.size() == 1) return;
  seen[1] = random_in(280.0, 285.0);
  seen[2] = 0.008;
  seen[3] = 101325.0;
}

template <Part K>
typename K::Now random_now() {
  std::array<double, number_count<typename K::Now>> seen{};
  for (double& number : seen) number = random_in(0.2, 0.8);
  for (const Port<K>& port : K::ports())
    fill_port(port.medium, std::span(seen).subspan(port.seen.first, port.seen.count));
  return [&]<std::size_t... i>(std::index_sequence<i...>) { return typename K::Now{seen[i]...}; }
  (std::make_index_sequence<number_count<typename K::Now>>());
}

/// Power in and heat out of a part, W.
struct Balance {
  double power_w = 0.0, heat_w = 0.0, size_w = 0.0;
};

template <Part K>
Balance balance_of(const typename K::Effect& effect) {
  const auto done = numbers_in(effect);
  Balance balance;
  for (const Port<K>& port : K::ports()) {
    if (port.done.count == 0) continue;
    const double w = done[port.done.first];
    (port.medium == PortMedium::electric ? balance.power_w : balance.heat_w) += w;
    balance.size_w += std::abs(w);
  }
  return balance;
}

template <class List>
struct WithToys;
template <class... Kinds>
struct WithToys<std::tuple<Kinds...>> {
  template <bool is_reported, class K>
  using If = std::conditional_t<OnlyReported<K> == is_reported, std::tuple<K>, std::tuple<>>;
  template <bool is_reported>
  using Those = decltype(std::tuple_cat(If<is_reported, tests::ToyFan>(), If<is_reported, tests::ToyVent>(),
                                        If<is_reported, tests::ToyGauge>(), If<is_reported, Kinds>()...));
};
using AllKinds = WithToys<PartKinds>::Those<false>;
using KindsOnlyReported = WithToys<PartKinds>::Those<true>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("power into a part is heat out of it, whatever it sees", "[parts][conservation]", AllKinds) {
  INFO(TestType::kind);
  for (int trial = 0; trial < 500; ++trial) {
    const Balance balance =
        balance_of<TestType>(effect_of<TestType>(random_params<TestType>(), random_now<TestType>()));
    REQUIRE(std::isfinite(balance.size_w));
    CHECK(std::abs(balance.power_w - balance.heat_w) <= 1e-12 * balance.size_w);
  }
}

TEMPLATE_LIST_TEST_CASE("what a part does is finite with nothing flowing and everything off", "[parts]", AllKinds) {
  INFO(TestType::kind);
  for (int trial = 0; trial < 100; ++trial) {
    auto seen = numbers_in(random_now<TestType>());
    for (const Port<TestType>& port : TestType::ports()) {
      const bool is_fluid = port.medium == PortMedium::liquid || port.medium == PortMedium::air;
      if (is_fluid && port.seen.count > 0) seen[port.seen.first + (port.seen.count == 1 ? 0 : 1)] = 0.0;
      for (std::size_t i = 0; port.medium == PortMedium::electric && i < port.seen.count; ++i)
        seen[port.seen.first + i] = 0.0;
    }
    const auto now = std::bit_cast<typename TestType::Now>(seen);
    for (const double done : numbers_in(effect_of<TestType>(random_params<TestType>(), now)))
      CHECK(std::isfinite(done));
  }
}

TEMPLATE_LIST_TEST_CASE("a part that is only reported does nothing, and reports what it sees", "[parts]",
                        KindsOnlyReported) {
  INFO(TestType::kind);
  PartSetOf<TestType> set;
  const auto seen = numbers_in(numbered<typename TestType::Now>());
  using Effect = typename EffectOf<TestType>::type;
  const auto load = numbers_in(numbered<Effect>());
  set.add({.name = "one", .params = random_params<TestType>(), .seen = seen, .done = load});
  std::vector<double> signals(seen.size()), sinks(number_count<Effect>, 77.0), before = sinks;
  for (double& signal : signals) signal = random_in(0.2, 0.8);
  std::vector<double> memory = set.make_memory();
  set.evaluate(signals, sinks, memory);
  CHECK(sinks == before);
  CHECK_FALSE(set.feeds_any(std::vector<std::uint8_t>(sinks.size(), 1)));
  const auto reported = [&] {
    std::vector<double> columns;
    for (std::size_t c = 0; c < TestType::columns().size(); ++c)
      columns.push_back(set.column_of(0, c, {signals, sinks}));
    return columns;
  };
  for (double& signal : signals) {  // each is in a column, by itself or with others
    const std::vector<double> columns = reported();
    signal += 0.1;
    CHECK(reported() != columns);
  }
  CHECK((std::ranges::count(reported(), 77.0) == 1) == !sinks.empty());
}

TEST_CASE("kinds of the catalog are found by name, and one that is not there is named", "[parts]") {
  std::set<std::string_view> names;
  for (const PartKind& kind : part_kinds()) {
    CHECK(part_kinds()[part_kind_number(kind.name)].name == kind.name);
    CHECK(kind.doc.ends_with("."));
    names.insert(kind.name);
  }
  CHECK(names.size() == part_kinds().size());
  CHECK_THROWS_WITH(part_kind_number(tests::ToyFan::kind),
                    "kind 'toy_fan' is not in the catalog, twin/parts/part_kinds.hpp");
}

TEST_CASE("kinds that are reported in one table have the same columns", "[parts]") {
  std::map<std::string_view, const PartKind*> first_of;
  for (const PartKind& kind : part_kinds()) {
    if (kind.columns.empty()) continue;
    INFO(kind.name);
    CHECK_FALSE(kind.table.group.empty());
    const PartKind& first = *first_of.try_emplace(kind.table.group, &kind).first->second;
    REQUIRE(kind.columns.size() == first.columns.size());
    CHECK(kind.table.item == first.table.item);
    CHECK(kind.table.with == first.table.with);
    for (std::size_t c = 0; c < kind.columns.size(); ++c) {
      CHECK(kind.columns[c].name == first.columns[c].name);
      CHECK(kind.columns[c].unit == first.columns[c].unit);
      CHECK(kind.columns[c].text == first.columns[c].text);
    }
  }
}

TEST_CASE("kinds that watch one quantity report it in the same words", "[parts]") {
  std::map<std::string_view, const WatchedAs*> first_of;
  for (const PartKind& kind : part_kinds()) {
    for (const WatchedAs& as : kind.watched) {
      if (!as.each_is_called.empty()) continue;
      INFO(kind.name << ": " << as.name);
      const WatchedAs& first = *first_of.try_emplace(as.name, &as).first->second;
      CHECK(as.unit == first.unit);
      CHECK(as.place == first.place);
      CHECK(as.lowest == first.lowest);
      CHECK(as.highest == first.highest);
      CHECK(as.largest == first.largest);
      CHECK(as.line.label == first.line.label);
    }
  }
}
