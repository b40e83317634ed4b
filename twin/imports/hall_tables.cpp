#include "twin/imports/hall_tables.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/tables/csv_table.hpp"
#include "core/text/nearest.hpp"
#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

constexpr double most_count = 1e9;

const std::vector<std::string> power_kinds{"utility", "transformer", "generator", "ups", "pdu"};

template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& one : list) names.push_back(one.name);
  return names;
}

/// One of the files: cells by the names of its columns, and mistakes at them.
class Sheet {
 public:
  Sheet(const std::filesystem::path& file, const std::vector<std::string>& needed,
        const std::vector<std::string>& others, HallTables& tables, Problems& problems)
      : tables_(tables), problems_(problems), table_(read_csv_table(file, problems)) {
    if (!table_) return;
    std::vector<std::string> known = needed;
    known.insert(known.end(), others.begin(), others.end());
    const std::vector<std::string>& names = table_->names;
    for (const std::string& name : needed) {
      if (table_->column(name)) continue;
      problems_.add(
          table_->problem(table_->head, 0, fmt::format("needs a column '{}'", name), nearest_hint(name, names)));
      is_whole_ = false;
    }
    for (const std::string& name : names) {
      if (std::ranges::find(known, name) != known.end()) continue;
      tables_.notes.push_back(fmt::format("{}: column '{}' is not read", file.filename().string(), name));
    }
  }

  /// Rows of a file with all columns that it needs.
  std::vector<const CsvLine*> rows() const {
    std::vector<const CsvLine*> rows;
    if (!table_ || !is_whole_) return rows;
    for (const CsvLine& row : table_->rows) rows.push_back(&row);
    return rows;
  }
  bool has(const char* column) const { return table_ && table_->column(column).has_value(); }
  std::string text(const CsvLine& row, const char* column) const {
    const auto at = table_->column(column);
    return at ? table_->cell(row, *at).unquoted() : std::string();
  }
  void wrong(const CsvLine& row, const char* column, std::string message, std::string hint = {}) {
    problems_.add(table_->problem(row, table_->column(column).value_or(0), std::move(message), std::move(hint)));
  }

  int count(const CsvLine& row, const char* column, int otherwise) {
    const std::string cell = text(row, column);
    if (cell.empty()) return otherwise;
    const double number = number_in(cell).value_or(0.0);
    if (number >= 1.0 && number <= most_count && number == std::floor(number)) return static_cast<int>(number);
    wrong(row, column, fmt::format("{}: '{}' is no count from 1", column, cell), number_hint(cell, {}));
    return otherwise;
  }
  double rating(const CsvLine& row, const std::string& kind) {
    const std::string cell = text(row, "rating");
    if (cell.empty()) return 0.0;
    try {
      const double value = to_si(cell, rating_unit(kind));
      if (value > 0.0 && std::isfinite(value)) return value;
      wrong(row, "rating", "a rating must be more than 0");
    } catch (const QuantityError& error) {
      wrong(row, "rating", fmt::format("rating: {}", error.what()), error.hint);
    }
    return 0.0;
  }
  void demand_new(const CsvLine& row, const char* column, std::set<std::string>& seen) {
    const std::string name = text(row, column);
    if (name.empty()) {
      wrong(row, column, fmt::format("a {} without a name", column));
    } else if (!seen.insert(name).second) {
      wrong(row, column, fmt::format("'{}' is listed twice", name));
    }
  }
  /// A device of the library of that kind.
  void demand_device(const CsvLine& row, const std::string& kind) {
    const std::string name = text(row, "hardware");
    const DeviceRating* device = tables_.device(name);
    if (device != nullptr && device->kind == kind) return;
    std::vector<std::string> names;
    for (const DeviceRating& one : tables_.devices) {
      if (one.kind == kind) names.push_back(one.name);
    }
    std::string hint = nearest_hint(name, names);
    if (hint.empty()) hint = fmt::format("known: {}", fmt::join(names, ", "));
    wrong(row, "hardware",
          device == nullptr ? fmt::format("the library has no {} '{}'", kind, name)
                            : fmt::format("'{}' is a {}, expected a {}", name, device->kind, kind),
          std::move(hint));
  }

 private:
  HallTables& tables_;
  Problems& problems_;
  std::optional<CsvTable> table_;
  bool is_whole_ = true;
};

