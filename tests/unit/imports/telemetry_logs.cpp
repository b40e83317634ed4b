// Readers of logs of power, format by format, down to what a replay reads of the trace.
#include "tests/support/catch.hpp"
#include "tests/unit/imports/log_folder.hpp"

using namespace wattloop;
using namespace wattloop::tests;
using Catch::Matchers::Contains;

namespace {

using Values = std::vector<double>;

twin::TelemetryOptions with_boundary(const std::string& boundary) {
  twin::TelemetryOptions options;
  options.log.boundary = boundary;
  return options;
}

}  // namespace

TEST_CASE("nvidia-smi logs are read in any order of columns, with units, missing cells and repeated heads",
          "[imports]") {
  LogFolder logs;
  logs.write("n1.csv",
             "power.draw [W], timestamp, name, index\n"
             "612.34 W, 2023/09/15 10:23:45.123, NVIDIA H100, 0\n"
             "70.10 W, 2023/09/15 10:23:45.126, NVIDIA H100, 1\n"
             "613.5 W, 2023/09/15 10:23:45.223, NVIDIA H100, 0\n"
             "[Not Supported], 2023/09/15 10:23:45.226, NVIDIA H100, 1\n"
             "power.draw [W], timestamp, name, index\n"
             "614 W, 2023/09/15 10:23:45.324, NVIDIA H100, 0\n"
             "[N/A], 2023/09/15 10:23:45.326, NVIDIA H100, 1\n"
             "615 W, 2023/09/15 10:23:45.423, NVIDIA H100, 0\n"
             "71.25 W, 2023/09/15 10:23:45.427, NVIDIA H100, 1\n");
  const twin::ImportedTelemetry imported = logs.import();
  CHECK(imported.log.format == "nvidia-smi");
  CHECK(imported.boundary == "board");
  CHECK(imported.meaning() == "gpu");
  CHECK(imported.log.missing_cells == 2);
  CHECK(imported.log.repeated_heads == 1);
  CHECK(imported.trace.names == std::vector<std::string>{"gpu_0", "gpu_1"});
  CHECK_FALSE(imported.trace.has_means);
  const workload::PowerTrace trace = logs.replayed(imported);
  CHECK(trace.stamps_s == Values{0.0, 0.1, 0.201, 0.3});
  CHECK(column_of(trace, 0) == Values{612.34, 613.5, 614.0, 615.0});
  CHECK(column_of(trace, 1) == Values{70.1, 70.1, 70.1, 71.25});
  CHECK(twin::clock_text(twin::ClockKind::date, imported.facts.begin_s) == "2023-09-15T10:23:45.123");
}

TEST_CASE("logs of several nodes become columns of one trace, node by node", "[imports]") {
  const std::string head = "timestamp, index, power.draw [W]\n";
  LogFolder logs;
  logs.write("n1.csv", head +
                           "2023/09/15 10:00:00.000, 1, 101\n2023/09/15 10:00:00.000, 0, 100\n2023/09/15 10:00:01.000, "
                           "1, 111\n2023/09/15 10:00:01.000, 0, 110\n");
  logs.write("n2.csv", head + "2023/09/15 10:00:00.100, 0, 200\n2023/09/15 10:00:01.100, 0, 210\n");
  const twin::ImportedTelemetry imported = logs.import();
  CHECK(imported.trace.names == std::vector<std::string>{"n1.gpu_0", "n1.gpu_1", "n2.gpu_0"});
  const workload::PowerTrace trace = logs.replayed(imported);
  CHECK(trace.stamps_s == Values{0.0, 1.0});
  CHECK(column_of(trace, 0) == Values{100.0, 110.0});
  CHECK(column_of(trace, 1) == Values{101.0, 111.0});
  CHECK(column_of(trace, 2) == Values{200.0, 210.0});
}

