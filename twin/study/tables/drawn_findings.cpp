#include "twin/study/tables/drawn_findings.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace wattloop::twin {

namespace {

using Kind = TableColumn::Kind;
using Json = nlohmann::ordered_json;

std::vector<double> sorted_values(const StudyTable& table, std::size_t column) {
  std::vector<double> values;
  for (const StudyRow& row : table.rows) {
    const double value = number_of(row.cells[column]);
    if (std::isfinite(value)) values.push_back(value);
  }
  std::ranges::sort(values);
  return values;
}

FigureBand band_of(const StudyTable& table, std::size_t column) {
  const std::vector<double> values = sorted_values(table, column);
  FigureBand band{.column = column, .count = values.size()};
  if (values.empty()) return band;
  band.low = percentile(values, band_low);
  band.median = percentile(values, band_middle);
  band.high = percentile(values, band_high);
  return band;
}

LimitChance chance_of(const StudyTable& table, std::size_t column) {
  LimitChance chance{.column = column};
  for (const StudyRow& row : table.rows) {
    if (row.cells[column].empty()) continue;
    ++chance.count;
    chance.violating += row.cells[column] == "violated" ? 1 : 0;
  }
  if (chance.count > 0) chance.share = share_of_draws(chance.violating, chance.count);
  return chance;
}

std::string percent(double share) { return fmt::format("{:.1f}", 100.0 * share); }

Json json_of(const Estimate& estimate) {
  const auto end = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  return {{"value", estimate.value}, {"low", end(estimate.low)}, {"high", end(estimate.high)}};
}

}  // namespace

std::optional<DrawnFindings> drawn_findings(const StudyTable& table) {
  if (!table.is_drawn) return std::nullopt;
  DrawnFindings found{.draws = table.rows.size()};
  for (const StudyRow& row : table.rows) found.without_answer += row.exit_code != 0 ? 1 : 0;
  if (found.draws == found.without_answer) return std::nullopt;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const TableColumn& column = table.columns[c];
    if (column.kind == Kind::number && !column.is_change) found.bands.push_back(band_of(table, c));
    if (column.kind == Kind::verdict) found.chances.push_back(chance_of(table, c));
  }
  return found;
}

std::vector<std::string> drawn_caveats(const DrawnFindings& findings) {
  std::vector<std::string> caveats;
  if (findings.without_answer > 0)
    caveats.push_back(
        fmt::format("{} of {} draws have no answer and are left out: these statistics describe the other draws",
                    findings.without_answer, findings.draws));
  std::size_t fewest = findings.draws - findings.without_answer;
  for (const FigureBand& band : findings.bands) {
    if (band.count > 0) fewest = std::min(fewest, band.count);
  }
  if (fewest < draws_needed(band_high))
    caveats.push_back(fmt::format("{} draws are too few for the ends of a 90 % band: {} or more draws are needed",
                                  fewest, draws_needed(band_high)));
  return caveats;
}

BandText::BandText(const FigureBand& band) {
  const double width = band.high.value - band.low.value;
  decimals_ = width > 0.0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(width))), 0, 12) : 6;
}

std::string BandText::number(double value) const {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, decimals_) : "open";
}

std::string BandText::between(const Estimate& estimate) const {
  return fmt::format("{}..{}", number(estimate.low), number(estimate.high));
}

std::string chance_text(const LimitChance& chance) {
  return fmt::format("violated in {} of {} draws: {} %, with 90 % confidence {} to {} %", chance.violating,
                     chance.count, percent(chance.share.value), percent(chance.share.low), percent(chance.share.high));
}

std::string drawn_text(const StudyTable& table, const DrawnFindings& findings) {
  const auto name_of = [&](const FigureBand& band) {
    const TableColumn& column = table.columns[band.column];
    return column.unit.empty() || column.unit == "1" ? column.name : column.name + " " + column.unit;
  };
  std::size_t width = 12;
  for (const FigureBand& band : findings.bands) width = std::max(width, name_of(band).size());
  std::string text = fmt::format("\n  {:<{}} {:>16} {:>16} {:>16}\n",
                                 fmt::format("{} draws", findings.draws - findings.without_answer), width, "5 % below",
                                 "median", "95 % below");
  for (const FigureBand& band : findings.bands) {
    text += fmt::format("  {:<{}}", name_of(band), width);
    if (band.count == 0) {
      text += fmt::format(" {:>16}\n", "n/a");
      continue;
    }
    const BandText shown(band);
    for (const Estimate* one : {&band.low, &band.median, &band.high})
      text += fmt::format(" {:>16}", shown.number(one->value));
    text += fmt::format("\n  {:<{}}", "", width);
    for (const Estimate* one : {&band.low, &band.median, &band.high})
      text += fmt::format(" {:>16}", shown.between(*one));
    text += "\n";
  }
  if (!findings.bands.empty()) text += "  below each figure: where it is with 90 % confidence\n";
  for (const LimitChance& chance : findings.chances) {
    if (chance.count > 0) text += fmt::format("  {}\n    {}\n", table.columns[chance.column].name, chance_text(chance));
  }
  for (const std::string& caveat : drawn_caveats(findings)) text += "  " + caveat + "\n";
  return text;
}