void read_power(Sheet& sheet, HallTables& tables) {
  std::set<std::string> seen;
  for (const CsvLine* row : sheet.rows()) {
    sheet.demand_new(*row, "name", seen);
    ListedPower one{.name = sheet.text(*row, "name"),
                    .kind = sheet.text(*row, "kind"),
                    .hardware = sheet.text(*row, "hardware"),
                    .upstream = sheet.text(*row, "upstream")};
    if (std::ranges::find(power_kinds, one.kind) == power_kinds.end()) {
      sheet.wrong(*row, "kind", fmt::format("there is no kind '{}'", one.kind), nearest_hint(one.kind, power_kinds));
      continue;
    }
    one.rating = sheet.rating(*row, one.kind);
    one.count = sheet.count(*row, "count", 1);
    if (one.kind != "utility" && !one.hardware.empty()) sheet.demand_device(*row, one.kind);
    if (one.kind != "utility" && one.hardware.empty() && one.rating == 0.0)
      sheet.wrong(*row, "name", fmt::format("'{}' has neither hardware nor a rating", one.name));
    tables.power.push_back(std::move(one));
  }
  const std::vector<std::string> names = names_of(tables.power);
  for (const CsvLine* row : sheet.rows()) {
    const std::string upstream = sheet.text(*row, "upstream");
    const ListedPower* next = tables.equipment(sheet.text(*row, "name"));
    if (!upstream.empty() && tables.equipment(upstream) == nullptr)
      sheet.wrong(*row, "upstream", fmt::format("there is no equipment '{}'", upstream), nearest_hint(upstream, names));
    for (std::size_t steps = 0; next != nullptr && !next->upstream.empty(); ++steps) {
      next = tables.equipment(next->upstream);
      if (steps <= tables.power.size()) continue;
      sheet.wrong(*row, "upstream", fmt::format("'{}' is fed by itself", sheet.text(*row, "name")));
      break;
    }
  }
}

void read_cdus(Sheet& sheet, HallTables& tables) {
  std::set<std::string> seen;
  for (const CsvLine* row : sheet.rows()) {
    sheet.demand_new(*row, "cdu", seen);
    sheet.demand_device(*row, "cdu");
    ListedCdu one{sheet.text(*row, "cdu"), sheet.text(*row, "loop"), sheet.text(*row, "hardware"),
                  sheet.rating(*row, "cdu")};
    if (one.loop.empty()) sheet.wrong(*row, "loop", fmt::format("'{}' has no loop", one.name));
    tables.cdus.push_back(std::move(one));
  }
}

/// The loop that a rack says, itself or by its CDU.
std::string loop_of(Sheet& sheet, const CsvLine& row, const HallTables& tables) {
  const std::string cdu = sheet.text(row, "cdu"), loop = sheet.text(row, "loop");
  if (!cdu.empty()) {
    const auto found = std::ranges::find(tables.cdus, cdu, &ListedCdu::name);
    if (found == tables.cdus.end()) {
      sheet.wrong(row, "cdu", fmt::format("there is no CDU '{}'", cdu), nearest_hint(cdu, names_of(tables.cdus)));
      return loop;
    }
    if (!loop.empty() && loop != found->loop)
      sheet.wrong(row, "loop", fmt::format("'{}' is in loop '{}', not '{}'", cdu, found->loop, loop));
    return found->loop;
  }
  if (!loop.empty() && std::ranges::find(tables.cdus, loop, &ListedCdu::loop) == tables.cdus.end()) {
    std::vector<std::string> loops;
    for (const ListedCdu& one : tables.cdus) loops.push_back(one.loop);
    sheet.wrong(row, "loop", fmt::format("loop '{}' has no CDU", loop), nearest_hint(loop, loops));
  }
  return loop;
}

void check_feeds(Sheet& sheet, const CsvLine& row, const HallTables& tables) {
  std::vector<std::string> pdus;
  for (const ListedPower& one : tables.power) {
    if (one.kind == "pdu") pdus.push_back(one.name);
  }
  for (const char* column : {"feed_a", "feed_b"}) {
    const std::string feed = sheet.text(row, column);
    if (feed.empty() || std::ranges::find(pdus, feed) != pdus.end()) continue;
    const bool is_other = tables.equipment(feed) != nullptr;
    sheet.wrong(row, column, is_other ? fmt::format("'{}' is no PDU", feed) : fmt::format("there is no PDU '{}'", feed),
                nearest_hint(feed, pdus));
  }
  if (sheet.text(row, "feed_a").empty() && sheet.text(row, "feed_b").empty())
    sheet.wrong(row, "feed_a", fmt::format("rack '{}' has no feed", sheet.text(row, "rack")));
}

