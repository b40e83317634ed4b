// The catalog of kinds of parts: everything that is known of a kind without knowing the kind. A kind is one header with a
// struct that satisfies `Part`, and a name in twin/parts/part_kinds.hpp.
#pragma once

#include <any>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/parts/field.hpp"
#include "core/parts/limit.hpp"
#include "core/parts/part.hpp"
#include "core/parts/writable_part.hpp"
#include "twin/parts/part_set.hpp"

namespace wattloop::twin {

/// A column of the results that a kind has.
struct PartColumn {
  std::string_view name, unit, text;
  std::string_view numerator, denominator;  ///< of a ratio of means; empty: no ratio
};

/// A declared limit of a kind.
struct PartLimit {
  std::size_t column;  ///< of the kind
  Beyond beyond;
  Side side;
  std::string_view why;
};

/// A port of a kind, as assembly and readers see it.
struct PartPort {
  std::string_view name;
  PortMedium medium;
  Numbers seen, done;     ///< of Now and of Effect
  std::string_view unit;  ///< of a reading
  bool is_passage;        ///< a fluid flows in here, through the part, and out
  bool is_moved_by_own_motor;
  Numbers imposed_flow;
  bool may_precool;
  std::string_view inside;
  UseOfPower use;
  Numbers speed;
  double (*volume_m3)(const std::any& params);  ///< of a passage
  double (*design_kg_per_s)(const std::any& params);
  double (*restart_delay_s)(const std::any& params);  ///< of a motor
};

struct PartSetting {
  std::size_t number;  ///< of Now
  FieldInfo info;
  bool is_of_system;  ///< not its own: that of the system whose water it makes
};

/// What a scenario needs to name parts of a kind under `parts`.
struct WritablePart {
  std::any (*default_params)();
  std::vector<FieldRef> (*fields)(std::any& params);
  /// As they are with that liquid in a passage instead of water.
  std::any (*in_liquid)(const std::any& params, std::string_view port, const LiquidBesideWater& liquid);
  std::vector<StateInfo> states;  ///< [number of State]
  std::size_t first_state_seen;   ///< of Now
  std::size_t first_rate_done;    ///< of Effect
  std::size_t now_count, effect_count;
  std::vector<PartPort> ports;
  std::vector<PartSetting> settings;
  std::vector<PartSetting> faults;  ///< settings of what may go wrong (core/parts/fault_setting.hpp)
};

/// A kind of part, erased.
struct PartKind {
  std::string_view name;  ///< "cdu_valve"
  std::string_view doc;   ///< one sentence

  Box box;                           ///< in drawings
  PartTable table;                   ///< no group: its parts are not in results
  std::vector<PartColumn> columns;   ///< of the table
  std::vector<RatedColumn> ratings;  ///< what parts are rated for
  std::vector<PartLimit> limits;
  std::vector<WatchedAs> watched;  ///< over a run
  std::vector<bool> is_given;      ///< [number of Now] a value, not a signal

  std::unique_ptr<PartSet> (*make_set)();

  std::optional<WritablePart> written;  ///< of kinds that scenarios may name
};

/// All kinds, in the order in which they add to sinks.
std::span<const PartKind> part_kinds();

/// Number of a column of a kind by its name; throws std::logic_error for one that it does not have.
std::size_t column_number(const PartKind& kind, std::string_view name);

/// Number of the kind of that name; throws std::logic_error for one that is not in the catalog.
std::size_t part_kind_number(std::string_view name);

/// The kind of that name if scenarios may name it; else nullptr.
const PartKind* find_written_kind(std::string_view name);

}  // namespace wattloop::twin
