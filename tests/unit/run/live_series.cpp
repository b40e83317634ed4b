// Series of a run that is open: the value of one part is that part's, in every table, as the whole column has it.
#include "twin/run/recording/live_series.hpp"

#include <set>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/halls/lively_hall.hpp"
#include "twin/plant/snapshot/plant_snapshot.hpp"
#include "twin/run/hall_run.hpp"

using namespace wattloop;
using namespace wattloop::twin;

TEST_CASE("a part that is named has the value of its own place in the column of all", "[live_series]") {
  const tests::UnevenWork work;
  HallRun run(tests::lively_hall_scenario(), work);
  run.begin();
  run.advance_to(3.0);
  const LiveSeries series(run.plant());
  const PlantSnapshot now{run.plant(), run.state(), run.evaluation()};
  std::size_t tables_that_differ = 0;
  for (std::size_t table = 0; table < series.tables().size(); ++table) {
    const RecordedTable& of = series.tables()[table];
    const std::vector<std::string>& items = series.items(table);
    if (items.empty() || std::set<std::string>(items.begin(), items.end()).size() < items.size()) continue;
    std::set<double> different;
    for (const RecordedColumn& column : of.columns) {
      const LiveHandle all = series.column(of.spec.group, column.spec.name);
      std::vector<double> values(series.size(all));
      series.fill(all, now, values);
      for (const std::size_t item : {std::size_t{0}, items.size() / 2, items.size() - 1}) {
        const LiveHandle one = series.named(items[item] + "." + column.spec.name);
        if (one.table != table) continue;  // a part of several tables: the first that has the column
        INFO(of.spec.group << ": " << items[item] << "." << column.spec.name);
        REQUIRE(series.size(one) == 1);
        std::vector<double> value(1);
        series.fill(one, now, value);
        CHECK((value.front() == values.at(item) || (value.front() != value.front() && values[item] != values[item])));
        different.insert(value.front());
      }
    }
    tables_that_differ += different.size() > of.columns.size() ? 1 : 0;
  }
  CHECK(tables_that_differ >= 3);
}
