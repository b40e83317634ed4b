// The rules of the house hold for this project, and each of them is able to fail.
#include "tests/architecture/rules.hpp"

#include "tests/architecture/planted_project.hpp"
#include "tests/support/catch.hpp"

namespace wattloop::tests {

namespace {

const Project& this_project() {
  static const Project project = read_project(WATTLOOP_SOURCE_DIR);
  return project;
}

using Rule = Violations (*)(const Project&);

/// What `rule` finds in a project with this one file.
Violations found_in(Rule rule, const std::string& path, const std::string& text) {
  PlantedProject project;
  project.plant("docs/references.bib", "@book{known2011,\n}\n");
  project.plant(path, text);
  return rule(project.read());
}

std::string lines_of(const Violations& violations) {
  std::string text;
  for (const std::string& one : violations) text += one + "\n";
  return text;
}

const std::string header = "#pragma once\n";

}  // namespace

TEST_CASE("domains know core only, twin knows domains, viz knows twin") {
  REQUIRE(this_project().files.size() > 20);
  CHECK(lines_of(layer_violations(this_project())) == "");
}

TEST_CASE("an include against the layers is found") {
  CHECK(found_in(layer_violations, "core/a.hpp", "#include \"twin/b.hpp\"\n").size() == 1);
  CHECK(found_in(layer_violations, "physics/a.cpp", "#include \"workload/b.hpp\"\n").size() == 1);
  CHECK(found_in(layer_violations, "electrical/a.cpp", "  # include \"network/b.hpp\"  // why\n").size() == 1);
  CHECK(found_in(layer_violations, "twin/a.cpp", "int a;\n#include \"viz/b.hpp\"\n") ==
        Violations{"twin/a.cpp:2: twin must not know \"viz/b.hpp\""});
  CHECK(found_in(layer_violations, "core/a.hpp", "#include \"b.hpp\"\n").size() == 1);
  CHECK(found_in(layer_violations, "twin/a.cpp", "#include \"core/b.hpp\"\n#include \"twin/b.hpp\"\n").empty());
}

TEST_CASE("rooms know those above them") { CHECK(lines_of(room_violations(this_project())) == ""); }

TEST_CASE("an include against the order of rooms is found") {
  const std::string readme = "twin/plant/README.md";
  CHECK(found_in(room_violations, "twin/a.hpp", header).size() == 1);
  CHECK(found_in(room_violations, "twin/cellar/a.hpp", header).size() == 1);
  CHECK(found_in(room_violations, "twin/plant/a.hpp", header) == Violations{"twin/plant has no README.md"});
  CHECK(found_in(room_violations, readme, std::string(16, '\n')).size() == 1);
  CHECK(found_in(room_violations, readme, std::string(15, '\n')).empty());
  PlantedProject project;
  project.plant(readme, "What holds.\n");
  project.plant("twin/plant/a.hpp",
                "#include \"twin/units/b.hpp\"\n#include \"core/a.hpp\"\n#include \"twin/run/c.hpp\"\n");
  CHECK(room_violations(project.read()) ==
        Violations{"twin/plant/a.hpp:3: twin/plant must not know \"twin/run/c.hpp\""});
  CHECK(found_in(room_violations, "physics/a.hpp", header).size() == 1);
}

TEST_CASE("an include against the order of rooms inside a room is found") {
  PlantedProject project;
  project.plant("twin/plant/README.md", "What holds.\n");
  project.plant("twin/plant/state/a.hpp",
                "#include \"twin/plant/equipment/b.hpp\"\n#include \"twin/plant/snapshot/c.hpp\"\n");
  project.plant("twin/plant/cellar/d.hpp", header);
  project.plant("twin/plant/e.hpp", "#include \"twin/plant/snapshot/c.hpp\"\n");
  CHECK(room_violations(project.read()) ==
        Violations{"twin/plant/cellar/d.hpp:1: twin/plant/cellar is no room of twin/plant",
                   "twin/plant/state/a.hpp:2: twin/plant/state must not know \"twin/plant/snapshot/c.hpp\""});
}

TEST_CASE("what runs a plant does not know the scenario") {
  for (const std::string room : {"plant", "actions", "integration", "simulation"}) {
    INFO(room);
    CHECK(!is_in_reach("twin/scenario/specs/scenario.hpp", "twin/" + room));
    PlantedProject project;
    project.plant("twin/" + room + "/README.md", "What holds.\n");
    project.plant("twin/" + room + "/a.cpp", "#include \"twin/scenario/specs/scenario.hpp\"\n");
    CHECK(room_violations(project.read()) == Violations{"twin/" + room + "/a.cpp:1: twin/" + room +
                                                        " must not know \"twin/scenario/specs/scenario.hpp\""});
  }
}

TEST_CASE("all runs go through HallRun") { CHECK(lines_of(simulation_violations(this_project())) == ""); }

TEST_CASE("a run that goes another way is found") {
  const auto found = [](const std::string& path, const std::string& line) {
    return found_in(simulation_violations, path, line + "\n").size();
  };
  CHECK(found("twin/study/a.cpp", "  Simulation simulation(plant, scenario, work, *integrator);") == 1);
  CHECK(found("tests/unit/a.cpp", "  twin::Simulation run{plant, scenario, work, *integrator};") == 1);
  CHECK(found("tests/unit/a.cpp", "  std::optional<Simulation> simulation;") == 1);
  CHECK(found("tests/unit/a.hpp", "std::unique_ptr<twin::Simulation> simulation_;") == 1);
  CHECK(found("twin/study/a.cpp", "  const Simulation& simulation = run.simulation();") == 0);
  CHECK(found("twin/study/a.cpp", "void leave(const Simulation& simulation);") == 0);
  CHECK(found("twin/simulation/a.cpp", "  Simulation simulation(plant, plan, work, *integrator);") == 0);
  CHECK(found("tests/properties/checkpoint.cpp", "int nothing;") == 1);  // it leaves the list
}

TEST_CASE("a source has the header of its name, or one that is listed with its reason") {
  CHECK(lines_of(header_violations(this_project())) == "");
}

TEST_CASE("a source without a header of its name is found") {
  CHECK(found_in(header_violations, "twin/plant/a.cpp", "int a;\n").size() == 1);
  CHECK(found_in(header_violations, "tests/unit/a.cpp", "int a;\n").empty());
  PlantedProject project;
  project.plant("twin/plant/a.cpp", "int a;\n");
  project.plant("twin/plant/a.hpp", header);
  project.plant("viz/program/main.cpp", "int main() {}\n");
  CHECK(header_violations(project.read()).empty());
  project.plant("twin/build/templates/template_towers.cpp", "int b;\n");
  CHECK(header_violations(project.read()) == Violations{"twin/build/templates/template_towers.cpp:1: does not include "
                                                        "twin/build/templates/templates.hpp"});
}

TEST_CASE("no folder is full") { CHECK(lines_of(full_room_violations(this_project())) == ""); }

TEST_CASE("a folder of too many sources is found") {
  PlantedProject project;
  for (int i = 0; i < 36; ++i) project.plant("twin/plant/a" + std::to_string(i) + ".hpp", header);
  CHECK(full_room_violations(project.read()).empty());
  project.plant("twin/plant/b.cpp", "int b;\n");
  CHECK(full_room_violations(project.read()) == Violations{"twin/plant has 37 sources; a folder has 36 at most"});
}

TEST_CASE("every kind of part is in the catalog") { CHECK(lines_of(part_violations(this_project())) == ""); }

TEST_CASE("a kind of part that is left out of the catalog is found") {
  PlantedProject project;
  project.plant("physics/valve.hpp", "struct Valve {};\nstatic_assert(Part<Valve>);\n");
  project.plant("physics/fluids/pump.hpp", "static_assert(Part<Pump>);\n");
  project.plant("tests/toy.hpp", "static_assert(Part<Toy>);\n");
  project.plant("twin/parts/part_kinds.hpp", "using PartKinds = std::tuple<  //\n    physics::Pump>;\n");
  CHECK(part_violations(project.read()) ==
        Violations{"physics/valve.hpp:2: Valve is left out of twin/parts/part_kinds.hpp"});
}

TEST_CASE("what runs a plant names no kind of equipment") { CHECK(lines_of(kind_violations(this_project())) == ""); }

TEST_CASE("a kind of equipment named where none is to be is found") {
  const auto count = [](const std::string& path, const std::string& line) {
    PlantedProject project;
    project.plant("twin/parts/part_kinds.hpp",
                  "#include \"physics/water/cdu_exchanger.hpp\"\n#include \"physics/water/system_pump.hpp\"\n");
    project.plant("electrical/equipment.hpp", "  static constexpr std::string_view kind = \"ups\";\n");
    project.plant(path, line + "\n");
    return kind_violations(project.read()).size();
  };
  CHECK(count("twin/integration/a.cpp", "for (const CduPart& one : plant.hall.cdus) {}") == 2);
  CHECK(count("twin/run/a.cpp", "for (const CduPart& one : plant.hall.cdus) {}") == 2);
  CHECK(count("twin/units/a.hpp", "int first_pump_state = 0;") == 1);
  CHECK(count("twin/run/a.cpp", "if (branch_kind == \"ups\") {}") == 1);
  CHECK(count("twin/integration/a.cpp", "for (const BatteryPart& one : plant.batteries) {}") == 2);
  CHECK(count("twin/run/a.cpp", "int system = setups;  // of pumps") == 0);
  CHECK(count("twin/plant/a.cpp", "int pump;") == 0);
}

TEST_CASE("no thread remembers") { CHECK(lines_of(memory_violations(this_project())) == ""); }

TEST_CASE("memory of a thread is found") {
  const std::string line = std::string("thread_") + "local int last;\n";
  CHECK(found_in(memory_violations, "workload/a.cpp", line).size() == 1);
  CHECK(found_in(memory_violations, "tests/support/a.cpp", line).empty());
}

TEST_CASE("a kind of electrical equipment that is left out of its list is found") {
  PlantedProject project;
  project.plant("electrical/ups.hpp", "struct Ups {};\nstatic_assert(PassageKind<Ups>);\n");
  project.plant("electrical/feed.hpp", "static_assert(SourceKind<Feed>);\n");
  project.plant("electrical/electrical_kinds.hpp", "using ElectricalKinds =\n    std::tuple<Feed, Pdu>;\n");
  CHECK(part_violations(project.read()) ==
        Violations{"electrical/ups.hpp:2: Ups is left out of electrical/electrical_kinds.hpp"});
}

TEST_CASE("what runs a plant names no electrical equipment") {
  CHECK(lines_of(named_equipment_violations(this_project())) == "");
}

TEST_CASE("electrical equipment that is named by what runs a plant is found") {
  PlantedProject project;
  project.plant("electrical/ups.hpp", "  static constexpr std::string_view kind = \"ups\", noun = \"UPS\";\n");
  project.plant("twin/run/table.cpp", "int groups;  // of ups\nreturn \"loss of UPS\";\n");
  project.plant("twin/build/hall.cpp", "return \"ups_a\";\n");
  CHECK(named_equipment_violations(project.read()) ==
        Violations{"twin/run/table.cpp:2: 'UPS' is for its own header to name"});
}

TEST_CASE("third parties stay behind their files") { CHECK(lines_of(third_party_violations(this_project())) == ""); }

TEST_CASE("a third party in a file of others is found") {
  const auto is_found = [](const std::string& path, const std::string& included) {
    return found_in(third_party_violations, path, "#include <" + included + ">\n").size() == 1;
  };
  CHECK(is_found("twin/plant/equipment/plant.cpp", "cvode/cvode.h"));
  CHECK(is_found("twin/integration/core/integrator.hpp", "cvode/cvode.h"));
  CHECK(is_found("twin/run/recording/recorder.cpp", "hdf5.h"));
  CHECK(is_found("twin/scenario/scenario_reader.cpp", "yaml-cpp/yaml.h"));
  CHECK(is_found("electrical/one_line.hpp", "boost/graph/adjacency_list.hpp"));
  CHECK(is_found("twin/report.cpp", "vtkActor.h"));
  CHECK(is_found("core/field.cpp", "udunits2.h"));
  CHECK(is_found("physics/pump.cpp", "omp.h"));
  CHECK(is_found("core/parts/field.hpp", "fmt/format.h"));
  CHECK(is_found("core/field.cpp", "some_library/api.hpp"));
  CHECK_FALSE(is_found("twin/integration/integrator_monolithic.cpp", "cvode/cvode.h"));
  CHECK_FALSE(is_found("twin/results/hdf5/hdf5_file.cpp", "hdf5.h"));
  CHECK_FALSE(is_found("viz/hall/scene.cpp", "vtkActor.h"));
  CHECK_FALSE(is_found("core/parts/field.hpp", "string_view"));
}

TEST_CASE("files are short and headers say pragma once") { CHECK(lines_of(shape_violations(this_project())) == ""); }

TEST_CASE("a long file and a header that can be included twice are found") {
  std::string long_text = header;
  for (int line = 1; line < 400; ++line) long_text += "\n";
  CHECK(found_in(shape_violations, "core/a.hpp", long_text).empty());
  CHECK(found_in(shape_violations, "core/a.hpp", long_text + "\n").size() == 1);
  CHECK(found_in(shape_violations, "core/a.hpp", "#ifndef A\n#define A\n#endif\n").size() == 1);
  CHECK(found_in(shape_violations, "core/a.hpp", "// A file.\n\n" + header).empty());
}

TEST_CASE("no file names a folder of one machine") { CHECK(lines_of(machine_path_violations(this_project())) == ""); }

TEST_CASE("a folder of one machine is found") {
  const std::string home = std::string("/ho") + "me/somebody/data";
  CHECK(found_in(machine_path_violations, "docs/a.md", "see " + home + "\n").size() == 1);
  CHECK(found_in(machine_path_violations, "scripts/a", "cd \"" + home + "\"\n").size() == 1);
  CHECK(found_in(machine_path_violations, "docs/a.md", "see docs" + home + "\n").empty());
}

TEST_CASE("tests have folders of their own and read no clock") {
  CHECK(lines_of(test_surroundings_violations(this_project())) == "");
}

TEST_CASE("a test that takes a shared folder or reads a clock is found") {
  const std::string shared = "const auto folder = fs::temp_directory" + std::string("_path() / \"a\";\n");
  CHECK(found_in(test_surroundings_violations, "tests/unit/a.cpp", shared).size() == 1);
  CHECK(found_in(test_surroundings_violations, "twin/run/a.cpp", shared).empty());
  const std::string clock = "const auto now = std::chrono::steady_clock" + std::string("::now();\n");
  CHECK(found_in(test_surroundings_violations, "tests/unit/a.cpp", clock).size() == 1);
}

TEST_CASE("a test whose name Catch2 reads as an option is found") {
  const std::string option = "TEST_CASE(" + std::string("\"--set holds\") {}\n");
  CHECK(found_in(test_surroundings_violations, "tests/unit/a.cpp", option).size() == 1);
}

TEST_CASE("every cited source is in the bibliography, once") {
  CHECK(lines_of(citation_violations(this_project())) == "");
}

TEST_CASE("a source that the bibliography does not know is found") {
  const std::string unknown = std::string("[") + "nobody2020]";
  CHECK(found_in(citation_violations, "physics/a.hpp", "int a;  // as in " + unknown + ", ch. 5\n").size() == 1);
  CHECK(found_in(citation_violations, "physics/a.hpp", std::string("// Source: [") + "nobody].\n").size() == 1);
  CHECK(found_in(citation_violations, "docs/a.md", "as " + unknown + " says\n").size() == 1);
  CHECK(found_in(citation_violations, "scenarios/a.yaml", "a: { value: 1 W, source: nobody }\n").size() == 1);
  CHECK(found_in(citation_violations, "scenarios/a.yaml", "source: [known2011, nobody]\n").size() == 1);
  CHECK(found_in(citation_violations, "scenarios/a.yaml", "a: 1 W  # " + unknown + "\n").size() == 1);
  CHECK(found_in(citation_violations, "docs/references.bib", "@book{a,\n}\n@misc{a,\n}\n").size() == 1);
  CHECK(found_in(citation_violations, "docs/references.bib", "@book{a,\n@misc{b,\n}\n").size() == 1);
  CHECK(found_in(citation_violations, "physics/a.hpp",
                 "int a;  // ["
                 "known2011], shape [nodes], rate[i2]\n")
            .empty());
  CHECK(found_in(citation_violations, "docs/a.md", "[known2011], a [link2](x.md)\n").empty());
}

TEST_CASE("links of the documents lead somewhere") { CHECK(lines_of(link_violations(this_project())) == ""); }

TEST_CASE("a link to nowhere is found") {
  CHECK(found_in(link_violations, "docs/a.md", "[b](b.md)\n").size() == 1);
  CHECK(found_in(link_violations, "README.md", "![picture](docs/b.png) and [c](docs/c.md#part)\n").size() == 2);
  CHECK(found_in(link_violations, "docs/a.md", "[self](a.md#part) [web](https://example.org) [up](../docs)\n").empty());
}

TEST_CASE("documents and messages use the words of docs/terminology.md") {
  CHECK(lines_of(word_violations(this_project())) == "");
}

TEST_CASE("a word that must not come back is found") {
  const auto count = [](const std::string& file, const std::string& text) {
    PlantedProject project;
    project.plant(
        "docs/terminology.md",
        "## Words that do not come back\n| not | write |\n|---|---|\n| `in place of\\|\\bwhom\\b` | instead of |\n");
    project.plant(file, text);
    return word_violations(project.read()).size();
  };
  CHECK(count("docs/a.md", "water in place of air\n") == 1);
  CHECK(count("docs/a.md", "In place of air, whom\n") == 1);
  CHECK(count("docs/a.md", "`in place of` [a](in place of)\n```\nin place of\n```\n") == 0);
  CHECK(count("twin/a.cpp", header + "const char* a = \"water in place of air\";\n") == 1);
  CHECK(count("twin/a.cpp", header + "int a;  // \"water in place of air\"\n") == 0);
  CHECK(count("tests/unit/a.cpp", header + "const char* a = \"water in place of air\";\n") == 0);
}

TEST_CASE("what the descriptions of the code name is in the code") {
  CHECK(lines_of(description_violations(this_project())) == "");
}

TEST_CASE("the page of seams names all groups of the results file") {
  CHECK(lines_of(group_violations(this_project())) == "");
}

TEST_CASE("a group of the results file that the page of seams leaves out is found") {
  PlantedProject project;
  project.plant("docs/seams.md", "The groups are `pumps`.\n");
  project.plant("physics/water/a.hpp", header + "static constexpr PartTable table{\"pumps\", \"pump\"};\n");
  CHECK(group_violations(project.read()).empty());
  project.plant("twin/run/a.cpp", "RecordedTable table{table_of(\"buses\", \"bus\", {})};\n");
  CHECK(group_violations(project.read()) ==
        Violations{"docs/seams.md does not name the group buses of the results file"});
}

TEST_CASE("a description of what is not there is found") {
  const auto count = [](const std::string& text) {
    return found_in(description_violations, "docs/seams.md", text).size();
  };
  CHECK(count("see `twin/nowhere.hpp` and `docs/nothing`\n") == 2);
  CHECK(count("see `Nothing::at_all`\n") == 1);
  CHECK(count("| promise | *a test that nobody wrote* |\n") == 1);
  CHECK(count("```cpp\nint a;\n```\n") == 1);
  CHECK(count("see `docs/references.bib`, `cdu_1.pump_*`, `(P - base) / overhead`, *this* and **that**\n") == 0);
  PlantedProject project;
  project.plant("docs/seams.md", "`A::b` in\n```cpp\nstruct A {\n  int b;\n};\n```\n| c | *it works* |\n");
  project.plant("twin/a.hpp", header + "struct A { int b; };\n");
  project.plant("tests/unit/a.cpp", "TEST_CASE(\"it works\") {}\n");
  CHECK(description_violations(project.read()).empty());
}

}  // namespace wattloop::tests
