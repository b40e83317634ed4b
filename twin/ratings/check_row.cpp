#include "twin/ratings/check_row.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/units/units.hpp"
#include "twin/plant/state/limit_words.hpp"
#include "twin/ratings/nameplate_hall.hpp"

namespace wattloop::twin {

namespace {

/// From outdoor air of 35 degC to a die at 87 degC, where its firmware throttles: what a hall has to give its heat away. An estimate; only
/// the order of rows depends on it.
constexpr double whole_way_k = 50.0;
constexpr double equal_k = 1e-3, equal_fraction = 1e-4;  ///< closer margins are equal: searches end within these
constexpr double least_shown_fraction = -9.0;            ///< beyond it a margin says no more than that it is one

bool has_share(const CheckRow& row) { return row.unit != "K" && row.limit != 0.0; }

/// By more than that share of its limit, and by more than margins that are equal differ.
bool is_nearer_by(double fraction, const CheckRow& row, const CheckRow& than) {
  if (!has_share(row) || !has_share(than))
    return row.margin() < than.margin() - std::max(row.unit == "K" ? equal_k : 0.0, fraction * std::abs(row.limit));
  return row.margin() / std::abs(row.limit) < than.margin() / std::abs(than.limit) - std::max(equal_fraction, fraction);
}

/// Not met with nothing out either.
std::string nothing_out_text(const CheckRow& row) {
  if (!row.nothing_out || row.out == Outage{}.text) return {};
  return fmt::format(", {} with nothing out", format_quantity(*row.nothing_out, row.unit));
}

std::string rating_text(const CheckRow& row) {
  if (!row.starved_by.empty())
    return fmt::format("{} must carry {} of {}, but {} leaves it next to nothing", row.name,
                       format_quantity(row.value, row.unit), row.quantity, row.starved_by);
  const std::string trips = row.trips_after_s < for_ever_s
                                ? fmt::format("; it would trip after {}", format_quantity(row.trips_after_s, "s"))
                                : "";
  return fmt::format("{} must carry {}, {}, with a rating of {}{}", row.name, row.quantity,
                     format_quantity(row.value, row.unit), format_quantity(row.limit, row.unit), trips);
}

std::string sentence(const CheckRow& row) {
  switch (row.kind) {
    case CheckRow::Kind::rating:
      return rating_text(row);
    case CheckRow::Kind::limit: {
      const ValueAndLimit shown = value_and_limit(row.value, row.limit, row.unit);
      return fmt::format("{}: {} {}, {}: {}", name_text(row), row.quantity, shown.value, row.why, shown.limit);
    }
    case CheckRow::Kind::set_point:
      return fmt::format("{} is at {}{}, its set-point is {}{}", row.name, format_quantity(row.value, row.unit),
                         nothing_out_text(row), format_quantity(row.limit, row.unit), row.note);
    case CheckRow::Kind::power:
      return fmt::format("{} {} no power", row.name, row.limit - row.value > 1.0 ? "have" : "has");
  }
  return {};
}

bool is_the_same_limit(const CheckRow& a, const CheckRow& b) {
  return a.kind == b.kind && a.of == b.of && a.why == b.why && a.side == b.side && a.beyond == b.beyond;
}

/// The coolant that leaves racks and comes to their loop, a machine and its loading.
bool is_the_same_number(const CheckRow& a, const CheckRow& b) {
  const auto are_equal = [](double x, double y) { return std::abs(x - y) <= CheckRow::rounding * std::abs(x); };
  return a.kind == b.kind && a.out == b.out && a.unit == b.unit && a.side == b.side && are_equal(a.value, b.value) &&
         are_equal(a.limit, b.limit);
}

bool is_about_the_same(const CheckRow& a, const CheckRow& b) {
  return a.kind == CheckRow::Kind::limit && b.kind == a.kind && a.of == b.of && a.quantity == b.quantity &&
         a.side == b.side;
}

}  // namespace

double CheckRow::margin_fraction() const {
  if (unit == "K") return margin() / whole_way_k;
  if (std::abs(margin()) <= rounding * std::abs(limit)) return 0.0;
  return limit == 0.0 ? std::copysign(std::numeric_limits<double>::infinity(), margin()) : margin() / std::abs(limit);
}

/// A machine with its fans at full speed carries just what it can.
bool CheckRow::is_met() const {
  return kind == Kind::rating ? margin_fraction() >= 0.0 && trips_after_s == for_ever_s : margin() >= 0.0;
}

std::string_view name_of(CheckRow::Kind kind) {
  switch (kind) {
    case CheckRow::Kind::rating:
      return "rating";
    case CheckRow::Kind::limit:
      return "limit";
    case CheckRow::Kind::set_point:
      return "set_point";
    case CheckRow::Kind::power:
      return "power";
  }
  return {};
}

std::string name_text(const CheckRow& row) {
  return row.alike.empty() ? row.name : fmt::format("{} (and {} alike)", row.name, row.alike.size());
}

bool is_nearer(const CheckRow& row, const CheckRow& than) { return is_nearer_by(0.0, row, than); }

void keep_nearest(CheckRow found, bool is_with_nothing_out, std::vector<CheckRow>& rows) {
  constexpr double reported_nearer_fraction = 1e-3;
  const auto known = std::ranges::find_if(rows, [&](const CheckRow& row) { return is_the_same_limit(row, found); });
  if (is_with_nothing_out) found.nothing_out = found.value;
  if (known == rows.end()) {
    rows.push_back(std::move(found));
    return;
  }
  const bool is_first_outage = !is_with_nothing_out && known->out == Outage{}.text;
  if (!is_nearer_by(is_first_outage ? reported_nearer_fraction : 0.0, found, *known)) return;
  if (!found.nothing_out) found.nothing_out = known->nothing_out;
  *known = std::move(found);
}

void keep_worst(CheckRow row, std::vector<CheckRow>& rows) {
  const auto known = std::ranges::find_if(rows, [&](const CheckRow& other) { return is_the_same_limit(row, other); });
  if (known == rows.end()) {
    rows.push_back(std::move(row));
    return;
  }
  if (is_nearer(row, *known)) {
    std::swap(row, *known);
    known->alike = std::move(row.alike);
  }
  if (!row.is_met()) known->alike.push_back(std::move(row.name));
}

void rank(std::vector<CheckRow>& rows) {
  const auto place = [](const CheckRow& row) {
    return std::tuple(row.is_met(), row.kind == CheckRow::Kind::power, !row.is_met() && !row.starved_by.empty(),
                      std::round(row.margin_fraction() / equal_fraction));
  };
  std::ranges::stable_sort(rows, {}, place);
}

std::vector<CheckRow> one_of_each(const std::vector<CheckRow>& ranked) {
  std::vector<CheckRow> rows;
  for (const CheckRow& row : ranked) {
    const auto nearest =
        std::ranges::find_if(rows, [&](const CheckRow& other) { return is_about_the_same(row, other); });
    const auto is_there = [&](const CheckRow& other) { return is_the_same_number(row, other); };
    if (nearest == rows.end()) {
      if (row.kind != CheckRow::Kind::limit || std::ranges::none_of(rows, is_there)) rows.push_back(row);
    } else if (!row.is_met()) {
      nearest->why += fmt::format("; beyond {} {}", limit_words(row.limit, row.unit), row.why);
    }
  }
  return rows;
}

std::string row_text(const CheckRow& row) { return with_out(row.out) + sentence(row); }

std::string margin_text(const CheckRow& row) {
  if (row.unit == "K") return fmt::format("{:.1f} K", row.margin());
  const double fraction = row.margin_fraction();
  return fraction < least_shown_fraction ? "over 10 times" : fmt::format("{:.0f} %", 100.0 * fraction);
}

}  // namespace wattloop::twin
