// The functions of wattloop/wattloop.h, on top of the headers for C++.
#include <wattloop/wattloop.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <nlohmann/json.hpp>

#include <wattloop/wattloop.hpp>

struct wattloop_error {
  wattloop_status status;
  std::string text;
};

struct wattloop_hall {
  wattloop::Hall hall;
};

namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const wattloop::InputError& error) {
  std::string text;
  for (const wattloop::Problem& problem : error.problems()) {
    if (!text.empty()) text += '\n';
    if (!problem.file.empty()) text += problem.file + ':';
    if (problem.line > 0) text += std::to_string(problem.line) + ':' + std::to_string(problem.column) + ':';
    text += (text.empty() || text.back() != ':' ? "" : " ") + problem.message;
    if (!problem.hint.empty()) text += " (" + problem.hint + ')';
  }
  return text.empty() ? error.what() : text;
}

wattloop_status fail(wattloop_error** error, wattloop_status status, std::string text) noexcept {
  if (error != nullptr) *error = new (std::nothrow) wattloop_error{status, std::move(text)};
  return status;
}

/// What `step` does, with its exceptions as statuses.
template <class Step>
wattloop_status guarded(wattloop_error** error, const Step& step) noexcept {
  if (error != nullptr) *error = nullptr;
  try {
    step();
    return WATTLOOP_OK;
  } catch (const wattloop::InputError& wrong) {
    return fail(error, WATTLOOP_INPUT_ERROR, text_of(wrong));
  } catch (const wattloop::SolverError& wrong) {
    return fail(error, WATTLOOP_SOLVER_ERROR, wrong.what());
  } catch (const wattloop::FileError& wrong) {
    return fail(error, WATTLOOP_FILE_ERROR, wrong.what());
  } catch (const std::exception& wrong) {
    return fail(error, WATTLOOP_USAGE_ERROR, wrong.what());
  }
}

/// What `step` returns; not a number where it cannot.
template <class Step>
double number_of(const Step& step) noexcept {
  double number = std::numeric_limits<double>::quiet_NaN();
  guarded(nullptr, [&] { number = step(); });
  return number;
}

/// The object that `make` returns, or null.
template <class Make>
auto made(wattloop_error** error, const Make& make) noexcept -> decltype(make()) {
  decltype(make()) object = nullptr;
  guarded(error, [&] { object = make(); });
  return object;
}

template <class T>
T& given(T* pointer, const char* what) {
  if (pointer == nullptr) throw wattloop::UsageError(std::string("expected ") + what + ", found NULL");
  return *pointer;
}

std::string_view text_at(const char* text, const char* what) { return &given(text, what); }

wattloop::HallOptions options_of(const wattloop_options* options) {
  wattloop::HallOptions all;
  if (options == nullptr) return all;
  if (options->set_count > 0) given(options->set, "texts to set");
  if (options->event_count > 0) given(options->events, "events");
  for (std::size_t k = 0; k < options->set_count; ++k) all.set.emplace_back(text_at(options->set[k], "a text to set"));
  for (std::size_t k = 0; k < options->event_count; ++k)
    all.events.emplace_back(text_at(options->events[k], "an event"));
  if (options->integrator != nullptr) all.integrator = options->integrator;
  if (options->threads > 0) all.threads = options->threads;
  return all;
}

wattloop::Series series_of(const wattloop_series& series) {
  return {.table = series.table, .column = series.column, .item = series.item, .layout = series.layout};
}

wattloop_series handle_of(const wattloop::Series& series) {
  return {series.table, series.column, series.item, series.layout};
}

