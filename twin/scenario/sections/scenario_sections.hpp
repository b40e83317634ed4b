// What a scenario may say, section by section, bound to a scenario that is being read.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "twin/document/document.hpp"
#include "twin/document/section.hpp"
#include "twin/scenario/specs/scenario.hpp"

namespace wattloop::twin {

/// A scenario while it is read, with what a Scenario keeps in another form than the file.
struct ScenarioDraft {
  Scenario scenario;
  int format = required_count;
  std::string initial = "settled";
  int seed = 1;
  std::optional<Node> gpu_fields;  ///< record.gpus.fields, checked when the GPUs' kind is known

  static constexpr auto fields() {
    using P = ScenarioDraft;
    return std::array{
        Field<P>{&P::format, "format", Range::positive, "Version of the scenario language: 1."},
        Field<P>{&P::initial, "initial", "settled|steady|cold",
                 "Start of the run. settled: the run begins in the steady state for the mean power of the work, then a "
                 "warm-up follows before time zero; the slowest water gives its duration, or `{ warm_up: 20 min }`. "
                 "steady: the run begins in the steady state of the first inputs. cold: all temperatures are the "
                 "supply temperature. `{ from: FILE, at: 10 min }`: a checkpoint "
                 "(docs/checkpoints.md)."},
        Field<P>{&P::seed, "seed", Range::non_negative, "Seed of all random numbers of the run."},
    };
  }
};

/// `hall.cooling` and `power`, of which most may be left out.
Section cooling_section(CoolingSpec& cooling);
Section power_section(PowerSpec& power);
Section crahs_section(CrahsSpec& crahs, std::string doc);
Section humidity_section(HumiditySpec& humidity);

/// `kind: transformer`, without checkpoint, storage and failures.
Section transformer_section(workload::TransformerParams& params);
/// Values that follow from others where they are not written.
void finish_transformer(const Node& map, workload::TransformerParams& params);

/// `checkpoint` and `storage` of a training job, and what contradicts them or is missing in the section around them.
Section checkpoint_section(workload::CheckpointParams& checkpoint);
Section storage_section(workload::StorageParams& storage);
void check_checkpoints(const Node& map, bool may_share_storage, Problems& problems);

/// `jobs.storage`, which jobs share (twin/scenario/sections/scenario_storage.cpp). map: that of `storage`, null where it is not written.
Section shared_storage_section(const Node* map, Scenario& scenario);
/// When the queue has been read: jobs that save and have no storage of their own use that of all jobs. `jobs` is the map of `jobs`.
void finish_shared_storage(const Node& jobs, Scenario& scenario, Problems& problems);
std::vector<FieldRow> shared_storage_rows();

/// The whole language. Its targets lie in `draft`, which must outlive the section.
Section scenario_section(ScenarioDraft& draft);

/// A key whose value is the name of another item of the scenario; it may be left out.
SpecialKey name_key(std::string key, std::string doc, std::string& name, Mention& mention);

/// Appends a spec for each name, with the section that fills it. No pointer into `specs` may exist, because it may be reallocated.
template <class Spec>
std::vector<Section> sections_by_name(std::vector<Spec>& specs, const FilePath& path,
                                      const std::vector<std::string>& names, Section (*section_of)(Spec&)) {
  const std::size_t first = specs.size();
  specs.resize(first + names.size());  // before any section points into it
  std::vector<Section> sections;
  for (std::size_t k = 0; k < names.size(); ++k) {
    Spec& spec = specs[first + k];
    spec.name = names[k];
    spec.path = path;
    spec.path.push_back(names[k]);
    spec.is_given = true;
    sections.push_back(section_of(spec));
  }
  return sections;
}

/// Devices of the library, read into what the scenario keeps of them.
Section node_device(NodeHardware& node);
Section cdu_device(LoopsSpec& loops);
Section rear_door_device(DoorsSpec& doors);
Section water_pump_device(WaterPumpsSpec& pumps);
Section cooling_tower_device(TowersSpec& towers);
Section chiller_device(ChillersSpec& chillers);
Section crah_device(CrahsSpec& crahs);
Section switch_device(NetworkSpec& network);
Section appliance_device(workload::ApplianceParams& appliance);

/// Keys of a modelled fabric, added to those of the network.
void add_fabric_keys(FabricSpec& spec, Section& network);
Section transformer_device(electrical::Transformer::Params& transformer);
Section generator_device(GeneratorsSpec& generators);
Section ups_device(PowerBlockSpec& block);
Section pdu_device(PowerBlockSpec& block);
Section psu_device(electrical::PsuParams& psu);
/// Equipment of whatever kind the device says, and its name in the library; nothing, with a problem, where it says another kind.
std::optional<electrical::Equipment> read_equipment(const Node& hardware, std::string& name, Problems& problems);
/// Calls `visit` with the section of each kind that may be a branch of `power.one_line`, at its defaults.
void visit_written_equipment(const std::function<void(const Section& device)>& visit);
std::optional<electrical::SourceEquipment> read_source_equipment(const Node& hardware, std::string& name,
                                                                 Problems& problems);

/// Work of each kind, with its default parameters.
std::vector<workload::AnyWork> work_of_each_kind();
/// `workload:`, of which `kind` decides what else it says: the section of the kind that `workload` has.
Section section_of(WorkloadSpec& workload);
SpecialKey workload_key(WorkloadSpec& workload);
void read_workload(const Node& map, const std::string& path, WorkloadSpec& workload, Problems& problems);
/// `failures:` of work or of jobs, at a path.
SpecialKey failures_key(const std::string& path, workload::FailureParams& failures);
/// `jobs:`, which stands in the place of `workload:`.
SpecialKey jobs_key(Scenario& scenario);
/// The same for a group of racks, which may leave it out.
SpecialKey group_workload_key(std::optional<WorkloadSpec>& workload);

/// Of a utility feed: its smallest short-circuit power is no more than its largest.
void check_feed(const Node& map, const electrical::UtilityFeed::Params& feed, Problems& problems);

/// Equipment of one block of power: of `power` itself, where it has no `blocks`, or of one of them.
std::vector<Section> equipment_sections(PowerBlockSpec& block);
/// `power.blocks`, by name.
SpecialKey blocks_key(PowerSpec& power);
/// What blocks and their redundancy must be beside each other; `map` is that of `power`.
void check_blocks(const Node& map, const PowerSpec& power, Problems& problems);

/// `power.one_line`: the diagram as drawn (twin/scenario/sections/power_one_line.cpp).
SpecialKey one_line_key(OneLineSpec& spec);
/// What stands beside it and may not, and what it has nothing of; `map` is that of `power`.
void check_one_line(const Node& map, const PowerSpec& power, Problems& problems);

/// `power.cords` and `power.absent`: where the one-line diagram differs from the regular one.
SpecialKey cords_key(std::vector<CordsSpec>& cords);
SpecialKey absent_key(NamesSpec& absent);

/// A name or a list of names, each where it is written.
void read_names(const Node& node, NamesSpec& names, Problems& problems);
SpecialKey names_key(std::string key, std::string doc, NamesSpec& names);

/// `weather:`: a design day or a file.
SpecialKey weather_key(WeatherSpec& weather);

/// `parts:`, by name.
SpecialKey parts_key(std::vector<PartSpec>& parts);

/// `sequences:`, by name; those of kind `follow` go to `followed`.
SpecialKey sequences_key(std::vector<SequenceSpec>& sequences, std::vector<FollowSpec>& followed);

/// `{ follow: { file: ..., column: ..., unit: ... } }` instead of a value (twin/scenario/sections/scenario_follow.cpp).
inline constexpr const char* follow_key = "follow";
bool says_follow(const Node& value);
FollowSpec read_follow(const Node& value, std::string setting, const FieldInfo& info, Problems& problems);
/// The keys themselves.
void read_follow_keys(MapReader& reader, FollowSpec& spec);
/// Their table.
std::vector<FieldRow> follow_rows();
/// When all has been read: the files that are followed; those of parts join `scenario.followed`, their settings begin as they do.
void read_followed(Scenario& scenario, Problems& problems);
/// Where files that are followed are named.
std::vector<Node*> names_of_followed_files(Node& root);

/// `events:`, in the order of the file.
SpecialKey events_key(std::vector<EventSpec>& events);

/// When all has been read: times of day and events that happen again become times after the start.
void place_events(Scenario& scenario, Problems& problems);

/// `economics:`, and the keys of a tariff.
SpecialKey economics_key(EconomicsSpec& economics);
std::vector<FieldRow> tariff_rows();

}  // namespace wattloop::twin
