#include "tests/support/halls/library_device.hpp"

#include <filesystem>
#include <stdexcept>

#include "tests/support/catch.hpp"
#include "twin/parts/part_catalog.hpp"
#include "twin/scenario/library/hardware_library.hpp"
#include "twin/units/catalog.hpp"

namespace wattloop::tests {

namespace {

using namespace twin;

Section section_of(const std::string& kind, AnyDevice& device) {
  Scenario& scenario = device.draft.scenario;
  scenario.cooling.doors.resize(1);
  scenario.cooling.chilled_water.resize(1);
  for (const Section& section :
       {node_device(scenario.racks.front().hardware), cdu_device(scenario.cooling.loops.front()),
        rear_door_device(scenario.cooling.doors.front()), water_pump_device(scenario.cooling.water.front().pumps),
        cooling_tower_device(scenario.cooling.water.front().towers),
        chiller_device(scenario.cooling.chilled_water.front().chillers), crah_device(scenario.cooling.crahs.front()),
        switch_device(scenario.network), appliance_device(scenario.storage_racks.emplace().appliance),
        transformer_device(scenario.power.transformer), generator_device(scenario.power.generators),
        ups_device(scenario.power), pdu_device(scenario.power), psu_device(scenario.racks.front().hardware.psu)}) {
    if (section.key == kind) return section;
  }
  if (const PartKind* part = find_written_kind(kind)) {
    device.params = part->written->default_params();
    return {.key = kind, .fields = part->written->fields(device.params)};
  }
  const UnitKind* unit = find_unit_kind(kind);
  if (unit == nullptr) throw std::runtime_error("no kind " + kind);
  device.params = unit->default_params();
  return {.key = kind, .fields = unit->fields(device.params)};
}

}  // namespace

void read_library_device(const std::string& name, AnyDevice& device) {
  const std::filesystem::path scenarios = std::filesystem::path(WATTLOOP_SOURCE_DIR) / "scenarios";
  Problems problems;
  Node root = read_document_text("hardware: " + name, (scenarios / "test.yaml").string(), problems);
  inline_hardware(root, scenarios, problems);
  problems.throw_if_any(name);
  const Node& hardware = *find(root, "hardware");
  const std::string& kind = find(hardware, "kind")->text;
  if (kind == electrical::Cable::kind || kind == electrical::Breaker::kind ||
      kind == electrical::Fuse::kind) {  // of drawn halls
    std::string read;
    CHECK(read_equipment(hardware, read, problems));
    CHECK(read == name);
    return problems.throw_if_any(name);
  }
  CHECK(read_device(hardware, section_of(find(hardware, "kind")->text, device), problems) == name);
  problems.throw_if_any(name);
}

}  // namespace wattloop::tests