std::string drawn_json(const StudyTable& table, const DrawnFindings& findings) {
  Json json{{"draws", findings.draws}, {"without_answer", findings.without_answer}, {"confidence", confidence}};
  json["figures"] = Json::object();
  for (const FigureBand& band : findings.bands) {
    const TableColumn& column = table.columns[band.column];
    Json figure{{"unit", column.unit}, {"count", band.count}};
    if (band.count > 0) {
      figure["percentile_5"] = json_of(band.low);
      figure["median"] = json_of(band.median);
      figure["percentile_95"] = json_of(band.high);
    }
    json["figures"][column.name] = std::move(figure);
  }
  json["limits"] = Json::array();
  for (const LimitChance& chance : findings.chances) {
    if (chance.count > 0)
      json["limits"].push_back({{"limit", table.columns[chance.column].name},
                                {"violating", chance.violating},
                                {"count", chance.count},
                                {"share_violating", json_of(chance.share)}});
  }
  json["caveats"] = drawn_caveats(findings);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

namespace {

void write_percentiles(const StudyTable& table, const DrawnFindings& findings, Hdf5Writer& file) {
  const std::string group = "percentiles";
  const auto put = [&](const std::string& name, const std::string& long_name, const std::string& unit,
                       const std::array<double, 3>& values) {
    const std::size_t number = file.add({.group = group,
                                         .name = name,
                                         .type = Hdf5Type::float64,
                                         .dimensions = {{"percentile", values.size()}},
                                         .attributes = {{"long_name", long_name}, {"units", unit}}});
    file.write(number, 0, std::span<const double>(values));
  };
  put("percentile", "how many of a hundred are below", "%", {100.0 * band_low, 100.0 * band_middle, 100.0 * band_high});
  for (const FigureBand& band : findings.bands) {
    const TableColumn& column = table.columns[band.column];
    if (band.count == 0 || column.name == "percentile") continue;
    put(column.name, column.long_name, column.unit, {band.low.value, band.median.value, band.high.value});
    put(column.name + "_low", "where it is at least, with 90 % confidence", column.unit,
        {band.low.low, band.median.low, band.high.low});
    put(column.name + "_high", "where it is at most, with 90 % confidence", column.unit,
        {band.low.high, band.median.high, band.high.high});
  }
}

void write_limit_shares(const StudyTable& table, const DrawnFindings& findings, Hdf5Writer& file) {
  std::vector<std::string> names;
  std::vector<double> shares, lows, highs;
  for (const LimitChance& chance : findings.chances) {
    if (chance.count == 0) continue;
    names.push_back(table.columns[chance.column].name);
    shares.push_back(chance.share.value);
    lows.push_back(chance.share.low);
    highs.push_back(chance.share.high);
  }
  if (names.empty()) return;
  const auto put = [&](const std::string& name, Hdf5Type type, const std::string& long_name, const Hdf5Values& values) {
    const std::size_t number = file.add({.group = "limit_shares",
                                         .name = name,
                                         .type = type,
                                         .dimensions = {{"limit", names.size()}},
                                         .attributes = {{"long_name", long_name}}});
    file.write(number, 0, values);
  };
  put("limit", Hdf5Type::text, "limit", std::span<const std::string>(names));
  put("violating", Hdf5Type::float64, "share of draws that pass it", std::span<const double>(shares));
  put("violating_low", Hdf5Type::float64, "at least, with 90 % confidence", std::span<const double>(lows));
  put("violating_high", Hdf5Type::float64, "at most, with 90 % confidence", std::span<const double>(highs));
}

}  // namespace

void write_drawn(const StudyTable& table, const DrawnFindings& findings, Hdf5Writer& file) {
  write_percentiles(table, findings, file);
  write_limit_shares(table, findings, file);
}

}  // namespace wattloop::twin
