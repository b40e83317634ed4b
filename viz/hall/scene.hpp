// What a picture of the hall shows at one time: boxes, their values and the scales that colour them, from a
// results file.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twin/report/events/shown_time.hpp"
#include "twin/results/reader/records_at.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "viz/drawing/colour_map.hpp"
#include "viz/hall/condition.hpp"

namespace wattloop::viz {

/// Halls of at most this many racks are drawn with their nodes and GPUs.
inline constexpr std::size_t most_detailed_racks = 4;

struct SceneRequest {
  std::optional<double> at_s{};           ///< nothing: when a die is hottest
  std::string field = "die_temperature";  ///< see viz/hall/shown_field.hpp
  bool has_fixed_scales = false;          ///< the same for every run; else fitted to what is shown
  bool fits_quiet = false;                ///< but margins where nothing is near a limit
  std::string moment{};                   ///< why this time, in words
  bool is_isometric = false;              ///< a hall in three dimensions, else from above
  std::string rack{};                     ///< only this one, from the front; else all
  bool may_show_gpus = true;              ///< of a hall of a few racks
};

/// Which of a scene's scales colours a box.
enum class ScaleOf { parts, coolant, load };

/// A part of a box in a colour of its own.
struct ColouredShare {
  double share = 0.0;
  Colour colour{};
};

/// A line of the legend of jobs: "pretraining (1024 nodes)".
struct JobKey {
  std::string words{};
  Colour colour{};
};

/// A box with the value that colours it (°C, W, kW or % as the scale says); not a number where it has no
/// colour of its own.
struct SceneBox {
  twin::LayoutBox box;
  double value = std::numeric_limits<double>::quiet_NaN();
  ScaleOf scale = ScaleOf::parts;
  bool is_still = false;  ///< a pipe or a machine without water: its temperature says nothing
  Condition condition = Condition::running;
  std::string beyond{};                 ///< "loading 112.3 % where 100.0 % is allowed"; empty within its limits
  bool is_disabled = false;             ///< a generator that may not start
  double off_fraction = 0.0;            ///< of a rack's GPUs, whose nodes are off
  double throttled_fraction = 0.0;      ///< of a rack's GPUs
  std::vector<ColouredShare> shares{};  ///< of a rack by its jobs, which colour it instead of a value
  bool has_value() const { return value == value; }
  /// Is hatched: nothing in it turns or has power.
  bool is_without_work() const { return condition == Condition::idle || condition == Condition::dead; }
};

/// What a GPU does, as far as it was recorded.
enum class GpuState { running, throttled, off };

/// A number beside the title: "71.3 kW", "IT power".
struct KeyFigure {
  std::string value, caption;
};

/// A coolant loop: what flows out and comes back.
struct LoopNow {
  std::string name;
  double supply_c = std::numeric_limits<double>::quiet_NaN(), return_c = supply_c;
  bool is_still = false;
};

struct Scene {
  std::string title;
  double time_s = 0.0;
  bool is_hottest_time = false;   ///< the time was found, not asked for
  bool has_fixed_scales = false;  ///< else fitted to what is shown
  bool fits_quiet = false;        ///< but margins where nothing is near a limit
  std::string
      quiet_words{};  ///< where nothing is near a limit and the scale is fitted: the least margin of a rack, that of `highest`
  std::string nearest_limit{};         ///< of `highest`, where margins are shown: "inlet air 35 °C"; may be empty
  std::string moment{};                ///< why this time, in words; may be empty
  bool is_detailed = false;            ///< nodes and GPUs are drawn
  bool is_isometric = false;           ///< else a hall that is not detailed is seen from above
  std::string rack{};                  ///< the only one that is drawn, from the front
  std::vector<GpuState> gpu_states{};  ///< of the boxes of that rack; none where nothing is known
  std::vector<SceneBox> boxes;         ///< in the order of the layout, only what is drawn
  ColourScale parts;                   ///< GPUs, racks or what the field is of
  bool is_scaled_by_run = false;       ///< from the lowest to the highest of all that was recorded of it
  ColourScale coolant;                 ///< pipes and equipment that cools, °C
  ColourScale load;                    ///< electrical equipment, % of its rated power
  bool has_load = false;               ///< some equipment is coloured by it
  std::string part_unit;               ///< "°C", "W", "kW"
  int part_decimals = 1;               ///< of values in it
  bool is_least_worst = false;         ///< of margins and flows; of most fields the highest value is looked for
  bool are_margins = false;            ///< the field is the margin to a limit
  std::string_view extreme_word{};     ///< "hottest", "lowest": what is said of the most remarkable
  std::optional<std::size_t>
      highest;  ///< index of the box in the hall with the highest value of the field, of margins the least
  std::vector<JobKey> job_keys{};  ///< where jobs colour the racks
  std::vector<KeyFigure> key_figures;
  std::vector<LoopNow> loops;
  std::vector<std::string> wrong;  ///< in words, the cause first: "both feeds are open"; empty where all is well

  /// What stands outside of the hall, with the same scales; pictures show it apart, on a scale of its own.
  std::vector<SceneBox> outdoors;
  Scene outdoor_scene() const;

  /// Is `value` of the field more remarkable than `other`?
  bool is_beyond(double value, double other) const { return is_least_worst ? value < other : value > other; }
  /// "hottest, 88.1 °C", "least margin, 11.0 K to inlet air 35 °C", "7.2 K over inlet air 35 °C": what is said of the box that is framed.
  std::string extreme_text(double value) const;
  /// "32.0 to 33.4 °C": values on one of the scales.
  std::string range_text(ScaleOf scale, double low, double high) const;

  const ColourScale& scale_of(const SceneBox& shown) const {
    return shown.scale == ScaleOf::coolant ? coolant : shown.scale == ScaleOf::load ? load : parts;
  }
};

/// Throws FileError for results without a hall to draw.
void demand_layout(const twin::ResultsReader& results, const std::string& file_name);

/// What stands in a hall and hangs together at all times: read once for many scenes.
struct Hall {
  std::vector<twin::LayoutBox> layout{};
  twin::Topology topology{};
  std::string title{};  ///< of the run, with its verdict
};

/// Throws FileError as above.
Hall read_hall(const twin::ResultsReader& results, const std::string& file_name);

/// Whether single GPUs, and of which rack: their records, rarer than those of racks, are the times that can be shown. Throws as below.
twin::Shown what_is_shown(const twin::ResultsReader& results, const Hall& hall, const SceneRequest& request);

/// Reads the scene. Throws `InputError` where the file has no such field or the time is outside of the run,
/// `FileError` where the file has no layout.
Scene read_scene(const twin::ResultsReader& results, const SceneRequest& request, const std::string& file_name);
Scene read_scene(const twin::ResultsReader& results, const Hall& hall, const SceneRequest& request);

/// Values of one column at `time_s` (twin/results/reader/records_at.hpp); empty where it was not recorded.
std::vector<float> values_at(const twin::ResultsReader& results, const std::string& group, const std::string& column,
                             double time_s);

using twin::nearest_row;

}  // namespace wattloop::viz
