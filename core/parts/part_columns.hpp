// What parts report: their table in the results file, its columns, their ratings, and their quantities in the summary of a run.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>

#include "core/parts/port.hpp"

namespace wattloop {

/// Whose interval of a scenario's `record:` a table keeps.
enum class RecordedWith { facility, racks };

/// The group of the results file that parts of a kind are reported in, and what one of them is called there. Several kinds may
/// share one, with the same columns.
struct PartTable {
  std::string_view group;  ///< "towers"
  std::string_view item;   ///< "tower"
  RecordedWith with = RecordedWith::facility;
};

/// Where drawings place a part: among the racks of a row, along the walls of a room, or outside.
enum class BoxPlace { row, room, yard };

/// The box that stands for a part in drawings: along the rows of the hall, across them and upwards. A kind of which something is
/// reported says how it is drawn, and where, or that it is not.
struct Box {
  double width_m, depth_m, height_m;
  BoxPlace place;

  constexpr bool is_drawn() const { return height_m > 0.0; }
};
inline constexpr Box not_drawn{0.0, 0.0, 0.0, BoxPlace::yard};

template <class K>
concept SaysHowItIsDrawn = requires {
  { K::box } -> std::convertible_to<Box>;
};

/// What only columns see of a part: a kind may say more in a struct `Shown` of its own.
struct NothingShown {};

template <class K>
struct ShownOf {
  using type = NothingShown;
};
template <class K>
requires requires { sizeof(typename K::Shown); }
struct ShownOf<K> {
  using type = typename K::Shown;
};

/// A part at one instant: what it sees, what only columns see, what it draws, W.
template <class K>
struct Instant {
  const typename K::Params& params;
  const typename K::Now& now;
  const typename ShownOf<K>::type& shown;
  double power_w;
};

/// One entry of `columns()`.
template <class K>
struct Column {
  std::string_view name;
  std::string_view unit;
  std::string_view text;
  double (*value)(const Instant<K>&);
  std::string_view numerator = {};  ///< of a ratio of two other columns that are means; empty: no ratio
  std::string_view denominator = {};
};

/// What equations see of a kind now; of what has none, nothing.
template <class K>
struct NowOf {
  struct type {};
};
template <class K>
requires requires { sizeof(typename K::Now); }
struct NowOf<K> {
  using type = typename K::Now;
};

/// What a part is rated for: a column, in W, and how much of it there may be.
template <class K>
struct Rating {
  std::string_view column;
  double (*rated_w)(const typename K::Params&);
  std::string_view carries = "its share of the load";  ///< in a table: what it must carry
  double (*left_w)(const typename K::Params&,
                   const typename NowOf<K>::type&) = nullptr;  ///< what now leaves of it; none: all
  double (*load_w)(const typename K::Params&,
                   const typename NowOf<K>::type&) = nullptr;  ///< instead of the column: without what is stored
};

/// A speed or position as it is reported: integrators overshoot its ends by rounding.
constexpr double reported_fraction(double state) noexcept { return std::clamp(state, 0.0, 1.0); }
/// A set-point is met while the controlled temperature is beyond it by no more than this.
inline constexpr double set_point_tolerance_k = 0.5;
/// What air or water leave of a rating counts as no less than this share of it, so that loadings are numbers where they leave nothing.
inline constexpr double smallest_left_fraction = 0.01;
/// What is left of a rating where a machine could move that much now.
constexpr double left_of(double rated_w, double able_w) noexcept {
  return std::clamp(able_w, smallest_left_fraction * rated_w, rated_w);
}

/// The same, erased.
struct RatedColumn {
  std::string_view column, carries;
  bool is_left_in_part = false;  ///< now may leave less than all of it
  bool has_own_load = false;     ///< beside that of the column
};

/// Where the summary of a run reports a quantity; those of one place stand in the order of the catalog.
enum class SummaryPlace { coolant_supply, coolant_return, water, aisles, rooms };

/// A line of the summary's text. Quantities with one label share it.
struct WatchedLine {
  enum class Shows { nothing, range, highest };

  Shows shows = Shows::nothing;
  std::string_view label = {};          ///< "room"; of parts reported each by itself their name
  std::string_view label_of_many = {};  ///< "rooms"; empty: the same
  std::string_view what = {};           ///< "supply", where a line reports several
};

/// How extremes of a quantity over a run, of all parts that have it, are reported.
struct WatchedAs {
  std::string_view name;  ///< "supply_temperature" gives a value "highest_supply_temperature"
  std::string_view unit;
  SummaryPlace place;
  // Texts of its values; empty: there is no such value.
  std::string_view lowest = {};
  std::string_view highest = {};
  std::string_view largest = {};  ///< magnitude
  WatchedLine line = {};
  /// Not empty: each part is reported by itself, and called so. "water": the part "facility" is "facility_water".
  std::string_view each_is_called = {};
};

/// One entry of `watched()`.
template <class K>
struct Watched {
  WatchedAs as;
  double (*value)(const Instant<K>&);
};

}  // namespace wattloop
