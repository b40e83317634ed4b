// Limits that parts went beyond, of parts that are alike one row.

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/tables/local_time.hpp"
#include "core/text/quoted_text.hpp"
#include "core/units/units.hpp"
#include "twin/drawings/names/display_name.hpp"
#include "twin/plant/state/limit_words.hpp"
#include "twin/report/run/limits_with_records.hpp"
#include "twin/report/run/run_tables.hpp"

namespace wattloop::twin {

namespace {

/// "row_#.rack_#" of "row_1.rack_12".
std::string kind_of(const std::string& name) {
  std::string kind;
  for (const char letter : name) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(letter)) != 0;
    if (!is_digit)
      kind += letter;
    else if (!kind.ends_with('#'))
      kind += '#';
  }
  return kind;
}

struct LikeLimits {
  std::vector<const LimitRecord*> records{};

  bool takes(const LimitRecord& record) const {
    const LimitRecord& first = *records.front();
    return kind_of(first.part) == kind_of(record.part) && first.quantity == record.quantity &&
           first.limit == record.limit && first.beyond == record.beyond &&
           (first.worst > first.limit) == (record.worst > record.limit);
  }
};

double beyond_of(const LimitRecord* record) { return std::abs(record->worst - record->limit); }

std::string row_of(const LikeLimits& like, const std::string& start_iso) {
  const LimitRecord& worst = **std::ranges::max_element(like.records, {}, beyond_of);
  const auto by_first = [](const LimitRecord* record) { return record->first_time_s; };
  const auto by_duration = [](const LimitRecord* record) { return record->duration_s; };
  const double first_s = by_first(*std::ranges::min_element(like.records, {}, by_first)),
               longest_s = by_duration(*std::ranges::max_element(like.records, {}, by_duration));
  std::vector<std::string> names;
  for (const LimitRecord* record : like.records) names.push_back(record->part);
  std::string quantity = worst.quantity;
  std::ranges::replace(quantity, '_', ' ');
  const bool is_alone = names.size() == 1;
  const ValueAndLimit shown = value_and_limit(worst.worst, worst.limit, worst.unit);
  const std::string of_worst = is_alone ? "" : ", " + display_name(worst.part);
  return fmt::format(
      "<tr><td>{}{}</td><td>{}</td><td>{}</td><td>{} at {}{}</td><td>{}</td><td>{}{}</td><td>{}</td></tr>\n",
      page_text(display_names(names)), is_alone ? "" : fmt::format(" ({} parts)", names.size()), page_text(quantity),
      shown.limit, shown.value, instant_text(start_iso, worst.worst_time_s), page_text(of_worst),
      instant_text(start_iso, first_s), is_alone ? "" : "at most ", format_quantity(longest_s, "s"),
      worst.beyond == "log" ? "it is recorded only" : page_text(worst.beyond));
}

}  // namespace

std::string limits_table(const ResultsReader& results) {
  const std::vector<LimitRecord> limits = limits_with_records(results);
  if (limits.empty()) return "<p>No limit of a part was exceeded.</p>";
  std::vector<LikeLimits> all;
  for (const LimitRecord& record : limits) {
    auto like = std::ranges::find_if(all, [&](const LikeLimits& one) { return one.takes(record); });
    if (like == all.end()) like = all.insert(all.end(), LikeLimits{});
    like->records.push_back(&record);
  }
  std::string rows;
  for (const LikeLimits& like : all) rows += row_of(like, results.start_iso());
  return "<table><tr><th>part</th><th>quantity</th><th>limit</th><th>worst</th><th>first beyond at</th><th>beyond "
         "for</th>"
         "<th>what happens there</th></tr>\n" +
         rows +
         "</table>\n<p>Temperatures at which firmware slows nodes down or switches them off are not in this table: "
         "What "
         "happened lists these events.</p>";
}

}  // namespace wattloop::twin
