// `economics:` of a scenario and tariffs of the library. Prices are of a currency, which the tariff says; those beside it are of the
// same.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/text/nearest.hpp"
#include "core/units/units.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

namespace {

constexpr std::array currencies{"USD", "EUR"};
constexpr FieldInfo carbon_info{
    "carbon_intensity",
    "kg/J",
    Range::non_negative,
    "Emissions of utility energy: `0.35 kg/kWh`, or `{ follow: ... }` a file, in g/kWh and with `time_unit: date`.",
    {}};
constexpr FieldInfo generator_carbon_info{
    "generator_carbon_intensity", "kg/J", Range::non_negative, "Emissions of the energy of generators.", {}};
constexpr FieldInfo interval_info{
    "demand_interval",
    "s",
    Range::positive,
    "Metering interval; the highest mean power of an interval is the demand of the month. It divides an hour.",
    {}};
constexpr FieldInfo discount_info{
    "discount_rate",
    "1",
    Range::fraction,
    "Discount rate: yearly interest on capital that is not paid off; 0: straight-line depreciation.",
    {}};

/// `{ value: ..., source: ... }` or the value itself.
const Node& bare(const Node& node) {
  const Node* value = find(node, "value");
  return value != nullptr ? *value : node;
}

/// A price of the currency for a unit: "USD/J".
void read_price(const Node& node, const std::string& what, const std::string& si_unit, double& price,
                Problems& problems) {
  const Node& value = bare(node);
  try {
    if (!value.is_scalar()) throw QuantityError(fmt::format("{}, expected a price", describe(value)), {});
    price = to_si(value.text, si_unit);
  } catch (const QuantityError& error) {
    problems.add(problem_at(value, fmt::format("{}: {}", what, error.what()), error.hint));
    return;
  }
  if (!(price >= 0.0))
    problems.add(problem_at(value, fmt::format("{} is below zero", what), "write a price of 0 or more"));
}

/// Whole numbers of a list or a single one, each within bounds.
std::vector<int> read_whole(const Node& node, std::string_view what, int least, int most, Problems& problems) {
  std::vector<int> numbers;
  const auto read = [&](const Node& item) {
    int number = 0;
    if (!read_field(item, {&number, {what, {}, Range::non_negative, "", {}}}, problems)) return;
    if (number < least || number > most) {
      problems.add(problem_at(item, fmt::format("{}: {} is not between {} and {}", what, number, least, most)));
    } else {
      numbers.push_back(number);
    }
  };
  if (node.is_sequence()) {
    for (const Node& item : node.items) read(item);
  } else {
    read(node);
  }
  return numbers;
}

void read_hours(MapReader& reader, PriceHours& hours) {
  constexpr int months = 12, last_hour = 24;
  Problems& problems = reader.problems();
  if (const Node* node = reader.find("months")) {
    hours.months.fill(false);
    for (const int month : read_whole(*node, "months", 1, months, problems))
      hours.months.at(static_cast<std::size_t>(month - 1)) = true;
  }
  if (const Node* node = reader.find("days")) {
    constexpr std::array names{"all", "weekdays", "weekends"};
    const auto found = std::ranges::find(names, node->text);
    if (found == names.end()) {
      problems.add(problem_at(*node,
                              fmt::format("days: {} is not valid; write all, weekdays or weekends", describe(*node)),
                              nearest_hint(node->text, std::vector<std::string>(names.begin(), names.end()))));
    } else {
      hours.days = static_cast<PriceHours::Days>(found - names.begin());
    }
  }
  if (const Node* node = reader.find("hours")) {
    const std::vector<int> from_to = read_whole(*node, "hours", 0, last_hour, problems);
    if (from_to.size() != 2 || from_to[0] == last_hour || from_to[0] == from_to[1]) {
      problems.add(problem_at(*node, "write the first hour and the end: [16, 21], or over midnight [22, 6]"));
    } else {
      hours.first_hour = from_to[0];
      hours.end_hour = from_to[1];
    }
  }
}

std::vector<Price> read_prices(const Node& list, const std::string& what, const std::string& si_unit,
                               Problems& problems) {
  std::vector<Price> prices;
  if (!list.is_sequence()) {
    problems.add(problem_at(list, fmt::format("{} is {}, expected a list of prices", what, describe(list)),
                            "write - { months: [6, 7], days: weekdays, hours: [16, 21], price: ... }"));
    return prices;
  }
  for (const Node& item : list.items) {
    MapReader reader(item, what, problems);
    if (!reader.is_map()) continue;
    Price& price = prices.emplace_back();
    read_hours(reader, price.hours);
    if (const Node* node =
            reader.require("price", fmt::format("price: in {}", si_unit == "USD/W" ? "USD/kW" : "USD/kWh")))
      read_price(*node, what, si_unit, price.value, problems);
    reader.report_unknown_keys();
  }
  return prices;
}

void read_tariff(const Node& map, Tariff& tariff, Problems& problems) {
  MapReader reader(map, "tariff", problems);
  if (!reader.is_map()) return;
  const std::size_t problems_before = problems.size();
  if (const Node* node = reader.find("name")) tariff.name = node->text;
  reader.offer("title");
  if (const Node* node = reader.find("kind"); node != nullptr && node->text != "tariff")
    problems.add(problem_at(*node, fmt::format("{} is not a tariff", describe(*node)), "kind: tariff"));
  if (const Node* node = reader.find("currency")) {
    tariff.currency = node->text;
    if (std::ranges::find(currencies, node->text) == currencies.end())
      problems.add(problem_at(*node, fmt::format("currency: {} is not known", describe(*node)), "write USD or EUR"));
  }
  if (problems.size() > problems_before) return;
  const std::string& currency = tariff.currency;
  if (const Node* node =
          reader.require("energy", "energy: a list of prices; the first price that is valid at a time is used"))
    tariff.energy = read_prices(*node, "energy", currency + "/J", problems);
  if (const Node* node = reader.find("demand")) tariff.demand = read_prices(*node, "demand", currency + "/W", problems);
  if (const Node* node = reader.find(interval_info.name)) {
    const FieldRef field{&tariff.demand_interval_s, interval_info};
    if (read_field(*node, field, problems) && std::fmod(3600.0, tariff.demand_interval_s) != 0.0)
      problems.add(problem_at(*node, "demand_interval does not divide an hour", "write 15 min, 30 min or 1 h"));
  }
  if (const Node* node = reader.find("fixed_per_month"))
    read_price(*node, "fixed_per_month", currency, tariff.fixed_per_month, problems);
  reader.report_unknown_keys();
  if (problems.size() > problems_before) return;
  if (const std::string wrong = mistake(tariff); !wrong.empty())
    problems.add(problem_at(map, fmt::format("tariff: {}", wrong),
                            "add a last price without months, days and hours: it is valid for all other times"));
}

void read_carbon(const Node& node, EconomicsSpec& economics, Problems& problems) {
  economics.has_carbon = true;
  if (says_follow(node)) {
    economics.carbon_followed.push_back(
        read_follow(node, fmt::format("economics.{}", carbon_info.name), carbon_info, problems));
  } else {
    read_field(node, {&economics.carbon_kg_per_j, carbon_info}, problems);
  }
}

/// `{ price: 300e6 USD, lifetime: 3 years, maintenance: 2 % }`.
void read_class(const Node& map, CapitalClass& of, const std::string& currency, Problems& problems) {
  MapReader reader(map, "capital." + of.name, problems);
  if (!reader.is_map()) return;
  if (const Node* node = reader.require("price", fmt::format("price: 300e6 {}", currency)))
    read_price(*node, "price", currency, of.price, problems);
  read_fields(reader, field_refs(of));
  reader.report_unknown_keys();
}

void read_capital(const Node& map, SitePrices& site, const std::string& currency, Problems& problems) {
  MapReader reader(map, "capital", problems);
  if (!reader.is_map()) return;
  const Node* equipment = nullptr;
  bool has_parts = false;
  for (const CapitalKey& key : capital_keys) {
    const Node* node = reader.find(key.key);
    if (node == nullptr) continue;
    if (key.key == "equipment") equipment = node;
    has_parts = has_parts || (key.key != "equipment" && key.key != "building");
    CapitalClass& of = site.capital.emplace_back(CapitalClass{.name = std::string(key.key)});
    read_class(*node, of, currency, problems);
  }
  reader.report_unknown_keys();
  if (equipment != nullptr && has_parts)
    problems.add(problem_at(*equipment, "capital.equipment is nodes, network, storage, power and cooling in one sum",
                            "delete it or these keys: together they count twice"));
}

/// What is said beside something that contains it.
void report_counted_twice(const Node& map, const SitePrices& site, Problems& problems) {
  constexpr const char* contained = "operation_per_month is energy, water, lease, staff and maintenance in one sum";
  const auto said = [&](const char* key) {
    const Node* node = find(map, key);
    return node != nullptr && !node->is_null() && !node->is_taken_back ? node : nullptr;
  };
  const Node *operation = said("operation_per_month"), *lease = said("lease_per_month");
  for (const char* key : {"lease_per_month", "staff_per_month", "tariff", "water_price", "generator_energy_price"}) {
    const Node* node = said(key);
    if (operation != nullptr && node != nullptr)
      problems.add(problem_at(*node, fmt::format("{} counts twice: operation_per_month contains it", key), contained));
  }
  for (const CapitalClass& of : site.capital) {
    if (operation != nullptr && of.maintenance_per_year_ratio > 0.0)
      problems.add(problem_at(
          *operation, fmt::format("maintenance of capital.{} counts twice: operation_per_month contains it", of.name),
          contained));
    if (lease != nullptr && of.name == "building")
      problems.add(problem_at(*lease,
                              "lease_per_month and capital.building are both given: the building is paid for twice",
                              "delete one of the two"));
  }
}

void read_site(MapReader& reader, const Node& map, SitePrices& site, const std::string& currency) {
  Problems& problems = reader.problems();
  if (const Node* node = reader.find("capital")) read_capital(*node, site, currency, problems);
  if (const Node* node = reader.find(discount_info.name))
    read_field(*node, {&site.discount_per_year_ratio, discount_info}, problems);
  const auto read = [&](const char* key, double& price) {
    if (const Node* node = reader.find(key)) read_price(*node, key, currency, price, problems);
  };
  read("lease_per_month", site.lease_per_month);
  read("staff_per_month", site.staff_per_month);
  read("operation_per_month", site.operation_per_month);
  report_counted_twice(map, site, problems);
}

void read_economics(const Node& map, EconomicsSpec& economics, Problems& problems) {
  MapReader reader(map, "economics", problems);
  if (!reader.is_map()) return;
  economics.is_given = true;
  if (const Node* node = reader.find("tariff"); node != nullptr && node->is_map()) {
    economics.has_tariff = true;
    read_tariff(*node, economics.tariff, problems);
  }
  const std::string& currency = economics.tariff.currency;
  economics.water_per_m3 = economics.standby_energy_per_j = economics.standby_carbon_kg_per_j =
      std::numeric_limits<double>::quiet_NaN();  // that are not given
  if (const Node* node = reader.find("water_price"))
    read_price(*node, "water_price", currency + "/m3", economics.water_per_m3, problems);
  if (const Node* node = reader.find("generator_energy_price"))
    read_price(*node, "generator_energy_price", currency + "/J", economics.standby_energy_per_j, problems);
  read_site(reader, map, economics.site, currency);
  if (const Node* node = reader.find(carbon_info.name)) read_carbon(*node, economics, problems);
  if (const Node* node = reader.find(generator_carbon_info.name))
    read_field(*node, {&economics.standby_carbon_kg_per_j, generator_carbon_info}, problems);
  reader.report_unknown_keys();
}

/// The keys of `capital` in words.
std::string capital_text() {
  std::string text =
      "Capital by class, `nodes: { price: 300e6 USD, lifetime: 3 years, maintenance: 2 % }`; maintenance is the yearly "
      "cost divided by the price.";
  for (const CapitalKey& of : capital_keys) text += fmt::format(" `{}`: {}", of.key, of.doc);
  return text;
}

}  // namespace

