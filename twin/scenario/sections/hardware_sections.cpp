// Devices of the hardware library other than nodes: which keys their files have and where the values go.
#include <array>
#include <concepts>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/units/units.hpp"
#include "twin/document/other_place.hpp"
#include "twin/scenario/sections/scenario_sections.hpp"

namespace wattloop::twin {

Section cdu_device(LoopsSpec& loops) {
  return {
      .key = "cdu",
      .doc = "A coolant distribution unit: plate heat exchanger, valve, pumps.",
      .fields = field_refs(loops.cdu),
      .sections = {{.key = "pump", .doc = "One of its pumps.", .fields = field_refs(loops.pump)},
                   {.key = "pressure_control",
                    .doc = "Controller of the pump speed: the pumps keep the differential pressure of their loop.",
                    .fields = field_refs(loops.pressure_control),
                    .is_optional = true}},
  };
}

Section rear_door_device(DoorsSpec& doors) {
  return {.key = "rear_door",
          .doc = "A rear-door heat exchanger: passive, or active with its own fans.",
          .fields = field_refs(doors.door)};
}

Section water_pump_device(WaterPumpsSpec& pumps) {
  return {
      .key = "water_pump",
      .doc = "A pump of facility or chilled water.",
      .fields = field_refs(pumps.pump),
      .sections = {{.key = "curve",
                    .doc = "Pressure and power of the pump away from its rating; used if flows follow from pressures.",
                    .fields = field_refs(pumps.curve),
                    .is_optional = true}}};
}

Section cooling_tower_device(TowersSpec& towers) {
  return {
      .key = "cooling_tower",
      .doc = "A cell of a wet cooling tower with its fan and pump.",
      .fields = field_refs(towers.tower),
      .sections = {{.key = "pump", .doc = "Pump of the cell.", .fields = field_refs(towers.pump)}},
      .former = {{"latent_share", "delete it: evaporation now follows from the outdoor air"}},
  };
}

Section chiller_device(ChillersSpec& chillers) {
  return {
      .key = "chiller",
      .doc = "A water-cooled chiller with its pumps.",
      .fields = field_refs(chillers.chiller),
      .sections = {{.key = "chilled_pump",
                    .doc = "Pump of the chilled water through the evaporator.",
                    .fields = field_refs(chillers.chilled_pump)},
                   {.key = "condenser_pump",
                    .doc = "Pump of the facility water through the condenser.",
                    .fields = field_refs(chillers.condenser_pump)}},
  };
}

Section crah_device(CrahsSpec& crahs) {
  return {.key = "crah", .doc = "A computer-room air handler: water coil and fan.", .fields = field_refs(crahs.crah)};
}

Section switch_device(NetworkSpec& network) {
  return {.key = "switch", .doc = "A switch of the fabric, including optics.", .fields = field_refs(network.switches)};
}

namespace {

std::string value_of(double value, std::string_view unit) {
  return unit == "1" ? fmt::format("{:.4g} %", 100.0 * value) : format_quantity(value, unit);
}

/// The first of its keys that someone changed, else the first that is written, else the device.
const Node& place_in(const Node& map, const electrical::Relation& relation) {
  const Node* kind = find(map, "kind");
  const Node* first = nullptr;
  for (const std::string_view key : relation.keys) {
    const Node* node = find(map, key);
    if (node == nullptr) continue;
    if (kind != nullptr && node->place.file != kind->place.file) return *node;
    if (first == nullptr) first = node;
  }
  return first != nullptr ? *first : map;
}

/// Values that could not be read are no numbers, and break no relation.
void check_relation(const Node& map, const electrical::Relation& relation, Problems& problems) {
  const bool is_broken = relation.may_be_equal ? relation.value > relation.limit : relation.value >= relation.limit;
  if (!is_broken || (!relation.only_if_written.empty() && find(map, relation.only_if_written) == nullptr)) return;
  const std::string limit = value_of(relation.limit, relation.unit);
  const Node& place = place_in(map, relation);
  const Node* other = relation.than.empty() ? nullptr : find(map, relation.than);
  const bool is_elsewhere = other != nullptr && other != &place;
  const std::string than = relation.than.empty()
                               ? limit
                               : fmt::format("{}, which is {}{}", relation.than, limit,
                                             is_elsewhere ? " in " + other_place(other->place, place.place) : "");
  problems.add(
      problem_at(place,
                 fmt::format("{} is {}, expected {} {}", relation.what, value_of(relation.value, relation.unit),
                             relation.may_be_equal ? "at most" : "less than", than),
                 std::string(relation.remedy)));
}

/// A device that is electrical equipment: its header says what it is.
template <electrical::ElectricalPart K>
Section equipment_device(typename K::Params& params) {
  Section device{.key = std::string(K::kind), .doc = std::string(K::doc), .fields = field_refs(params)};
  if constexpr (requires { K::former; }) device.former.assign(K::former.begin(), K::former.end());
  if constexpr (electrical::RelatesParameters<K>) {
    device.check = [&params](const Node& map, Problems& problems) {
      for (const electrical::Relation& relation : K::relations(params)) check_relation(map, relation, problems);
    };
  }
  return device;
}

}  // namespace

namespace {

/// A kind with parameters of its own: a substation has those of a transformer, and is written as one.
template <class K>
concept HasOwnParams = std::same_as<typename decltype(K::Params::fields())::value_type, Field<typename K::Params>>;

template <class K>
using IsWritten = std::bool_constant<HasOwnParams<K>>;
using WrittenPassages =
    decltype(electrical::kinds_that<IsWritten>(static_cast<const electrical::PassageKinds*>(nullptr)));

template <class... Kinds>
std::string names_of(const std::tuple<Kinds...>*) {
  return fmt::format("{}", fmt::join(std::array{Kinds::kind...}, ", "));
}

/// The device of whichever of these kinds it is.
template <class Variant, class... Kinds>
std::optional<Variant> read_kind_of(const std::tuple<Kinds...>* kinds, const Node& hardware, std::string& name,
                                    Problems& problems) {
  if (hardware.is_sequence())
    problems.add(
        problem_at(hardware, fmt::format("hardware is {}, expected the name of one device", describe(hardware))));
  if (!hardware.is_map()) return std::nullopt;  // a name unknown to the library is reported already
  const Node* kind = find(hardware, "kind");
  std::optional<Variant> found;
  const auto try_kind = [&]<class K>() {
    if (kind == nullptr || kind->text != K::kind) return;
    typename K::Params params;
    name = read_device(hardware, equipment_device<K>(params), problems);
    found = params;
  };
  (try_kind.template operator()<Kinds>(), ...);
  if (!found) {
    const Node* said = find(hardware, "name");
    const Node& place = said != nullptr ? *said : kind != nullptr ? *kind : hardware;
    problems.add(problem_at(place,
                            kind == nullptr ? std::string("hardware has no kind")
                                            : fmt::format("{} is hardware of kind {}", describe(place), kind->text),
                            fmt::format("expected one of {}", names_of(kinds))));
  }
  return found;
}

}  // namespace

std::optional<electrical::Equipment> read_equipment(const Node& hardware, std::string& name, Problems& problems) {
  return read_kind_of<electrical::Equipment>(static_cast<const WrittenPassages*>(nullptr), hardware, name, problems);
}

namespace {

template <class... Kinds>
void visit_devices(const std::tuple<Kinds...>*, const std::function<void(const Section&)>& visit) {
  const auto visit_one = [&]<class K>() {
    typename K::Params params;
    visit(equipment_device<K>(params));
  };
  (visit_one.template operator()<Kinds>(), ...);
}

}  // namespace

void visit_written_equipment(const std::function<void(const Section& device)>& visit) {
  visit_devices(static_cast<const WrittenPassages*>(nullptr), visit);
}

std::optional<electrical::SourceEquipment> read_source_equipment(const Node& hardware, std::string& name,
                                                                 Problems& problems) {
  return read_kind_of<electrical::SourceEquipment>(static_cast<const electrical::SourceKinds*>(nullptr), hardware, name,
                                                   problems);
}

Section transformer_device(electrical::Transformer::Params& transformer) {
  return equipment_device<electrical::Transformer>(transformer);
}

Section generator_device(GeneratorsSpec& generators) {
  return equipment_device<electrical::Generator>(generators.generator);
}

Section ups_device(PowerBlockSpec& block) { return equipment_device<electrical::Ups>(block.ups); }

Section pdu_device(PowerBlockSpec& block) { return equipment_device<electrical::Pdu>(block.pdu); }

Section psu_device(electrical::PsuParams& psu) {
  return {.key = "psu", .doc = "All power supply units of one node together.", .fields = field_refs(psu)};
}

}  // namespace wattloop::twin