TEST_CASE("means of the energy counter of DCGM are its differences, and resets and old readings are noticed",
          "[imports]") {
  const auto sample = [](const std::string& gpu, double mj, long ms) {
    return "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{gpu=\"" + gpu +
           "\",UUID=\"GPU-a\",Hostname=\"n1\",modelName=\"NVIDIA H100\"} " + std::to_string(mj) + " " +
           std::to_string(ms) + "\n";
  };
  LogFolder logs;
  logs.write("scrapes.prom",
             "# HELP DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION Total energy consumption since boot (in mJ).\n" +
                 sample("0", 1e6, 1694773425000) + sample("0", 2e6, 1694773435000) + sample("0", 2e6, 1694773445000) +
                 sample("0", 9e6, 1694773455000) + sample("0", 1e5, 1694773465000) + sample("0", 5.1e6, 1694773475000) +
                 sample("0", 8.1e6, 1694773485000));
  const twin::ImportedTelemetry imported = logs.import();
  CHECK(imported.log.format == "dcgm-exporter");
  CHECK(imported.boundary == "board");
  CHECK(imported.log.has_counter_means);
  CHECK(imported.log.counter_resets == 1);
  CHECK(imported.log.repeated_values == 1);
  REQUIRE(imported.log.series.size() == 1);
  // 1 kJ in 10 s; 7 kJ in 20 s, the reading between being an old one; none across the reset; 5 and 3 kJ in 10 s
  CHECK(imported.log.series[0].power_w == Values{100.0, 350.0, 500.0, 300.0});
  CHECK(twin::clock_text(twin::ClockKind::unix_time, imported.facts.begin_s) == "2023-09-15T10:23:45Z");
}

TEST_CASE("a scrape a file has its time in the name of the file, or by the interval", "[imports]") {
  const auto text = [](double w) {
    return "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",Hostname=\"n1\"} " + std::to_string(w) +
           "\nDCGM_FI_DEV_POWER_USAGE{gpu=\"0\",Hostname=\"n2\"} 90\n";
  };
  SECTION("by a date or UNIX time in the name") {
    LogFolder logs;
    logs.write("s_20260715T100000.prom", text(100.0));
    logs.write("s_20260715T100015.prom", text(110.0));
    logs.write("s_2026-07-15T10-00-30.prom", text(120.0));
    const workload::PowerTrace trace = logs.replayed(logs.import());
    CHECK(trace.stamps_s == Values{0.0, 15.0, 30.0});
    CHECK(column_of(trace, 0) == Values{100.0, 110.0, 120.0});
    CHECK(trace.names == std::vector<std::string>{"n1.gpu_0", "n2.gpu_0"});
  }
  SECTION("by the interval, in one file too") {
    LogFolder logs;
    logs.write("a.prom", text(100.0) + text(110.0));
    logs.write("b.prom", text(120.0));
    CHECK_THAT(logs.problems(), Contains("a.prom: its samples have no times\n      = write --interval 15 s"));
    twin::TelemetryOptions options;
    options.log.interval_s = 15.0;
    const workload::PowerTrace trace = logs.replayed(logs.import(options));
    CHECK(trace.stamps_s == Values{0.0, 15.0, 30.0});
    CHECK(column_of(trace, 0) == Values{100.0, 110.0, 120.0});
  }
}

TEST_CASE("a board that is shared by instances has its power once", "[imports]") {
  std::string text;
  for (int k = 0; k < 3; ++k) {
    for (const char* const instance : {"3", "5"})
      text += std::string("DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",GPU_I_ID=\"") + instance + "\",Hostname=\"n1\"} 300 " +
              std::to_string(1694773425000 + 1000L * k) + "\n";
  }
  LogFolder logs;
  logs.write("mig.prom", text);
  CHECK(logs.import().log.series[0].power_w == Values{300.0, 300.0, 300.0});
}