SpecialKey economics_key(EconomicsSpec& economics) {
  const std::array carbons{FieldRef{&economics.carbon_kg_per_j, carbon_info},
                           FieldRef{&economics.standby_carbon_kg_per_j, generator_carbon_info}};
  std::vector<FieldRow> rows{
      {"tariff", "name or map", "none", "",
       "Tariff of utility energy: the name of a file of `tariffs/` in the library, or the keys of a tariff."},
      {"water_price", "USD/m3", "none", "at least 0", "Price of make-up water; in the currency of the tariff."},
      {"generator_energy_price", "USD/kWh", "none", "at least 0",
       "Price of fuel, for the energy that generators deliver."},
      {"capital", "map", "none", "", capital_text()},
      {"lease_per_month", "USD", "none", "at least 0",
       "Rent of the building; it cannot be given together with `capital.building`."},
      {"staff_per_month", "USD", "none", "at least 0", "Wages of the staff of the cluster."},
      {"operation_per_month", "USD", "none", "at least 0",
       "Sum of energy, water, lease, staff and maintenance, if single costs are not known; it cannot be given together "
       "with one of them."}};
  rows.push_back(field_table(std::array{FieldRef{&economics.site.discount_per_year_ratio, discount_info}}).front());
  for (FieldRow& row : field_table(carbons)) {
    row.unit = "kg/kWh";
    row.default_value = "none";
    rows.push_back(std::move(row));
  }
  return {.key = "economics",
          .doc =
              "Cost of energy, water and the cluster, and emissions; without this section the run reports no costs and "
              "no emissions.",
          .rows = std::move(rows),
          .read = [&economics](const Node& map, Problems& problems) { read_economics(map, economics, problems); }};
}

std::vector<FieldRow> tariff_rows() {
  Tariff defaults;
  const std::array interval{FieldRef{&defaults.demand_interval_s, interval_info}};
  std::vector<FieldRow> rows{{"currency", "text", "USD", "write USD or EUR", "Currency of all prices."},
                             {"energy", "list", "required", "",
                              "Energy prices `{ months: [6, 7], days: weekdays, hours: [16, 21], price: 0.15 USD/kWh "
                              "}`; the first price of the list that is valid at a time is used."},
                             {"demand", "list", "none", "",
                              "Demand prices in USD/kW, for the highest mean power of an interval in each month; all "
                              "prices that are valid are added."},
                             {"fixed_per_month", "USD", "0", "at least 0", "Monthly price of the connection."}};
  rows.push_back(field_table(interval).front());
  return rows;
}

}  // namespace wattloop::twin