/// Of the caller, who frees it.
char* owned_text(std::string_view text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

char* json_text(const Json& json) { return owned_text(json.dump(-1, ' ', false, Json::error_handler_t::replace)); }

Json json_of(const wattloop::SeriesInfo& info) {
  return {
      {"table", info.table}, {"column", info.column}, {"unit", info.unit}, {"text", info.text}, {"items", info.items}};
}

Json json_of(const wattloop::Part& part) {
  return {{"name", part.name},
          {"kind", part.kind},
          {"hangs_on", part.hangs_on},
          {"events", part.events},
          {"rated_W", part.rated_w}};
}

Json json_of(const wattloop::Input& input) {
  return {{"name", input.name},
          {"unit", input.unit},
          {"lowest", input.lowest},
          {"highest", input.highest},
          {"value", input.value}};
}

Json json_of(const wattloop::Event& event) {
  return {{"time_s", event.time_s}, {"kind", event.kind}, {"target", event.target}, {"detail", event.detail}};
}

Json json_of(const wattloop::Figure& figure) {
  Json value = std::visit([](const auto& number) { return Json(number); }, figure.value);
  return {{"name", figure.name}, {"value", std::move(value)}, {"unit", figure.unit}, {"text", figure.text}};
}

template <class List>
Json list_of(const List& list) {
  Json all = Json::array();
  for (const auto& one : list) all.push_back(json_of(one));
  return all;
}

}  // namespace

