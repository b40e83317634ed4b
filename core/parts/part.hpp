// Parts: what stands in a hall and is known by name. A kind of part is one struct of static members: it sees one plain struct
// `Now` and does one plain struct `Effect`, both made of doubles alone; short tables say by member pointer what each member
// is. Nothing else knows its equations.
//
//   struct Now      State, and for each port what is seen there; readings and settings are single numbers
//   struct Effect   rate of the State, and for each port what is done there
//
// The order of a table does not matter, and `static_assert(Part<K>)` holds every number to be declared exactly once.
//
// A kind with `is_only_reported` has no equations: its `Now` is read, its columns are reported, and its `Effect`, if it has one, is
// the load that its power is read from.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/parts/field.hpp"
#include "core/parts/limit.hpp"
#include "core/parts/part_columns.hpp"
#include "core/parts/port.hpp"
#include "core/parts/unit_model.hpp"

namespace wattloop {

/// One entry of `states()`.
template <class K>
struct StateOf {
  std::size_t number;
  StateInfo info;

  constexpr StateOf(double K::State::*member, const StateInfo& info_) : number(numbers_of(member).first), info(info_) {}
};

/// Not for compilers to call: their message names it.
void no_state_declares_this_member();

/// What `states()` says of a state.
template <class K>
consteval StateInfo state_info(double K::State::*member) {
  for (const StateOf<K>& state : K::states()) {
    if (state.number == numbers_of(member).first) return state.info;
  }
  no_state_declares_this_member();
  return {};
}

/// The values from which searches start.
template <class K>
constexpr typename K::State typical_state() {
  std::array<double, number_count<typename K::State>> typical{};
  for (const StateOf<K>& state : K::states()) typical[state.number] = state.info.typical;
  return std::bit_cast<typename K::State>(typical);
}

/// One entry of `settings()`: a number that events move.
template <class K>
struct Setting {
  std::size_t number;
  std::string_view name;
  std::string_view unit;
  Range range;
  std::string_view doc;       ///< of kinds that a scenario may name under `parts`
  bool is_of_system = false;  ///< not its own: that of the system whose water it makes

  constexpr Setting(double K::Now::*member, std::string_view name_, std::string_view unit_, Range range_ = Range::any,
                    std::string_view doc_ = {})
      : number(numbers_of(member).first), name(name_), unit(unit_), range(range_), doc(doc_) {}

