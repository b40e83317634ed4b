// The set of parts of one kind, in columns: the struct that a kind sees is filled from signals, what it does is added to sinks. The
// same tables give rates and, by differences of each part alone, entries of the Jacobian.
#pragma once

#include <algorithm>
#include <any>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/parts/part.hpp"
#include "twin/parts/part_numbers.hpp"
#include "twin/parts/part_set.hpp"

namespace wattloop::twin {

template <Part K>
class PartSetOf final : public PartSet {
 public:
  using Params = typename K::Params;
  using Now = typename K::Now;
  using Effect = typename EffectOf<K>::type;

  void add(const PartWiring& wiring) override {
    if (HasColumns<K> && wiring.name.empty())
      throw std::logic_error("a part of kind '" + std::string(K::kind) + "' has no name for the results");
    Placed placed{.kind = 0, .signals = {}, .sinks = {}};
    Given given{};
    [&]<std::size_t... i>(std::index_sequence<i...>) { (connect<i>(wiring.seen[i], placed, given), ...); }
    (std::make_index_sequence<now_count>());
    for (std::size_t k = 0; k < effect_count; ++k) placed.sinks[k] = static_cast<std::uint32_t>(wiring.done[k]);
    placed.kind = number_of({std::any_cast<const Params&>(wiring.params), given});
    parts_.push_back(placed);
    if constexpr (HasColumns<K>) {
      names_.push_back(wiring.name);
      auto& shown = shown_.emplace_back();
      for (std::size_t i = 0; i < shown.size(); ++i) shown[i] = static_cast<std::uint32_t>(wiring.shown[i]);
    }
  }

  std::span<const std::string> names() const override { return names_; }

  std::size_t size() const { return parts_.size(); }
  const Params& params(std::size_t part) const { return shared_[parts_[part].kind].params; }
  /// What a part sees, and what only its columns read; `at` gives the value of a signal by its number.
  template <class At>
  Now now(std::size_t part, const At& at) const {
    const Placed& placed = parts_[part];
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return Now{number_at<i>(placed, shared_[placed.kind], at)...};
    }
    (std::make_index_sequence<now_count>());
  }
  template <class At>
  auto shown([[maybe_unused]] std::size_t part, [[maybe_unused]] const At& at) const {
    return [&]<std::size_t... i>(std::index_sequence<i...>) { return Shown{at(shown_[part][i])...}; }
    (std::make_index_sequence<shown_count>());
  }

  std::vector<double> make_memory() const override {
    if constexpr (CachesNumber<K>) return std::vector(parts_.size() * memory_size, nothing_yet);
    return {};
  }

  void evaluate([[maybe_unused]] std::span<const double> signals, [[maybe_unused]] std::span<double> sinks,
                [[maybe_unused]] std::span<double> memory) const override {
    if constexpr (!OnlyReported<K>) evaluate_parts(signals, sinks, memory);
  }

  void differentiate([[maybe_unused]] std::span<const double> signals,
                     [[maybe_unused]] JacobianSink& jacobian) const override {
    if constexpr (!OnlyReported<K>) differentiate_parts(signals, jacobian);
  }

  bool feeds_any(std::span<const std::uint8_t> is_requested) const override {
    return !OnlyReported<K> && std::any_of(parts_.begin(), parts_.end(), [&](const Placed& part) {
      return std::any_of(part.sinks.begin(), part.sinks.end(), [&](auto sink) { return is_requested[sink] != 0; });
    });
  }

  void fill_column(std::size_t column, const ReadPlant& from, std::span<double> parts) const override {
    visit<column_count>(column, [&]<std::size_t c>() {
      for (std::size_t part = 0; part < parts.size(); ++part) parts[part] = value<c>(part, from);
    });
  }

  double column_of(std::size_t part, std::size_t column, const ReadPlant& from) const override {
    double found = 0.0;
    visit<column_count>(column, [&]<std::size_t c>() { found = value<c>(part, from); });
    return found;
  }

  double rated_w([[maybe_unused]] std::size_t part, [[maybe_unused]] std::size_t rating) const override {
    if constexpr (HasRatings<K>) return K::ratings()[rating].rated_w(shared_[parts_[part].kind].params);
    return 0.0;
  }

  double left_w(std::size_t part, std::size_t rating, const ReadPlant& from) const override {
    if constexpr (HasRatings<K>) {
      if (const auto left_w = K::ratings()[rating].left_w; left_w != nullptr) return now_of(part, left_w, from);
    }
    return rated_w(part, rating);
  }

  double load_w([[maybe_unused]] std::size_t part, [[maybe_unused]] std::size_t rating,
                [[maybe_unused]] const ReadPlant& from) const override {
    if constexpr (HasRatings<K>) {
      if (const auto load_w = K::ratings()[rating].load_w; load_w != nullptr) return now_of(part, load_w, from);
    }
    return 0.0;
  }

  double limit([[maybe_unused]] std::size_t part, [[maybe_unused]] std::size_t limit) const override {
    if constexpr (HasLimits<K>) return K::limits()[limit].endurance(shared_[parts_[part].kind].params).limit;
    return std::numeric_limits<double>::infinity();
  }