TEST_CASE("a gauge beside the counter is compared with it, and used where it is asked for", "[imports]") {
  std::string text;
  for (int k = 0; k < 4; ++k) {
    const std::string labels = "{gpu=\"0\",Hostname=\"n1\"} ",
                      stamp = " " + std::to_string(1694773425000 + 10000L * k) + "\n";
    text += "DCGM_FI_DEV_POWER_USAGE" + labels + "505" + stamp + "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION" + labels +
            std::to_string(5000000L * k) + stamp;
  }
  LogFolder logs;
  logs.write("both.prom", text);
  const twin::ImportedTelemetry means = logs.import();
  CHECK(means.log.series[0].power_w == Values{500.0, 500.0, 500.0});
  REQUIRE(means.log.notes.size() == 1);
  CHECK_THAT(means.log.notes[0],
             Contains("+51.50 % more energy"));  // 505 W for 30 s against 500 W for the 20 s between three means
  twin::TelemetryOptions options;
  options.log.quantity = "power";
  CHECK(logs.import(options).log.series[0].power_w == Values{505.0, 505.0, 505.0, 505.0});
}

TEST_CASE("dcgmi dmon has samples an interval apart, one for each time that a GPU comes again", "[imports]") {
  LogFolder logs;
  logs.write(
      "n1.txt",
      "#Entity   POWER       TMPTR\nID            W           C\n"
      "GPU 0     612.340     60\nGPU 1     70.1        31\n"
      "#Entity   POWER       TMPTR\nID            W           C\n"
      "GPU 0     613         60\nGPU 1     N/A         31\nGPU 0     614         60\nGPU 1     72          31\n");
  CHECK_THAT(logs.problems(), Contains("write --interval 1 s, the time between samples"));
  twin::TelemetryOptions options;
  options.log.interval_s = 1.0;
  const twin::ImportedTelemetry imported = logs.import(options);
  CHECK(imported.log.format == "dcgmi-dmon");
  CHECK(imported.log.repeated_heads == 1);
  CHECK(imported.log.missing_cells == 1);
  const workload::PowerTrace trace = logs.replayed(imported);
  CHECK(trace.stamps_s == Values{0.0, 1.0, 2.0});
  CHECK(column_of(trace, 0) == Values{612.34, 613.0, 614.0});
  CHECK(column_of(trace, 1) == Values{70.1, 70.1, 72.0});
}

TEST_CASE("MLPerf logs say their boundary, and events cut the trace to the run", "[imports]") {
  const auto line = [](const std::string& key, const std::string& value, long ms, const std::string& metadata) {
    return ":::MLLOG {\"namespace\": \"\", \"time_ms\": " + std::to_string(ms) +
           ", \"event_type\": \"POINT_IN_TIME\", \"key\": \"" + key + "\", \"value\": " + value + ", \"metadata\": {" +
           metadata + "}}\n";
  };
  const long begin = 1694773425000;
  std::string text = line("power_measurement_start", "null", begin, "") +
                     line("conversion_eff", "1.0", begin, "\"measurement_type\": \"DC\"");
  for (int k = 0; k < 6; ++k)
    text += line("power_reading", std::to_string(5000 + k) + ".5", begin + 1000L * k, "\"host\": \"node_0\"");
  LogFolder logs;
  logs.write("power_0.txt", text + line("interconnect_power_est", "59570", begin, "\"switch_id\": \"sw_01\""));
  SECTION("without events") {
    const twin::ImportedTelemetry imported = logs.import();
    CHECK(imported.log.format == "mlperf");
    CHECK(imported.boundary == "node_dc");
    CHECK(imported.trace.names == std::vector<std::string>{"node_0"});
    CHECK(column_of(logs.replayed(imported), 0) == Values{5000.5, 5001.5, 5002.5, 5003.5, 5004.5, 5005.5});
  }
  SECTION("with events of the run") {
    logs.write("result_0.txt", "some line of the program\n" + line("run_start", "null", begin + 2000, "") +
                                   line("eval_start", "null", begin + 3000, "") +
                                   line("tracked_stats", "{\"train_step_timing in s\": 10.5}", begin + 3000, "") +
                                   line("run_stop", "null", begin + 5000, ""));
    twin::TelemetryOptions options;
    options.series.is_run_only = true;
    const twin::ImportedTelemetry imported = logs.import(options);
    CHECK(imported.log.events->evaluations == 1);
    CHECK(imported.log.events->mean_step_s == 10.5);
    const workload::PowerTrace trace = logs.replayed(imported);
    CHECK(trace.stamps_s == Values{0.0, 1.0, 2.0});
    CHECK(column_of(trace, 0) == Values{5002.5, 5003.5, 5004.5});
  }
}

