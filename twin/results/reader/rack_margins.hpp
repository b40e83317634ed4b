// How far each rack is from the limit that is nearest to it, from its records and the limits that a run keeps beside them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twin/results/reader/results_reader.hpp"

namespace wattloop::twin {

/// What acts on the work of a rack: firmware on dies and on inlet air, the end of what is known of its coolant.
enum class RackLimit : std::uint8_t { die, inlet_air, coolant };
inline constexpr std::size_t rack_limit_count = 3;

/// The column of `racks` that a limit is of; the column of `rack_limits` that has the limit has the same name.
struct RackLimitText {
  RackLimit limit;
  std::string_view column, words;
};
inline constexpr std::array<RackLimitText, rack_limit_count> rack_limit_texts{
    {{RackLimit::die, "max_die_temperature", "die"},
     {RackLimit::inlet_air, "inlet_air_temperature", "inlet air"},
     {RackLimit::coolant, "return_temperature", "coolant"}}};

constexpr const RackLimitText& text_of(RackLimit limit) { return rack_limit_texts[static_cast<std::size_t>(limit)]; }

/// The group with the limits: a record at the begin, of all racks.
inline constexpr std::string_view rack_limits_group = "rack_limits";

struct RackMargin {
  float margin_k = std::numeric_limits<float>::quiet_NaN();  ///< negative: beyond the limit; not a number: no limit
  RackLimit nearest = RackLimit::die;
  bool has_limit() const { return margin_k == margin_k; }
};

/// Limits are read once. Every function throws `FileError` where the file cannot be read.
class RackMargins {
 public:
  explicit RackMargins(const ResultsReader& results);

  /// Whether the file has limits and what is compared with them; files of earlier versions have none.
  bool are_known() const { return !columns_.empty(); }

  /// Of all racks in the order of the group `racks`, at that row of it; empty where none is known.
  std::vector<RackMargin> at(const ResultsReader& results, std::size_t row) const;

  /// Of all racks to that limit alone; not a number where there is none.
  std::vector<float> to(const ResultsReader& results, std::size_t row, RackLimit limit) const;

  /// The limit of a rack, K; not a number where it has none.
  double limit_k(std::size_t rack, RackLimit limit) const;

 private:
  struct Column {
    RackLimitText text{};
    std::vector<float> limit_k{};  ///< [rack]
  };
  std::vector<Column> columns_{};
};

/// "inlet air 35 degC (160 racks), die 87 degC (2 racks)": which limits are nearest, that of most racks first; for legends, which have
/// little room, without the numbers of racks.
std::string nearest_limits_words(const RackMargins& margins, const std::vector<RackMargin>& at, bool has_counts = true);

/// Racks nearer than this to a limit are near it: there the scale of margins is grey.
inline constexpr float near_limit_k = 10.0F;

/// What plans show where no rack is near a limit, so that the differences of racks are seen.
struct QuietMargins {
  std::vector<float>
      margin_k{};  ///< to the nearest limit, or where all racks are as far from it, to the limit by which racks differ most
  std::string limits{};      ///< "die 87 degC": what these are margins to
  bool shows_other = false;  ///< these are not margins to the nearest limit
  std::string
      words{};  ///< "11.1 K to inlet air 35 degC, 12 racks within 0.1 K": the least margin of any rack to its nearest limit
  std::size_t least = 0;  ///< the rack that has it, the first of several
};

/// Nothing where a rack is near a limit, or none has one.
std::optional<QuietMargins> quiet_margins(const RackMargins& limits, const ResultsReader& results, std::size_t row);

}  // namespace wattloop::twin
