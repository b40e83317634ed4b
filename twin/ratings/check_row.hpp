// A row of `wattloop check`: a value at nameplate load, the limit that it may not pass, how near it comes, with what out, at which hour
// of the run, and what would help. The text on the terminal, JSON and the warnings are made from these rows alone; a check of another
// kind adds rows to the same list.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parts/endurance.hpp"
#include "core/parts/limit.hpp"

namespace wattloop::twin {

struct CheckRow {
  /// What the limit is: a rating, a limit of a part, a set-point that is not met, the power of racks.
  enum class Kind { rating, limit, set_point, power };
  static constexpr double rounding = 1e-6;

  Kind kind = Kind::rating;
  std::string of = {};         ///< parts that share the row: "cdu", "racks of nvl"
  std::string name = {};       ///< the one of them that is nearest to its limit: "cdu_2 of 12"
  std::string quantity = {};   ///< "heat of the racks of its loop", "inlet_air_temperature"
  std::string why = {};        ///< what the limit is: "its rating", "hotter than the maker of the nodes allows"
  std::string_view unit = {};  ///< of value and limit, SI
  Side side = Side::above;
  Beyond beyond = Beyond::log;
  double value = 0.0;
  double limit = 0.0;
  std::string out = "nothing";             ///< "cdu_1"
  std::optional<double> nothing_out = {};  ///< the value with nothing out, where that was found
  std::optional<double> hour_s = {};       ///< of the run, whose weather decides; none where no part feels it
  double trips_after_s = for_ever_s;       ///< of a rating, at that load
  int sharing = 1;                         ///< of a rating: machines at work that share the load
  std::string starved_by = {};  ///< of a rating: "condenser water of 52.6 degC", which leaves next to nothing of it
  std::string note = {};        ///< behind the sentence: ", with a dry bulb of 35 degC outside"
  std::string remedy = {};      ///< what would lift it: "1 more CDU in its loop"
  std::vector<std::string> alike = {};  ///< names of others that do not meet it either

  /// What is left, in the unit of the row; negative beyond the limit.
  double margin() const { return side == Side::above ? limit - value : value - limit; }

  /// The same as a share, by which rows are ranked: of a temperature, of 50 K; of all else, of the limit.
  double margin_fraction() const;

  bool is_met() const;
};

/// "rating", "limit", "set_point", "power".
std::string_view name_of(CheckRow::Kind kind);

/// "breaker_a", "breaker_a (and 3 alike)".
std::string name_text(const CheckRow& row);

/// Whether its margin is smaller, as a share of its limit, by more than the searches of two outages, or two builds, differ.
bool is_nearer(const CheckRow& row, const CheckRow& than);

/// Keeps of the rows about the same limit the one that comes nearest to it, the first of equal ones. An outage has to bring it nearer by a thousandth
/// of the limit.
void keep_nearest(CheckRow found, bool is_with_nothing_out, std::vector<CheckRow>& rows);

/// Keeps of them the one that comes nearest to its limit, with the names of the others that are not met.
void keep_worst(CheckRow row, std::vector<CheckRow>& rows);

/// Rows in the order of their margins: those that are not met first, of these last machines starved by others that are not met either, then
/// racks without power, which no load decides.
void rank(std::vector<CheckRow>& rows);

/// Of limits of one quantity of the same parts the nearest: freezing is behind "colder than its properties are known". Others that
/// are not met are named in it. A limit with the same numbers is left out. Keeps the order.
std::vector<CheckRow> one_of_each(const std::vector<CheckRow>& ranked);

/// A sentence for a row: "with cdu_1 out, cdu_2 of 3 must carry ...".
std::string row_text(const CheckRow& row);

/// "12 %", "4.0 K"; "over 10 times" where a rating is of another order.
std::string margin_text(const CheckRow& row);

}  // namespace wattloop::twin