  constexpr Setting of_system() const {
    Setting setting = *this;
    setting.is_of_system = true;
    return setting;
  }
};

/// What `settings()` says of a number; throws std::logic_error for one that is no setting.
template <class K>
constexpr Setting<K> setting_info(double K::Now::*member) {
  for (const Setting<K>& setting : K::settings()) {
    if (setting.number == numbers_of(member).first) return setting;
  }
  throw std::logic_error("no setting of kind '" + std::string(K::kind) + "'");
}

template <class K>
concept HasState = requires {
  sizeof(typename K::State);
};

template <class K>
concept HasSettings = requires {
  K::settings();
};

template <class K>
concept HasTable = requires {
  K::table;
};

/// A kind of which something is reported in results: `table`, `columns()`, where it has a rating `ratings()`, and `watched()`
/// where the summary reports it.
template <class K>
concept HasColumns = HasTable<K> && requires {
  K::columns();
};

template <class K>
concept HasRatings = requires {
  K::ratings();
};

template <class K>
concept HasWatched = requires {
  K::watched();
};

/// A kind without equations.
template <class K>
concept OnlyReported = requires {
  requires K::is_only_reported;
};

/// A kind with an expensive number, `cached(params, cached_from(now))`, that follows from a few others alone: from flows, which mostly
/// stay the same. `effect` takes it as its third argument.
template <class K>
concept CachesNumber = requires(const typename K::Params& params, const typename K::Now& now) {
  { K::cached(params, K::cached_from(now)) }
  noexcept->std::same_as<double>;
  { K::effect(params, now, 0.0) }
  noexcept->std::same_as<typename K::Effect>;
};

template <class K>
concept HasPlainEffect = requires(const typename K::Params& params, const typename K::Now& now) {
  { K::effect(params, now) }
  noexcept->std::same_as<typename K::Effect>;
};

/// The effect of a part, whether or not its kind caches a number.
template <class K>
constexpr typename K::Effect effect_of(const typename K::Params& params, const typename K::Now& now) noexcept {
  if constexpr (CachesNumber<K>) {
    return K::effect(params, now, K::cached(params, K::cached_from(now)));
  } else {
    return K::effect(params, now);
  }
}

// What `static_assert(Part<K>)` asks; the compiler reports the name of what does not hold.

/// Only doubles, by themselves or in structs.
template <class S>
concept MadeOfDoubles =
    std::is_trivially_copyable_v<S> &&(std::is_empty_v<S> || sizeof(S) % sizeof(double) == 0) && requires {
  numbered<S>();
};

/// No member has a default, so that the compiler warns where one is forgotten.
template <class S>
inline constexpr bool has_no_defaults = std::is_trivially_default_constructible_v<S>;

namespace part_checks {

template <std::size_t size>
constexpr void count(std::array<int, size>& times, const Numbers& numbers) {
  for (std::size_t i = 0; i < numbers.count; ++i) ++times[numbers.first + i];
}

template <std::size_t size>
constexpr bool are_all_one(const std::array<int, size>& times) {
  for (const int n : times) {
    if (n != 1) return false;
  }
  return true;
}

template <class K>
constexpr bool is_each_state_declared_once() {
  if constexpr (HasState<K>) {
    std::array<int, number_count<typename K::State>> times{};
    for (const auto& state : K::states()) ++times[state.number];
    return are_all_one(times);
  }
  return true;
}

template <class K>
constexpr bool is_each_number_seen_declared_once() {
  std::array<int, number_count<typename K::Now>> times{};
  if constexpr (HasState<K>) count(times, numbers_of(&K::Now::state));
  for (const auto& port : K::ports()) count(times, port.seen);
  if constexpr (HasSettings<K>) {
    for (const auto& setting : K::settings()) ++times[setting.number];
  }
  return are_all_one(times);
}

template <class K>
constexpr bool is_each_number_done_declared_once() {
  std::array<int, number_count<typename EffectOf<K>::type>> times{};
  if constexpr (HasState<K>) count(times, numbers_of(&K::Effect::rate));
  for (const auto& port : K::ports()) count(times, port.done);
  return are_all_one(times);
}

template <class K>
constexpr bool is_each_name_there_once() {
  const auto ports = K::ports();
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (ports[i].name.empty()) return false;
    for (std::size_t k = 0; k < i; ++k) {
      if (ports[i].name == ports[k].name) return false;
    }
  }
  return true;
}

template <class K>
constexpr bool has_each_unit_a_noticeable_change() {
  for (const auto& port : K::ports()) {
    if (port.medium == PortMedium::reading && port.changes[0] == 0.0) return false;
  }
  if constexpr (HasState<K>) {
    for (const auto& state : K::states()) {
      if (noticeable_change(state.info.unit) == 0.0) return false;
    }
  }
  if constexpr (HasSettings<K>) {
    for (const auto& setting : K::settings()) {
      if (noticeable_change(setting.unit) == 0.0) return false;
    }
  }
  return true;
}

/// Whether the kind sees what the power tree makes of the loads.
template <class K>
constexpr bool follows_power() {
  for (const auto& port : K::ports()) {
    if (port.follows_power) return true;
  }
  return false;
}

/// The tree has to know all loads before power is known.
template <class K>
constexpr bool is_no_power_drawn_where_power_is_seen() {
  for (const auto& port : K::ports()) {
    if (port.medium == PortMedium::electric && port.done.count > 0 && follows_power<K>()) return false;
  }
  return true;
}

template <class K>
constexpr bool is_state_the_same_in_now_and_effect() {
  if constexpr (HasState<K>) {
    return std::is_same_v<decltype(K::Now::state), typename K::State> &&
           std::is_same_v<decltype(K::Effect::rate), typename K::State>;
  }
  return true;
}

/// A kind that reports anything has a table with columns.
template <class K>
constexpr bool has_table_and_columns_or_neither() {
  constexpr bool has_columns = requires { K::columns(); };
  constexpr bool reports_more = HasRatings<K> || HasWatched<K> || HasLimits<K> || requires {
    sizeof(typename K::Shown);
  };
  return HasTable<K> == has_columns && (has_columns || !reports_more);
}

template <class K>
constexpr bool is_each_column_named_once_with_unit_and_text() {
  if constexpr (HasColumns<K>) {
    const auto columns = K::columns();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].name.empty() || columns[i].unit.empty() || columns[i].text.empty()) return false;
      for (std::size_t k = 0; k < i; ++k) {
        if (columns[i].name == columns[k].name) return false;
      }
    }
  }
  return true;
}