  void fill_watched(std::size_t watched, const ReadPlant& from, std::span<double> parts) const override {
    visit<watched_count>(watched, [&]<std::size_t w>() {
      for (std::size_t part = 0; part < parts.size(); ++part) parts[part] = value<column_count + w>(part, from);
    });
  }

 private:
  static constexpr std::size_t now_count = number_count<Now>;
  static constexpr std::size_t effect_count = number_count<Effect>;
  using Shown = typename ShownOf<K>::type;
  static constexpr std::size_t shown_count = number_count<Shown>;
  static constexpr std::size_t column_count = reported_count<K>().columns;
  static constexpr std::size_t watched_count = reported_count<K>().watched;

  void evaluate_parts(std::span<const double> signals, std::span<double> sinks, std::span<double> memory) const {
    [[maybe_unused]] Numbers before{};
    Effect effect{};
    for (std::size_t number = 0; number < parts_.size(); ++number) {
      const Placed& part = parts_[number];
      const Shared& shared = shared_[part.kind];
      const Now now = gather(part, shared, signals);
      if constexpr (is_often_alike) {
        const Numbers seen = numbers_in(now);
        const bool is_alike = number > 0 && part.kind == parts_[number - 1].kind && seen == before;
        if (!is_alike) effect = K::effect(shared.params, now);
        before = seen;
      } else if constexpr (CachesNumber<K>) {
        const bool is_of_kind = number > 0 && part.kind == parts_[number - 1].kind;
        const auto of = [&](std::size_t other) { return memory.subspan(other * memory_size, memory_size); };
        effect =
            K::effect(shared.params, now, cached(shared.params, now, of(number), of(number - (is_of_kind ? 1 : 0))));
      } else {
        effect = K::effect(shared.params, now);
      }
      const auto done = numbers_in(effect);
      for (std::size_t k = 0; k < effect_count; ++k) sinks[part.sinks[k]] += done[k];
    }
  }

  bool follows_power() const override { return is_behind_power; }

  void differentiate_parts(std::span<const double> signals, JacobianSink& jacobian) const {
    for (const Placed& part : parts_) {
      const Shared& shared = shared_[part.kind];
      const Now now = gather(part, shared, signals);
      double cached_number = 0.0;
      if constexpr (CachesNumber<K>) cached_number = K::cached(shared.params, K::cached_from(now));
      [&]<std::size_t... i>(std::index_sequence<i...>) {
        (difference<i>(part, shared.params, numbers_in(now), cached_number, jacobian), ...);
      }
      (std::make_index_sequence<now_count>());
    }
  }

  /// A kind that costs enough, and whose parts often see the same: one that sees what the one before it saw, to the bit, takes
  /// over what that did.
  static constexpr bool is_often_alike = requires { requires K::is_often_alike; };
  static constexpr bool is_behind_power = part_checks::follows_power<K>();
  static constexpr auto changes = noticeable_changes<K>();
  using Numbers = std::array<double, now_count>;
  using Given = std::array<double, now_count>;  ///< [number of Now] its value; 0 where it is a signal
  using Done = std::array<double, effect_count>;

  static constexpr std::size_t signal_count = place_of<K>(now_count);

  /// What parts have in common: they share one place.
  struct Shared {
    Params params;
    Given given;
  };

  /// A part as loops over all of them want it: small.
  struct Placed {
    std::uint32_t kind;  ///< in `shared_`
    std::array<std::uint32_t, signal_count> signals;
    std::array<std::uint32_t, effect_count> sinks;
  };

  template <std::size_t i>
  static void connect(double seen, [[maybe_unused]] Placed& placed, [[maybe_unused]] Given& given) {
    if constexpr (is_given<K>(i)) {
      given[i] = seen;
    } else {
      constexpr std::size_t place = place_of<K>(i);
      placed.signals[place] = static_cast<std::uint32_t>(seen);
    }
  }

  std::uint32_t number_of(const Shared& shared) {
    const auto known = std::find_if(shared_.begin(), shared_.end(), [&](const Shared& other) {
      return std::memcmp(&other.params, &shared.params, sizeof(Params)) == 0 && other.given == shared.given;
    });
    const auto number = static_cast<std::uint32_t>(known - shared_.begin());
    if (known == shared_.end()) shared_.push_back(shared);
    return number;
  }

