#include "api/engine/quantities.hpp"
#include "api/engine/study_runs.hpp"
#include "api/library/figures.hpp"
#include "api/library/raised.hpp"
#include "twin/platform/version.hpp"

#include <wattloop/runs.hpp>

namespace wattloop {
inline namespace v0 {

using library::as_declared;

std::vector<Figure> run(const std::filesystem::path& scenario, const std::filesystem::path& results,
                        const HallOptions& options, const std::function<bool()>& is_stop_requested) {
  Hall hall(scenario, options);
  hall.record_to(results);
  if (!hall.advance_to(hall.end_s(), is_stop_requested)) return {};
  return hall.summary();
}

StudyTable study(const std::filesystem::path& file, const StudyOptions& options,
                 const std::function<bool(const StudyRow&)>& on_row) {
  library::Called<const StudyRow&> called(on_row, false);
  StudyTable finished = as_declared([&] {
    const engine::StudyRequest request{file, library::overrides_of(options.set, options.events), options.threads};
    const auto row_of = [](const twin::StudyRow& row) {
      return v0::StudyRow{row.run, row.cells, row.exit_code, row.message};
    };
    const twin::StudyTable made = engine::run_study(
        request, [&, report = called.function()](const twin::StudyRow& row) { return !report || report(row_of(row)); });
    v0::StudyTable table{.title = made.title, .columns = {}, .rows = {}};
    for (const twin::TableColumn& column : made.columns)
      table.columns.push_back(
          {column.name, column.unit, column.long_name, column.kind == twin::TableColumn::Kind::number});
    for (const twin::StudyRow& row : made.rows) table.rows.push_back(row_of(row));
    return table;
  });
  called.rethrow();
  return finished;
}

double to_si(std::string_view quantity, std::string_view si_unit) {
  return as_declared([&] { return engine::to_si(quantity, si_unit); });
}

double from_si(double value, std::string_view si_unit, std::string_view unit) {
  return as_declared([&] { return engine::from_si(value, si_unit, unit); });
}

std::string_view version() { return twin::version(); }
std::string_view instructions() { return engine::instructions_of_library(); }

}  // namespace v0
}  // namespace wattloop