extern "C" {

const char* wattloop_version() {
  static const std::string version(wattloop::version());
  return version.c_str();
}

wattloop_status wattloop_error_status(const wattloop_error* error) {
  return error == nullptr ? WATTLOOP_OK : error->status;
}
const char* wattloop_error_text(const wattloop_error* error) { return error == nullptr ? "" : error->text.c_str(); }
void wattloop_error_free(wattloop_error* error) { delete error; }
void wattloop_free(char* text) { std::free(text); }

wattloop_hall* wattloop_hall_open(const char* scenario, const wattloop_options* options, wattloop_error** error) {
  return made(error, [&] {
    return new wattloop_hall{
        wattloop::Hall(std::filesystem::path(text_at(scenario, "a scenario")), options_of(options))};
  });
}

wattloop_hall* wattloop_hall_from_text(const char* text, const char* name, const wattloop_options* options,
                                       wattloop_error** error) {
  return made(error, [&] {
    return new wattloop_hall{wattloop::Hall::from_text(text_at(text, "the text of a scenario"),
                                                       text_at(name, "a name of the scenario"), options_of(options))};
  });
}

wattloop_hall* wattloop_hall_from_snapshot(const char* bytes, size_t size, const wattloop_options* options,
                                           wattloop_error** error) {
  return made(error, [&] {
    return new wattloop_hall{
        wattloop::Hall::from_snapshot(std::string_view(&given(bytes, "a snapshot"), size), options_of(options))};
  });
}

wattloop_hall* wattloop_hall_fork(const wattloop_hall* hall, wattloop_error** error) {
  return made(error, [&] { return new wattloop_hall{given(hall, "a hall").hall.fork()}; });
}

void wattloop_hall_free(wattloop_hall* hall) { delete hall; }

double wattloop_time_s(const wattloop_hall* hall) {
  return number_of([&] { return given(hall, "a hall").hall.time_s(); });
}
double wattloop_end_s(const wattloop_hall* hall) {
  return number_of([&] { return given(hall, "a hall").hall.end_s(); });
}

wattloop_status wattloop_advance_to(wattloop_hall* hall, double time_s, wattloop_error** error) {
  return guarded(error, [&] { given(hall, "a hall").hall.advance_to(time_s); });
}

wattloop_status wattloop_act(wattloop_hall* hall, const char* event, wattloop_error** error) {
  return guarded(error, [&] { given(hall, "a hall").hall.act(text_at(event, "an event")); });
}

wattloop_status wattloop_set(wattloop_hall* hall, const char* input, double value, wattloop_error** error) {
  return guarded(error, [&] { given(hall, "a hall").hall.set(text_at(input, "an input"), value); });
}

wattloop_status wattloop_set_array(wattloop_hall* hall, const char* input, const double* values, size_t size,
                                   wattloop_error** error) {
  return guarded(error, [&] {
    const double* first = size > 0 ? &given(values, "an array of values") : values;
    given(hall, "a hall").hall.set(text_at(input, "an input"), std::span<const double>(first, size));
  });
}

wattloop_status wattloop_find_series(const wattloop_hall* hall, const char* table, const char* column,
                                     wattloop_series* series, wattloop_error** error) {
  return guarded(error, [&] {
    given(series, "a place for the series") =
        handle_of(given(hall, "a hall").hall.series(text_at(table, "a table"), text_at(column, "a column")));
  });
}

wattloop_status wattloop_find_part_series(const wattloop_hall* hall, const char* part_and_column,
                                          wattloop_series* series, wattloop_error** error) {
  return guarded(error, [&] {
    given(series, "a place for the series") =
        handle_of(given(hall, "a hall").hall.series(text_at(part_and_column, "a part and a column")));
  });
}

size_t wattloop_value_count(const wattloop_hall* hall, wattloop_series series) {
  std::size_t count = 0;
  guarded(nullptr, [&] {
    const wattloop::SeriesInfo info = given(hall, "a hall").hall.info(series_of(series));
    count = std::max<std::size_t>(1, info.items.size());
  });
  return count;
}

wattloop_status wattloop_get_values(wattloop_hall* hall, wattloop_series series, double* values, size_t size,
                                    wattloop_error** error) {
  return guarded(error, [&] {
    const std::span<const double> all = given(hall, "a hall").hall.values(series_of(series));
    if (size < all.size())
      throw wattloop::UsageError("expected room for " + std::to_string(all.size()) + " values, found " +
                                 std::to_string(size));
    std::ranges::copy(all, &given(values, "an array of values"));
  });
}

wattloop_status wattloop_get_value(wattloop_hall* hall, wattloop_series series, double* value, wattloop_error** error) {
  return guarded(error,
                 [&] { given(value, "a place for the value") = given(hall, "a hall").hall.value(series_of(series)); });
}

char* wattloop_series_unit(const wattloop_hall* hall, wattloop_series series, wattloop_error** error) {
  return made(error, [&] { return owned_text(given(hall, "a hall").hall.info(series_of(series)).unit); });
}

char* wattloop_describe_json(const wattloop_hall* hall, wattloop_error** error) {
  return made(error, [&] {
    const wattloop::Hall& all = given(hall, "a hall").hall;
    return json_text(Json{
        {"series", list_of(all.all_series())}, {"parts", list_of(all.parts())}, {"inputs", list_of(all.inputs())}});
  });
}

char* wattloop_events_json(const wattloop_hall* hall, size_t first, wattloop_error** error) {
  return made(error, [&] { return json_text(list_of(given(hall, "a hall").hall.events(first))); });
}

char* wattloop_summary_json(const wattloop_hall* hall, wattloop_error** error) {
  return made(error, [&] { return json_text(list_of(given(hall, "a hall").hall.summary())); });
}

char* wattloop_scenario(const wattloop_hall* hall, wattloop_error** error) {
  return made(error, [&] { return owned_text(given(hall, "a hall").hall.scenario()); });
}

wattloop_status wattloop_save_scenario(const wattloop_hall* hall, const char* file, wattloop_error** error) {
  return guarded(error, [&] { given(hall, "a hall").hall.save_scenario(text_at(file, "a file")); });
}

char* wattloop_snapshot(const wattloop_hall* hall, size_t* size, wattloop_error** error) {
  return made(error, [&] {
    const std::string bytes = given(hall, "a hall").hall.snapshot();
    given(size, "a place for the size") = bytes.size();
    return owned_text(bytes);
  });
}

wattloop_status wattloop_record_to(wattloop_hall* hall, const char* results, wattloop_error** error) {
  return guarded(
      error, [&] { given(hall, "a hall").hall.record_to(std::filesystem::path(text_at(results, "a results file"))); });
}

}  // extern "C"