template <class K>
constexpr bool is_each_rating_for_a_column_in_watts() {
  if constexpr (HasRatings<K>) {
    for (const auto& rating : K::ratings()) {
      bool is_there = false;
      for (const auto& column : K::columns())
        is_there = is_there || (column.name == rating.column && column.unit == "W");
      if (!is_there) return false;
    }
  }
  return true;
}

template <class K>
constexpr bool is_each_watched_named_once_with_unit_and_reported() {
  if constexpr (HasWatched<K>) {
    const auto all = K::watched();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const WatchedAs& as = all[i].as;
      const bool has_value = !as.lowest.empty() || !as.highest.empty() || !as.largest.empty();
      const bool has_line = as.line.shows != WatchedLine::Shows::nothing;
      if (as.name.empty() || as.unit.empty() || (!has_value && !has_line)) return false;
      if (has_line && as.line.label.empty() == as.each_is_called.empty()) return false;
      for (std::size_t k = 0; k < i; ++k) {
        if (as.name == all[k].as.name) return false;
      }
    }
  }
  return true;
}

/// Readings, and one load at most; a table, and no states, settings or equations.
template <class K>
constexpr bool does_nothing_where_only_reported() {
  if constexpr (OnlyReported<K>) {
    std::size_t loads = 0;
    for (const auto& port : K::ports()) {
      const bool is_load = port.medium == PortMedium::electric && port.seen.count == 0;
      if (port.medium != PortMedium::reading && !is_load) return false;
      loads += is_load ? 1 : 0;
    }
    return loads <= 1 && HasColumns<K> && !HasState<K> && !HasSettings<K> && !CachesNumber<K> && !HasPlainEffect<K>;
  }
  return true;
}

}  // namespace part_checks

template <class K>
concept NamesItself = requires {
  { K::kind } -> std::convertible_to<std::string_view>;
  { K::doc } -> std::convertible_to<std::string_view>;
};
template <class K>
concept DeclaresEachStateOnce = part_checks::is_each_state_declared_once<K>();
template <class K>
concept HasStateInNowAndRateInEffect = part_checks::is_state_the_same_in_now_and_effect<K>();
template <class K>
concept DeclaresEachNumberSeenOnce = part_checks::is_each_number_seen_declared_once<K>();
template <class K>
concept DeclaresEachNumberDoneOnce = part_checks::is_each_number_done_declared_once<K>();
template <class K>
concept NamesEachPortOnce = part_checks::is_each_name_there_once<K>();
template <class K>
concept HasUnitsWithNoticeableChange = part_checks::has_each_unit_a_noticeable_change<K>();
template <class K>
concept HasTableAndColumnsOrNeither = part_checks::has_table_and_columns_or_neither<K>();
template <class K>
concept SaysWhatItsColumnsAre = part_checks::is_each_column_named_once_with_unit_and_text<K>();
template <class K>
concept RatesColumnsInWatts = part_checks::is_each_rating_for_a_column_in_watts<K>();
template <class K>
concept DrawsNoPowerWhereItSeesPower = part_checks::is_no_power_drawn_where_power_is_seen<K>();
template <class K>
concept SaysHowWatchedIsReported = part_checks::is_each_watched_named_once_with_unit_and_reported<K>();
template <class K>
concept SaysHowItIsDrawnIfReported = !HasTable<K> || SaysHowItIsDrawn<K>;
template <class K>
concept DoesNothingWhereOnlyReported = part_checks::does_nothing_where_only_reported<K>();
template <class K>
concept GivesItsEffect = OnlyReported<K> || CachesNumber<K> || HasPlainEffect<K>;

/// A kind of part.
template <class K>
concept Part = NamesItself<K> && std::is_trivially_copyable_v<typename K::Params> && MadeOfDoubles<typename K::Now> &&
    MadeOfDoubles<typename EffectOf<K>::type> && has_no_defaults<typename K::Now> &&
    has_no_defaults<typename EffectOf<K>::type> && HasStateInNowAndRateInEffect<K> && DeclaresEachStateOnce<K> &&
    DeclaresEachNumberSeenOnce<K> && DeclaresEachNumberDoneOnce<K> && NamesEachPortOnce<K> &&
    HasUnitsWithNoticeableChange<K> && DrawsNoPowerWhereItSeesPower<K> && HasTableAndColumnsOrNeither<K> &&
    SaysWhatItsColumnsAre<K> && RatesColumnsInWatts<K> && SaysHowWatchedIsReported<K> &&
    SaysHowItIsDrawnIfReported<K> && LimitsColumnsOnce<K> && ReportsOrStopsBeyondLimits<K> &&
    DoesNothingWhereOnlyReported<K> && GivesItsEffect<K>;

}  // namespace wattloop
