#include "twin/ratings/ranked_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/tables/local_time.hpp"
#include "core/units/units.hpp"
#include "twin/plant/state/limit_words.hpp"
#include "twin/ratings/nameplate_hall.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t reported_rows = 10;

std::string value_text(double value, const CheckRow& row) {
  if (row.kind == CheckRow::Kind::power) return fmt::format("{:.0f}", value);
  return row.kind == CheckRow::Kind::limit ? limit_words(value, row.unit) : format_quantity(value, row.unit);
}

std::string what_text(const CheckRow& row) {
  switch (row.kind) {
    case CheckRow::Kind::rating:
      return fmt::format("{}: {}{}", row.name, row.quantity,
                         row.starved_by.empty() ? "" : fmt::format("; {} leaves next to nothing", row.starved_by));
    case CheckRow::Kind::limit:
      return fmt::format("{}: {}, {}", name_text(row), row.quantity, row.why);
    case CheckRow::Kind::set_point:
      return fmt::format("{}: set-point", row.name);
    case CheckRow::Kind::power:
      return fmt::format("{}: power", row.name);
  }
  return {};
}

using Cells = std::array<std::string, 6>;

std::string table_text(const std::vector<Cells>& rows) {
  std::array<std::size_t, 6> width{};
  for (const Cells& row : rows) {
    for (std::size_t i = 0; i < width.size(); ++i) width[i] = std::max(width[i], row[i].size());
  }
  std::string text;
  for (const Cells& row : rows) {
    const std::string hour = width[4] == 0 ? "" : fmt::format("  {:<{}}", row[4], width[4]);
    text += fmt::format("{:>{}}  {:>{}}  {:>{}}  {:<{}}{}  {}\n", row[0], width[0], row[1], width[1], row[2], width[2],
                        row[3], width[3], hour, row[5]);
  }
  return text;
}

}  // namespace

std::string local_time_text(std::string_view start, double time_s) {
  return minute_text(time_after(parse_local_time(start).value_or(LocalTime{}), time_s));
}

std::string ranked_text(const std::vector<CheckRow>& ranked, std::string_view start, bool are_all) {
  const std::vector<CheckRow> rows = are_all ? ranked : one_of_each(ranked);
  const auto met = std::ranges::find_if(rows, [](const CheckRow& row) { return row.is_met(); });
  const auto unmet = static_cast<std::size_t>(met - rows.begin());
  const std::size_t reported = are_all ? rows.size() : std::min(rows.size(), std::max(reported_rows, unmet));
  const auto differs = [&](const CheckRow& row) { return row.hour_s != rows.front().hour_s; };
  const bool has_hours = std::ranges::any_of(rows, differs);
  std::vector<Cells> cells{{"margin", "value", "limit", "out", has_hours ? "hour" : "", "what is limited"}};
  for (std::size_t k = 0; k < reported; ++k) {
    const CheckRow& row = rows[k];
    cells.push_back({margin_text(row), value_text(row.value, row), value_text(row.limit, row),
                     row.out == Outage{}.text ? "-" : row.out,
                     has_hours && row.hour_s ? local_time_text(start, *row.hour_s) : "", what_text(row)});
  }
  std::string text = table_text(cells);
  const auto violated =
      static_cast<std::size_t>(std::ranges::count_if(ranked, [](const CheckRow& row) { return !row.is_met(); }));
  if (!are_all && violated > unmet)
    text += fmt::format("{} of {} violated limits shown, the worst of each kind: --all\n", unmet, violated);
  if (reported < rows.size())
    text += fmt::format("{} more limits with a margin of {} or more: --all\n", rows.size() - reported,
                        margin_text(rows[reported]));
  const CheckRow& first = rows.front();
  return text + fmt::format("\n{}: {}\n  to lift it: {}\n", first.is_met() ? "nearest to its limit" : "limits first",
                            row_text(first), first.remedy);
}

}  // namespace wattloop::twin
