#include "twin/imports/feeder_lists.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "core/tables/csv_table.hpp"
#include "core/text/letter_name.hpp"
#include "core/text/nearest.hpp"
#include "core/text/problem.hpp"
#include "core/text/quoted_text.hpp"
#include "core/units/units.hpp"

namespace wattloop::twin {

namespace {

constexpr const char* hall_bus = "hall_supply";  // that of the rack besides the feeder

/// Whether YAML takes it for something else than a name.
bool is_word_of_yaml(std::string_view name) {
  std::string small(name);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  constexpr std::array words{"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
  return std::ranges::find(words, small) != words.end();
}

/// A name of the scenario: a letter first, then letters, digits and _.
std::string plain_name(std::string_view prefix, std::string_view listed) {
  std::string name(listed);
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  const bool begins_well = !name.empty() && std::isalpha(static_cast<unsigned char>(name.front())) != 0;
  return begins_well && !is_word_of_yaml(name) ? name : fmt::format("{}_{}", prefix, name);
}

/// What may have been meant by a cell that is no number.
std::string hint_for_cell(const std::string& cell, double least, double most) {
  if (cell.find(',') != std::string::npos) return "write decimals with a point";
  return most < 1e12 ? fmt::format("{:g} to {:g}", least, most) : fmt::format("{:g} or more", least);
}

class Lists {
 public:
  explicit Lists(const std::filesystem::path& folder) : folder_(folder) {}

  ListedFeeder read() {
    read_buses();
    read_lines();
    const bool has_source = std::ranges::any_of(feeder_.buses, &ListedBus::is_source);
    if (buses_ && !has_source)
      problems_.add(
          {{(folder_ / "buses.csv").string(), 0, 0}, "no bus is a source", "write is_source: 1 for one bus", {}});
    if (buses_ && has_source && are_lines_read_ && !has_unknown_ends_) check_islands();
    problems_.throw_if_any(folder_.string());
    return std::move(feeder_);
  }

 private:
  /// The file, if it has all columns that it needs; others than the known ones are noted.
  std::optional<CsvTable> table_of(const char* file, const std::vector<std::string>& needed,
                                   const std::vector<std::string>& others) {
    std::optional<CsvTable> table = read_csv_table(folder_ / file, problems_);
    if (!table) return table;
    bool is_whole = true;
    for (const std::string& name : needed) {
      if (table->column(name)) continue;
      problems_.add(table->problem(table->head, 0, fmt::format("needs a column '{}'", name), table->names_hint(name)));
      is_whole = false;
    }
    for (const std::string& name : table->names) {
      if (std::ranges::find(needed, name) == needed.end() && std::ranges::find(others, name) == others.end())
        feeder_.notes.push_back(fmt::format("{}: column '{}' is not read", file, name));
    }
    return is_whole ? std::move(table) : std::nullopt;
  }

  static std::string text(const CsvTable& table, const CsvLine& row, const char* column) {
    const auto at = table.column(column);
    return at ? table.cell(row, *at).unquoted() : std::string();
  }

  /// From `least` to `most`; 0 where the column is not there or empty.
  double number(const CsvTable& table, const CsvLine& row, const char* column, double least, double most = 1e15) {
    const std::string cell = text(table, row, column);
    if (cell.empty()) return 0.0;
    const std::optional<double> value = number_in(cell);
    if (value && *value >= least && *value <= most) return *value;
    const char* what = !value ? "no number" : *value < least ? "too small" : "too large";
    problems_.add(table.problem(row, *table.column(column), fmt::format("{}: '{}' is {}", column, cell, what),
                                hint_for_cell(cell, least, most)));
    return 0.0;
  }
  bool flag(const CsvTable& table, const CsvLine& row, const char* column, bool otherwise) {
    const std::string cell = text(table, row, column);
    if (cell.empty()) return otherwise;
    if (cell != "0" && cell != "1")
      problems_.add(table.problem(row, *table.column(column), fmt::format("{}: '{}'", column, cell), "1 or 0"));
    return cell == "1";
  }

  void read_buses() {
    constexpr double any = -1e15, highest_kv = 1200.0;
    buses_ = table_of("buses.csv", {"bus", "base_kV", "is_source"}, {"load_kW", "load_kvar"});
    const std::optional<CsvTable>& table = buses_;
    if (!table) return;
    for (const CsvLine& row : table->rows) {
      const std::string listed = text(*table, row, "bus");
      ListedBus bus{.name = plain_name("bus", listed),
                    .nominal_v = 1e3 * number(*table, row, "base_kV", 0.01, highest_kv),
                    .load_w = 1e3 * number(*table, row, "load_kW", 0.0),
                    .load_var = 1e3 * number(*table, row, "load_kvar", any),
                    .is_source = flag(*table, row, "is_source", false)};
      const bool is_taken = find_bus(bus.name) != nullptr;
      if (bus.name == hall_bus)
        problems_.add(table->problem(row, *table->column("bus"),
                                     fmt::format("'{}' is the name of the hall's own bus beside the feeder", hall_bus),
                                     "another name"));
      if (listed.empty() || is_taken)
        problems_.add(table->problem(
            row, *table->column("bus"),
            listed.empty() ? "a bus without a name" : fmt::format("'{}' is listed twice, as {}", listed, bus.name)));
      if (bus.nominal_v == 0.0 && text(*table, row, "base_kV").empty())
        problems_.add(table->problem(row, *table->column("base_kV"), fmt::format("bus {} has no voltage", listed)));
      if (bus.load_w == 0.0 && bus.load_var != 0.0)
        feeder_.notes.push_back(
            fmt::format("bus {}: its load has only reactive power; 1 W of active power is added", listed));
      names_.emplace(listed, bus.name);
      feeder_.buses.push_back(std::move(bus));
    }
  }

  const ListedBus* find_bus(std::string_view name) const {
    const auto found = std::ranges::find(feeder_.buses, name, &ListedBus::name);
    return found == feeder_.buses.end() ? nullptr : &*found;
  }

  std::string bus_at(const CsvTable& table, const CsvLine& row, const char* column) {
    const std::string listed = text(table, row, column);
    const auto known = names_.find(listed);
    if (known != names_.end()) return known->second;
    std::vector<std::string> all;
    for (const auto& [name, in_scenario] : names_) all.push_back(name);
    has_unknown_ends_ = true;
    problems_.add(table.problem(row, *table.column(column), fmt::format("there is no bus '{}'", listed),
                                nearest_hint(listed, all)));
    return {};
  }

  void read_lines() {
    const auto table = table_of("branches.csv", {"from", "to", "r_ohm", "x_ohm"}, {"closed", "name", "rated_A"});
    if (!table) return;
    are_lines_read_ = true;
    std::map<std::string, int> listed_times;
    for (const CsvLine& row : table->rows) {
      ListedLine line{.name = {},
                      .from = bus_at(*table, row, "from"),
                      .to = bus_at(*table, row, "to"),
                      .resistance_ohm = number(*table, row, "r_ohm", 1e-9),
                      .reactance_ohm = number(*table, row, "x_ohm", 0.0),
                      .rated_a = number(*table, row, "rated_A", 0.0),
                      .is_closed = flag(*table, row, "closed", true)};
      const std::string listed = text(*table, row, "name");
      line.name = listed.empty() ? fmt::format("line_{}_{}", text(*table, row, "from"), text(*table, row, "to"))
                                 : plain_name("line", listed);
      line.name = plain_name("line", line.name);
      if (line.resistance_ohm == 0.0 && text(*table, row, "r_ohm").empty())
        problems_.add(table->problem(row, *table->column("r_ohm"), "a branch without a resistance"));
      if (line.from == line.to && !line.from.empty())
        problems_.add(table->problem(row, *table->column("to"), fmt::format("from bus {} to itself", line.to)));
      if (!listed.empty() && ++listed_times[listed] > 1)
        problems_.add(table->problem(row, *table->column("name"), fmt::format("'{}' is listed twice", listed)));
      if (find_bus(line.name) != nullptr)
        problems_.add(table->problem(row, *table->column(listed.empty() ? "from" : "name"),
                                     fmt::format("'{}' is a bus, too", line.name), "give each its own name"));
      check_voltages(*table, row, line);
      const int alike = ++times_[line.name];
      if (alike > 1) line.name += "_" + letter_name(static_cast<std::size_t>(alike - 1));
      feeder_.lines.push_back(std::move(line));
    }
  }

  void check_voltages(const CsvTable& table, const CsvLine& row, const ListedLine& line) {
    const ListedBus *from = find_bus(line.from), *to = find_bus(line.to);
    if (from == nullptr || to == nullptr || from->nominal_v == 0.0 || to->nominal_v == 0.0) return;
    if (from->nominal_v == to->nominal_v) return;
    problems_.add(table.problem(row, *table.column("to"),
                                fmt::format("{} joins {} of {:g} kV and {} of {:g} kV", line.name, from->name,
                                            from->nominal_v / 1e3, to->name, to->nominal_v / 1e3),
                                "connect buses of the same voltage: a branch of these tables is a line"));
  }

  /// Buses to which no line leads from a source, open or closed.
  void check_islands() {
    std::map<std::string, bool> is_reached;
    for (const ListedBus& bus : feeder_.buses) is_reached[bus.name] = bus.is_source;
    for (bool any = true; any;) {
      any = false;
      for (const ListedLine& line : feeder_.lines) {
        if (is_reached[line.from] == is_reached[line.to]) continue;
        is_reached[line.from] = is_reached[line.to] = any = true;
      }
    }
    for (std::size_t bus = 0; bus < feeder_.buses.size(); ++bus) {
      if (!is_reached[feeder_.buses[bus].name])
        problems_.add(buses_->problem(buses_->rows[bus], *buses_->column("bus"),
                                      fmt::format("no branch leads from a source to {}", feeder_.buses[bus].name)));
    }
  }

  std::filesystem::path folder_;
  Problems problems_;
  ListedFeeder feeder_;
  std::optional<CsvTable> buses_;
  bool are_lines_read_ = false, has_unknown_ends_ = false;
  std::map<std::string, std::string> names_;  ///< of buses as listed, and in the scenario
  std::map<std::string, int> times_;          ///< how often lines have one name
};

std::string one_line_text(const ListedFeeder& feeder) {
  constexpr double least_w = 1.0;
  std::string text = "  one_line:\n    buses:\n      hall_supply: 400 V\n";
  for (const ListedBus& bus : feeder.buses)
    text += fmt::format("      {}: {:.15g} kV\n", bus.name, bus.nominal_v / 1e3);
  text += "    sources:\n      hall_feed: { bus: hall_supply }\n";
  for (const ListedBus& bus : feeder.buses) {
    if (bus.is_source) text += fmt::format("      feed_{}: {{ bus: {} }}\n", bus.name, bus.name);
  }
  text += "    branches:\n";
  for (const ListedLine& line : feeder.lines) {
    text += fmt::format("      {}: {{ between: [{}, {}], resistance: {:.15g} ohm, reactance: {:.15g} ohm{}{} }}\n",
                        line.name, line.from, line.to, line.resistance_ohm, line.reactance_ohm,
                        line.rated_a > 0.0 ? fmt::format(", rated_current: {:.15g} A", line.rated_a) : "",
                        line.is_closed ? "" : ", open: true");
  }
  text += "    loads:\n";
  for (const ListedBus& bus : feeder.buses) {
    if (bus.load_w == 0.0 && bus.load_var == 0.0) continue;
    text += fmt::format("      load_{}: {{ bus: {}, power: {:.15g} W, reactive_power: {:.15g} VA }}\n", bus.name,
                        bus.name, std::max(bus.load_w, least_w), bus.load_var);
  }
  return text;
}

}  // namespace

ListedFeeder read_feeder_lists(const std::filesystem::path& folder) { return Lists(folder).read(); }

std::string feeder_text(const ListedFeeder& feeder, const std::string& title) {
  std::string text = fmt::format("{}\n", imported_feeder_head);
  for (const std::string& note : feeder.notes) text += fmt::format("# note: {}\n", comment_text(note));
  text += fmt::format("format: 1\ntitle: {}\nduration: 10 min\nworkload: {{ kind: constant }}\n", yaml_text(title));
  text +=
      "# One rack on a feed of its own: a scenario is of a hall. Connect yours to a bus of the feeder in its place.\n"
      "hall:\n  racks: { count: 1, rows: 1, nodes: 8, hardware: hgx_h100_liquid }\n  cooling:\n"
      "    loops: { count: 1, cdus: 1, hardware: cdu_121kw, supply_temperature: 32 degC, volume: 60 L, pump_speed: 75 "
      "% }\n"
      "    facility: { supply_temperature: 24 degC }\n"
      "    rear_doors: { hardware: rdhx_35kw, supply_temperature: 20 degC }\n"
      "    room: { volume: 60 m3, mass_heat_capacity: 500 kJ/K }\n"
      "power:\n  flow: auto\n";
  text += one_line_text(feeder);
  text +=
      "  cords:\n    - { racks: row_1.rack_*, buses: [hall_supply] }\n    - { motors: \"*\", buses: [hall_supply] }\n";
  return text + "record: { facility: 10 s }\n";
}

}  // namespace wattloop::twin