TEST_CASE("logs of PTDaemon are read, errors of the meter being missing samples", "[imports]") {
  LogFolder logs;
  logs.write("node_7.txt",
             "Time,01-22-2021 15:05:14.313,Watts,22.970000,Volts,227.370000,Amps,0.204340,PF,0.494400,Mark,notset\n"
             "Time,01-22-2021 15:05:15.313,ERROR,Bad watts reading nan from WT310\n"
             "Time,01-22-2021 15:05:16.313,Watts,25.650000,Volts,227.370000,Amps,0.225410,PF,0.500600,Mark,notset\n"
             "Time,01-22-2021 15:05:17.313,Watts,26.000000,Volts,227.370000,Amps,0.225410,PF,0.500600,Mark,notset\n");
  CHECK_THAT(logs.problems(), Contains("the log does not give the measurement boundary of its power"));
  const twin::ImportedTelemetry imported = logs.import(with_boundary("node_ac"));
  CHECK(imported.log.format == "ptd");
  CHECK(imported.log.missing_cells == 1);
  const workload::PowerTrace trace = logs.replayed(imported);
  CHECK(trace.names == std::vector<std::string>{"node_7"});
  CHECK(column_of(trace, 0).front() == 22.97);
  CHECK(trace.stamps_s.back() == 3.0);
}

TEST_CASE("wide tables take the columns that are power, in the unit of their names", "[imports]") {
  LogFolder logs;
  logs.write("hall.csv",
             "time;temp_c;node_1_kW;node_2_kW;power_limit_w\n2026-07-15T10:00:00Z;30;6.5;7;9000\n2026-07-15T10:00:02Z;"
             "30;6.25;;9000\n2026-07-15T10:00:04Z;30;6;7.5;9000\n");
  const twin::ImportedTelemetry imported = logs.import(with_boundary("node_ac"));
  CHECK(imported.log.format == "wide");
  CHECK(imported.trace.names == std::vector<std::string>{"node_1", "node_2"});
  REQUIRE(imported.log.notes.size() == 1);
  CHECK(imported.log.notes[0] == "columns that are not read, unless --columns names them: temp_c, power_limit_w");
  const workload::PowerTrace trace = logs.replayed(imported);
  CHECK(column_of(trace, 0) == Values{6500.0, 6250.0, 6000.0});
  CHECK(column_of(trace, 1) == Values{7000.0, 7000.0, 7500.0});
}

TEST_CASE("long tables have a series for each node and GPU", "[imports]") {
  LogFolder logs;
  logs.write("long.csv", "ts,host,gpu,power_w\n0,a,0,100\n0,a,1,101\n0,b,0,200\n1,a,0,110\n1,a,1,111\n1,b,0,210\n");
  const twin::ImportedTelemetry imported = logs.import(with_boundary("gpu"));
  CHECK(imported.log.format == "long");
  CHECK(imported.trace.names == std::vector<std::string>{"a.gpu_0", "a.gpu_1", "b.gpu_0"});
  CHECK(column_of(logs.replayed(imported), 2) == Values{200.0, 210.0});
}

TEST_CASE("a packed log with CRLF and a byte order mark is read as any other", "[imports]") {
  LogFolder logs;
  logs.write("n1.csv",
             "\xef\xbb\xbftimestamp, index, power.draw [W]\r\n2023/09/15 10:00:00.000, 0, 100 W\r\n2023/09/15 "
             "10:00:01.000, 0, 110 W\r\n");
  CHECK(column_of(logs.replayed(logs.import()), 0) == Values{100.0, 110.0});
}
