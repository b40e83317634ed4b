#include "viz/commands/export_command.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <ostream>
#include <streambuf>

#include "core/tables/time_of_run.hpp"
#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "twin/commands/program/trusted_results.hpp"
#include "twin/platform/whole_file.hpp"
#include "twin/report/events/event_summary.hpp"
#include "twin/report/events/most_important.hpp"
#include "twin/results/reader/results_reader.hpp"
#include "viz/export/paraview_state.hpp"
#include "viz/export/playback.hpp"
#include "viz/hall/scene.hpp"
#include "viz/options/refused_option.hpp"
#include "viz/options/time_option.hpp"

namespace wattloop::viz {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_events = 12;  // that a state annotates

fs::path output_file(const ExportOptions& options) {
  if (options.output.empty()) return options.results.parent_path() / (options.results.stem().string() + ".xdmf2");
  const fs::path extension = options.output.extension();
  if (extension != ".xdmf2" && extension != ".xmf2" && extension != ".xdmf")
    refuse_option("-o", fmt::format("'{}' is not an XDMF 2 file", options.output.string()),
                  "end it in .xdmf2, which ParaView opens with the reader that this file is for");
  return options.output;
}

/// The results file as seen from the folder of the XDMF file: both may be moved together.
std::string reference_to(const fs::path& results, const fs::path& output) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(fs::absolute(output).parent_path(), error);
  const fs::path file = fs::weakly_canonical(fs::absolute(results), error);
  const fs::path relative = file.lexically_relative(folder);
  std::error_code ignored;
  const bool has_two_folders =
      fs::is_symlink(fs::symlink_status(output, ignored));  // that of the link, and where it leads
  const std::string reference =
      (error || relative.empty() || has_two_folders ? fs::absolute(results).lexically_normal() : relative).string();
  if (!is_xdmf_reference(reference))
    refuse_option(
        "export", fmt::format("XDMF cannot refer to '{}'", reference),
        "rename file or folder: XDMF has no ':', no '|', no control character, no blank at an end, and UTF-8 alone");
  return reference;
}

/// Passes a stream on to a file, whose failures end the writing with the system's reason.
class FileStream final : public std::streambuf {
 public:
  explicit FileStream(twin::WholeFile& file) : file_(file) { setp(buffer_.data(), buffer_.data() + buffer_.size()); }

 private:
  int_type overflow(int_type next) override {
    sync();
    if (next != traits_type::eof()) sputc(traits_type::to_char_type(next));
    return traits_type::not_eof(next);
  }
  int sync() override {
    file_.write({pbase(), std::size_t(pptr() - pbase())});
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return 0;
  }

  twin::WholeFile& file_;
  std::array<char, 65536> buffer_;
};

void write_whole(const XdmfDocument& document, const fs::path& output) {
  twin::WholeFile file(output);
  FileStream buffer(file);
  std::ostream out(&buffer);
  out.exceptions(std::ios::badbit);  // else what the file throws would be lost in the stream
  write_xdmf(out, document);
  out.flush();
  file.finish();
}

std::string written_text(const fs::path& output, const Playback& playback) {
  const std::vector<XdmfFrame>& frames = playback.document.frames;
  std::string text =
      fmt::format("{}: {} of {} records, {} to {}\n", output.string(), frames.size(), playback.record_count,
                  time_of_run(frames.front().time_s), time_of_run(frames.back().time_s));
  for (const XdmfBlock& block : playback.document.blocks)
    text += fmt::format("  {:<16} {:>7} cells, {} fields\n", block.name, block.cell_count, block.fields.size());
  return text;
}

StateOfRun state_of(const twin::ResultsReader& results, const ExportOptions& options, double shown_s) {
  StateOfRun state{
      .title = results.provenance_text("title").value_or(""), .start_iso = results.start_iso(), .shown_s = shown_s};
  if (state.title.empty()) state.title = options.results.filename().string();
  for (const twin::EventSummaryLine& line : twin::most_important(twin::event_summary(results.events()), most_events))
    state.events.emplace_back(line.first_s, printable(time_of_run(line.first_s) + ": " + line.words));
  return state;
}

void write_state(const Playback& playback, const ExportOptions& options, const fs::path& output) {
  const twin::ResultsReader results(options.results);
  twin::write_whole(state_path(output), paraview_state(playback.document, results.layout(), output,
                                                       state_of(results, options, playback.worst_s)));
}

/// When the run starts, where a time may be one of its clock; empty where the file cannot say: mistakes in options are reported first.
std::string start_for_clock_times(const ExportOptions& options) {
  if (options.from.empty() && options.to.empty()) return {};
  try {
    return twin::ResultsReader(options.results).start_iso();
  } catch (const FileError&) {
    return {};
  }
}

}  // namespace

int export_xdmf(const ExportOptions& options) {
  const std::string start = start_for_clock_times(options);
  const PlaybackRequest request{options.has_every_record, options.most_frames,
                                read_time_option_s("--from", options.from, start),
                                read_time_option_s("--to", options.to, start)};
  const fs::path output = output_file(options);
  std::error_code ignored;
  if (fs::equivalent(output, options.results, ignored))
    refuse_option("-o", fmt::format("'{}' is the file that is exported", output.string()), "name another one");
  Playback playback = read_playback(options.results, request);
  playback.document.results_file = reference_to(options.results, output);
  write_whole(playback.document, output);
  write_state(playback, options, output);
  if (options.results.string().ends_with(".partial.h5"))
    fmt::print(stderr, "note: {} is the file of a run that did not end\n", options.results.string());
  for (const std::string& sentence : playback.left_out) fmt::print(stderr, "note: {}\n", sentence);
  fmt::print("{}{}: opens the file with colours and a set view\n", written_text(output, playback),
             state_path(output).string());
  return 0;
}

void add_export_command(CLI::App& app, std::function<int()>& action) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command = app.add_subcommand("export", "Let ParaView play a run: XDMF that refers to its results");
  command->add_option("results", options->results, "Results file of a run")->type_name("FILE")->required();
  command
      ->add_option("-o,--output", options->output,
                   "File to write; default: the results file's name ending in .xdmf2. A ParaView state, .pvstate.py, "
                   "is written beside it")
      ->type_name("FILE");
  CLI::Option* frames = command
                            ->add_option("--frames", options->most_frames,
                                         "Largest number of records of racks or GPUs; records at events are added")
                            ->type_name("COUNT")
                            ->check(CLI::Range(1, 1'000'000))
                            ->default_val(usual_frames);
  command->add_flag("--all", options->has_every_record, "Show every record of any group")->excludes(frames);
  command->add_option("--from", options->from, "First time to show, such as 2h or 16:00")->type_name("TIME");
  command->add_option("--to", options->to, "Last time to show")->type_name("TIME");
  twin::add_trust(*command);
  command->footer(
      "Examples:\n"
      "  wattloop export results/one_rack.h5\n"
      "  wattloop export results/one_rack.h5 --all --from 29min --to 35min -o event.xdmf2\n"
      "  paraview --state=results/one_rack.pvstate.py\n"
      "Values stay in the results file: keep it where it is, or move both files together.");
  command->callback([options, &action] { action = [options] { return export_xdmf(*options); }; });
}

}  // namespace wattloop::viz