void read_racks(Sheet& sheet, HallTables& tables) {
  std::set<std::string> seen;
  std::map<std::pair<std::string, int>, std::string> places;
  for (const CsvLine* row : sheet.rows()) {
    sheet.demand_new(*row, "rack", seen);
    sheet.demand_device(*row, "node");
    check_feeds(sheet, *row, tables);
    ListedRack rack{.name = sheet.text(*row, "rack"),
                    .row = sheet.text(*row, "row"),
                    .hardware = sheet.text(*row, "hardware"),
                    .feed_a = sheet.text(*row, "feed_a"),
                    .feed_b = sheet.text(*row, "feed_b"),
                    .loop = loop_of(sheet, *row, tables),
                    .position = sheet.count(*row, "position", 1),
                    .nodes = sheet.count(*row, "nodes", 8)};
    if (rack.row.empty()) sheet.wrong(*row, "row", fmt::format("rack '{}' has no row", rack.name));
    const auto [place, is_free] = places.try_emplace({rack.row, rack.position}, rack.name);
    if (!is_free && place->second != rack.name) {
      sheet.wrong(*row, "position",
                  fmt::format("position {} of row '{}' is already the position of '{}'", rack.position, rack.row,
                              place->second));
    }
    const DeviceRating* device = tables.device(rack.hardware);
    if (device != nullptr && device->has_coolant && rack.loop.empty() && sheet.text(*row, "cdu").empty())
      sheet.wrong(*row, "hardware",
                  fmt::format("'{}' needs coolant, but rack '{}' has no loop", rack.hardware, rack.name));
    if (device != nullptr && !device->has_coolant && !rack.loop.empty()) {
      tables.notes.push_back(
          fmt::format("rack {}: '{}' takes no coolant, loop '{}' is left out", rack.name, rack.hardware, rack.loop));
      rack.loop.clear();
    }
    tables.racks.push_back(std::move(rack));
  }
}

}  // namespace

const DeviceRating* HallTables::device(const std::string& name) const {
  const auto found = std::ranges::find(devices, name, &DeviceRating::name);
  return found == devices.end() ? nullptr : &*found;
}

const ListedPower* HallTables::equipment(const std::string& name) const {
  const auto found = std::ranges::find(power, name, &ListedPower::name);
  return found == power.end() ? nullptr : &*found;
}

const ListedPower& HallTables::root_of(const ListedPower& equipment_here) const {
  const ListedPower* root = &equipment_here;
  while (!root->upstream.empty()) root = equipment(root->upstream);
  return *root;
}

HallTables read_hall_tables(const std::filesystem::path& folder) {
  HallTables tables;
  tables.devices = device_ratings(folder);
  Problems problems;
  if (tables.devices.empty()) {
    problems.add({{folder.string(), 0, 0},
                  "no hardware library was found",
                  "put a folder hardware/ into this folder, or set WATTLOOP_LIBRARY to a folder that contains one",
                  {}});
  }
  Sheet power(folder / "power.csv", {"name", "kind", "rating", "upstream"}, {"hardware", "count"}, tables, problems);
  read_power(power, tables);
  if (std::filesystem::exists(folder / "cdus.csv")) {  // a hall in air has none
    Sheet cdus(folder / "cdus.csv", {"cdu", "loop", "hardware"}, {"rating"}, tables, problems);
    read_cdus(cdus, tables);
  }
  Sheet racks(folder / "racks.csv", {"rack", "row", "position", "hardware", "feed_a", "feed_b"},
              {"cdu", "loop", "nodes"}, tables, problems);
  read_racks(racks, tables);
  if (!racks.has("nodes"))
    tables.notes.emplace_back("racks.csv has no column 'nodes': 8 nodes in each rack are assumed");
  if (problems.empty() && tables.racks.empty())
    problems.add({{(folder / "racks.csv").string(), 0, 0}, "no racks", {}, {}});
  problems.throw_if_any(folder.string());
  return tables;
}

}  // namespace wattloop::twin
