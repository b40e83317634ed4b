#include "api/engine/open_hall.hpp"
#include "api/library/figures.hpp"
#include "api/library/raised.hpp"
#include "twin/run/act.hpp"

#include <wattloop/hall.hpp>

namespace wattloop {
inline namespace v0 {

using library::as_declared;

struct Hall::State {
  std::unique_ptr<engine::OpenHall> hall;
};

namespace {

engine::HallMethod method_of(const HallOptions& options) {
  engine::HallMethod method;
  method.run.integrator = options.integrator;
  method.threads = options.threads;
  method.on_note = options.on_note;
  method.on_warning = options.on_warning;
  return method;
}

twin::LiveHandle handle_of(const Series& series) {
  twin::LiveHandle handle{series.table, series.column, {}, series.layout};
  if (series.item != Series::all_items) handle.item = series.item;
  return handle;
}

Series series_of(const twin::LiveHandle& handle) {
  return {handle.table, handle.column, handle.item.value_or(Series::all_items), handle.layout};
}

SeriesInfo info_of(const twin::LiveSeries& all, const twin::LiveHandle& handle) {
  const twin::ColumnSpec& spec = all.spec(handle);
  SeriesInfo info{.table = all.tables()[handle.table].spec.group,
                  .column = spec.name,
                  .unit = spec.unit,
                  .text = spec.long_name,
                  .items = all.items(handle.table),
                  .series = series_of(handle)};
  if (handle.item && !info.items.empty()) info.items = {info.items[*handle.item]};
  return info;
}

/// The hall inside; a hall that was moved away has none.
template <class State>
engine::OpenHall& opened(const std::unique_ptr<State>& state) {
  if (state) return *state->hall;
  throw engine::Misuse("the hall was moved to another one: use that one");
}

double only(std::span<const double> found, const char* what, const std::string& many) {
  if (found.size() == 1) return found.front();
  throw InputError("a series of many values was asked for one",
                   {{what, 0, 0, "the series has many values", "`" + many + "` gives all of them; or name one part"}});
}

}  // namespace

Hall::Hall(std::unique_ptr<State> state) : state_(std::move(state)) {}
Hall::Hall(Hall&&) noexcept = default;
Hall& Hall::operator=(Hall&&) noexcept = default;
Hall::~Hall() = default;

Hall::Hall(const std::filesystem::path& scenario, const HallOptions& options) : state_(std::make_unique<State>()) {
  as_declared([&] {
    const engine::GivenScenario given{scenario, {}, library::overrides_of(options.set, options.events)};
    state_->hall = std::make_unique<engine::OpenHall>(given, method_of(options));
  });
}

Hall Hall::from_text(std::string_view text, const std::filesystem::path& name, const HallOptions& options) {
  return as_declared([&] {
    auto state = std::make_unique<State>();
    const engine::GivenScenario given{name, text, library::overrides_of(options.set, options.events)};
    state->hall = std::make_unique<engine::OpenHall>(given, method_of(options));
    return Hall(std::move(state));
  });
}

Hall Hall::from_snapshot(std::string_view bytes, const HallOptions& options) {
  return as_declared([&] {
    auto state = std::make_unique<State>();
    state->hall = std::make_unique<engine::OpenHall>(engine::snapshot_of(bytes), method_of(options));
    return Hall(std::move(state));
  });
}

double Hall::time_s() const {
  return as_declared([&] { return opened(state_).time_s(); });
}
double Hall::end_s() const {
  return as_declared([&] { return opened(state_).end_s(); });
}

bool Hall::advance_to(double time_s, const std::function<bool()>& is_stop_requested) {
  library::Called<> asked(is_stop_requested, true);
  const bool has_arrived = as_declared([&] { return opened(state_).advance_to(time_s, asked.function()); });
  asked.rethrow();
  return has_arrived;
}

void Hall::act(std::string_view event) {
  as_declared([&] { opened(state_).act(event); });
}

void Hall::set(std::string_view input, double value) {
  as_declared([&] { opened(state_).set(input, value); });
}

void Hall::set(std::string_view input, std::string_view value_with_unit) {
  as_declared([&] { opened(state_).set(input, value_with_unit); });
}

void Hall::set(std::string_view input, std::span<const double> values) {
  as_declared([&] { opened(state_).set(input, values); });
}

Hall Hall::fork() const {
  return as_declared([&] {
    auto state = std::make_unique<State>();
    state->hall = opened(state_).fork();
    return Hall(std::move(state));
  });
}

Series Hall::series(std::string_view table, std::string_view column) const {
  return as_declared([&] { return series_of(opened(state_).series().column(table, column)); });
}

Series Hall::series(std::string_view part_and_column) const {
  return as_declared([&] { return series_of(opened(state_).series().named(part_and_column)); });
}

std::span<const double> Hall::values(Series series) {
  return as_declared([&] { return opened(state_).values(handle_of(series)); });
}

double Hall::value(Series series) { return only(values(series), "value", "values"); }

void Hall::meter(Series series) {
  as_declared([&] { opened(state_).meter(handle_of(series)); });
}

std::span<const double> Hall::means(Series series, std::optional<double> since_s) {
  return as_declared([&] { return opened(state_).means(handle_of(series), since_s); });
}

double Hall::mean(Series series, std::optional<double> since_s) {
  return only(means(series, since_s), "mean", "means");
}

SeriesInfo Hall::info(Series series) const {
  return as_declared([&] {
    opened(state_).demand(handle_of(series));
    return info_of(opened(state_).series(), handle_of(series));
  });
}

std::vector<SeriesInfo> Hall::all_series() const {
  return as_declared([&] {
    const twin::LiveSeries& all = opened(state_).series();
    std::vector<SeriesInfo> found;
    for (std::size_t table = 0; table < all.tables().size(); ++table) {
      for (std::size_t column = 0; column < all.tables()[table].columns.size(); ++column)
        found.push_back(info_of(all, {table, column, {}, all.layout()}));
    }
    return found;
  });
}

std::vector<wattloop::v0::Part> Hall::parts() const {
  return as_declared([&] {
    std::vector<v0::Part> found;
    for (twin::PartRow& row : twin::part_list(opened(state_).plant()))
      found.push_back(
          {std::move(row.name), std::move(row.kind), std::move(row.hangs_on), std::move(row.events), row.rated_w});
    return found;
  });
}

std::vector<Input> Hall::inputs() const {
  return as_declared([&] {
    const std::vector<double> values = opened(state_).settings();
    std::vector<Input> found;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const twin::SettingPart& setting = opened(state_).plant().settings[k];
      const std::optional<twin::NumberLimits> limits = twin::limits_of_input(setting.name);
      if (limits)
        found.push_back({setting.name, std::string(setting.unit), limits->lowest, limits->highest, values[k]});
    }
    return found;
  });
}

std::vector<Event> Hall::events(std::size_t first) const {
  return as_declared([&] {
    std::vector<Event> found;
    for (twin::EventRecord& event : opened(state_).events(first))
      found.push_back({event.time_s, std::move(event.kind), std::move(event.target), std::move(event.detail)});
    return found;
  });
}

std::vector<Figure> Hall::summary() const {
  return as_declared([&] { return library::figures_of(opened(state_).summary()); });
}

std::string Hall::scenario() const {
  return as_declared([&] { return opened(state_).scenario(); });
}

void Hall::save_scenario(const std::filesystem::path& file) const {
  as_declared([&] { opened(state_).save_scenario(file); });
}

std::string Hall::snapshot() const {
  return as_declared([&] { return engine::bytes_of(opened(state_).snapshot()); });
}

void Hall::record_to(const std::filesystem::path& results) {
  as_declared([&] { opened(state_).record_to(results); });
}

}  // namespace v0
}  // namespace wattloop