  /// By braces, number by number: `bit_cast` to `Now` keeps loops from being vectorised. In line, so that only what is read is
  /// gathered.
  [[gnu::always_inline]] static Now gather(const Placed& part, const Shared& shared, std::span<const double> signals) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) __attribute__((always_inline)) {
      return Now{number<i>(part, shared, signals)...};
    }
    (std::make_index_sequence<now_count>());
  }
  using OfNow = double (*)(const Params&, const Now&);
  double now_of(std::size_t part, OfNow of_now, const ReadPlant& from) const {
    const Shared& shared = shared_[parts_[part].kind];
    return of_now(shared.params, gather(parts_[part], shared, from.signals));
  }
  template <std::size_t i>
  [[gnu::always_inline]] static double number(const Placed& part, const Shared& shared,
                                              std::span<const double> signals) {
    return number_at<i>(part, shared, [signals](std::size_t signal) { return signals[signal]; });
  }
  template <std::size_t i, class At>
  static double number_at(const Placed& part, [[maybe_unused]] const Shared& shared, [[maybe_unused]] const At& at) {
    if constexpr (is_given<K>(i)) {
      return shared.given[i];
    } else {
      constexpr std::size_t place = place_of<K>(i);
      return at(part.signals[place]);
    }
  }
  static Now now_of(const Numbers& numbers) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) { return Now{numbers[i]...}; }
    (std::make_index_sequence<now_count>());
  }

  /// The numbers that `cached` read last, and its result.
  static constexpr auto remembered = cached_signals<K>();
  static constexpr std::size_t memory_size = remembered.size() + 1;
  static constexpr double nothing_yet = std::numeric_limits<double>::quiet_NaN();  ///< equals nothing

  /// The cached number: the remembered one if the numbers that it reads are the same to the bit, by this part or by one with the same parameters before it.
  static double cached(const Params& params, const Now& now, std::span<double> memory, std::span<const double> before) {
    const auto numbers = numbers_in(now);
    const auto is_same = [&](std::span<const double> known) {
      bool same = true;
      for (std::size_t k = 0; k < remembered.size(); ++k) same = same && known[k] == numbers[remembered[k]];
      return same;
    };
    if (is_same(memory)) return memory.back();
    const double found = is_same(before) ? before.back() : K::cached(params, K::cached_from(now));
    for (std::size_t k = 0; k < remembered.size(); ++k) memory[k] = numbers[remembered[k]];
    return memory.back() = found;
  }

  /// Calls what is given for a number below `count`, which is then known when compiling: of a column only what it reads is
  /// gathered.
  template <std::size_t count, class Visit>
  static void visit([[maybe_unused]] std::size_t number, [[maybe_unused]] const Visit& visit_one) {
    [&]<std::size_t... n>(std::index_sequence<n...>) {
      ((n == number ? visit_one.template operator()<n>() : void()), ...);
    }
    (std::make_index_sequence<count>());
  }

  /// What a column reports; behind the columns, what is watched.
  template <std::size_t number>
  static consteval auto expression() {
    if constexpr (number < column_count) {
      return K::columns()[number].value;
    } else {
      return K::watched()[number - column_count].value;
    }
  }

  template <std::size_t number>
  double value(std::size_t part, const ReadPlant& from) const {
    constexpr auto reported = expression<number>();
    const Placed& placed = parts_[part];
    const Shared& shared = shared_[placed.kind];
    const Now now = gather(placed, shared, from.signals);
    const Shown shown = gather_shown(part, from.signals);
    return reported({shared.params, now, shown, drawn_w(placed, from.sinks)});
  }

  Shown gather_shown([[maybe_unused]] std::size_t part, [[maybe_unused]] std::span<const double> signals) const {
    return [&]<std::size_t... i>(std::index_sequence<i...>) { return Shown{signals[shown_[part][i]]...}; }
    (std::make_index_sequence<shown_count>());
  }

  /// What its motor draws.
  static double drawn_w([[maybe_unused]] const Placed& part, [[maybe_unused]] std::span<const double> sinks) {
    constexpr std::size_t number = drawn_number<K>();
    if constexpr (number < effect_count) return sinks[part.sinks[number]];
    return 0.0;
  }

  static constexpr double relative_step_ratio = 1e-3;

  template <std::size_t i>
  static void difference(const Placed& part, const Params& params, Numbers numbers, double cached_number,
                         JacobianSink& jacobian) {
    if constexpr (!is_given<K>(i) && !is_decided_elsewhere<K>(i)) {
      constexpr double step = changes[i] * relative_step_ratio;
      constexpr std::size_t place = place_of<K>(i);
      const double kept = numbers[i];
      numbers[i] = kept + step;
      const Done above = done_near<i>(params, numbers, cached_number);
      numbers[i] = kept - step;
      const Done below = done_near<i>(params, numbers, cached_number);
      for (std::size_t k = 0; k < effect_count; ++k) {
        jacobian.add(part.sinks[k], part.signals[place], (above[k] - below[k]) / (2.0 * step));
      }
    }
  }

  /// What is done where number `changed` alone is another than that for which `cached_number` was computed.
  template <std::size_t changed>
  static Done done_near(const Params& params, const Numbers& numbers, [[maybe_unused]] double cached_number) {
    if constexpr (CachesNumber<K> && !is_read_by_cached<K>(changed)) {
      return numbers_in(K::effect(params, now_of(numbers), cached_number));
    } else {
      return numbers_in(effect_of<K>(params, now_of(numbers)));
    }
  }

  std::vector<Shared> shared_;
  std::vector<Placed> parts_;
  std::vector<std::string> names_;                             ///< [part] of kinds with columns
  std::vector<std::array<std::uint32_t, shown_count>> shown_;  ///< the same: signals
};

}  // namespace wattloop::twin
