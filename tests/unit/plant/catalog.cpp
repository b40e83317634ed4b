// The catalog reports each kind what its header says.
#include "tests/support/catch.hpp"

#include <set>

#include "physics/units/cold_plate.hpp"
#include "twin/units/catalog.hpp"

using namespace wattloop;
using namespace wattloop::twin;

TEST_CASE("a kind of the catalog has the states and ports of its header", "[catalog]") {
  const UnitKind* kind = find_unit_kind("cold_plate");
  REQUIRE(kind != nullptr);
  REQUIRE(kind->states.size() == 2);
  CHECK(kind->states[0].name == "die_temperature");
  CHECK(kind->states[0].unit == "K");
  REQUIRE(kind->ports.size() == 1);
  CHECK(kind->ports[0] == Medium::liquid);
  CHECK(find_unit_kind("node_rest")->ports.size() == 2);
}

TEST_CASE("values stored through the fields of a kind arrive in its parameters", "[catalog]") {
  const UnitKind* kind = find_unit_kind("cold_plate");
  std::any params = kind->default_params();
  for (const FieldRef& field : kind->fields(params)) {
    if (field.info.name == "die_heat_capacity") *std::get<double*>(field.target) = 60.0;
  }
  CHECK(std::any_cast<physics::ColdPlate::Params>(params).die_heat_capacity_j_per_k == 60.0);
}

TEST_CASE("every kind has a name of its own, a sentence and documented fields", "[catalog]") {
  std::set<std::string_view> names;
  for (const UnitKind& kind : unit_kinds()) {
    CHECK(names.insert(kind.name).second);
    CHECK(kind.doc.ends_with('.'));
    std::any params = kind.default_params();
    for (const FieldRef& field : kind.fields(params)) {
      INFO(kind.name << "." << field.info.name);
      CHECK(field.info.doc.ends_with('.'));
    }
  }
}

TEST_CASE("an unknown kind is not found", "[catalog]") { CHECK(find_unit_kind("cold_plat") == nullptr); }
