#include "twin/commands/halls/manual_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <array>
#include <string_view>

#include "twin/commands/program/exit_codes.hpp"
#include "twin/platform/version.hpp"

namespace wattloop::twin {
namespace {

/// A paragraph with its term in front.
struct ManualItem {
  std::string_view term, text;
};

/// All that the program reads; a test looks for each getenv() of the sources here.
constexpr std::array variables_read{
    ManualItem{"DISPLAY",
               "X display of wattloop view --window. Pictures are drawn on a virtual display of Xvfb; if Xvfb is not "
               "installed, they are drawn on this display."},
    ManualItem{"GLIBC_TUNABLES",
               "The program extends it for the CPU instruction set v2, so that the C library computes the same results "
               "on all processors."},
    ManualItem{
        "NO_COLOR, TERM",
        "Output has colours only on a terminal, if NO_COLOR is unset or empty, and TERM is set and is not dumb."},
    ManualItem{"OMP_NUM_THREADS", "Has no effect on simulations: the option --threads sets the number of threads."},
    ManualItem{
        "OMP_WAIT_POLICY, GOMP_SPINCOUNT",
        "If neither is set, wattloop run with several threads sets OMP_WAIT_POLICY to passive: waiting threads sleep."},
    ManualItem{"PATH", "Folders of Xvfb and rsvg-convert, which draw pictures, and of ffmpeg, which makes movies."},
    ManualItem{
        "OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE, SLURM_PROCID, SLURM_STEP_NUM_TASKS, PMI_RANK, PMI_SIZE",
        "Rank and number of processes that mpirun or srun has started together. Such processes share the runs of "
        "wattloop study, unless --alone is given."},
    ManualItem{"OMPI_MCA_orte_precondition_transports, OMPI_MCA_ess_base_jobid, SLURM_JOB_ID, SLURM_STEP_ID, "
               "SLURM_RESTART_COUNT",
               "Identify the launch whose processes share the runs."},
    ManualItem{"WATTLOOP_ISA", "CPU instruction set that is used if --isa is not given: v2, v3, v4 or auto."},
    ManualItem{"WATTLOOP_LIBRARY",
               "Folder with your own library: hardware/, tariffs/, failures/ and references.bib. The program searches "
               "it after the folder of the scenario, and before its own share folder."},
    ManualItem{"WATTLOOP_REFERENCE_DATA",
               "Folder of measured traces and weather files. Some scenarios use it, and wattloop new --climate chicago "
               "takes its weather from it."},
    ManualItem{"WATTLOOP_TRUST_RESULTS",
               "Set by the program itself with --trust, for the process with limits of time and memory that reads "
               "results without a valid checksum. Do not set it."},
    ManualItem{"any other NAME",
               "A scenario with the text \"${NAME}\" in quotes takes the value of this variable; it must be set."},
};

constexpr std::array files_of_runs{
    ManualItem{"results/NAME.h5", "Results of wattloop run without -o. NAME is the name of the scenario file."},
    ManualItem{"NAME.h5.PROCESS-HOST-CHANCE.partial.h5",
               "Results of a run that is in progress, was interrupted or failed."},
    ManualItem{"NAME.h5.lock", "Lock file: exists while a run writes NAME.h5, so that no other run writes it."},
    ManualItem{
        "NAME.h5.checkpoint, NAME.h5.checkpoint.rows",
        "Checkpoint of a run with --checkpoint, from which wattloop resume continues it. The end of the run removes "
        "it."},
    ManualItem{"NAME.at-600s.checkpoint", "Checkpoint of a run with --save-at 10min. The program does not remove it."},
    ManualItem{"results/STUDY/study.csv, results/STUDY/study.h5", "Table of a study or search without -o."},
    ManualItem{"hardware/NAME.yaml, tariffs/NAME.yaml, failures/NAME.yaml",
               "Devices, tariffs and rates of failures. The program looks for them beside the scenario, in "
               "$WATTLOOP_LIBRARY, and in its share "
               "folder."},
    ManualItem{"../share/wattloop",
               "Share folder, beside the folder of the program: scenarios, hardware, tariffs and failures."},
    ManualItem{"../libexec/wattloop", "Programs for the CPU instruction sets, and the program that draws pictures."},
};

/// Text in which roff sees no commands: backslashes and hyphens escaped, no line beginning with a dot or a quote.
std::string roff(const std::string& text) {
  std::string safe;
  for (const char letter : text) {
    const bool begins_line = safe.empty() || safe.back() == '\n';
    if (begins_line && (letter == '.' || letter == '\'')) safe += "\\&";
    if (letter == '\\')
      safe += "\\e";
    else if (letter == '-')
      safe += "\\-";
    else
      safe += letter;
  }
  return safe;
}

std::string option_text(const CLI::Option& option) {
  const std::string known = option.get_type_name();
  const std::string type =
      option.get_items_expected_max() > 0 ? " " + known.substr(0, known.find(':')) : "";  // without its check
  std::string value = type == " TEXT" ? " ..." : type;
  if (!option.get_default_str().empty()) value += fmt::format(" [{}]", option.get_default_str());
  return fmt::format(".TP\n.B {}\n{}\n", roff(option.get_name(option.get_positional(), true) + value),
                     roff(option.get_description()));
}

std::string command_text(const CLI::App& command, const std::string& name) {
  std::string text = fmt::format(".SS {}\n{}.\n", roff(name), roff(command.get_description()));
  if (command.get_prefix_command())
    return text + fmt::format("Options: \n.B {} {}\n", roff("wattloop " + name), roff("--help"));
  for (const CLI::Option* option : command.get_options())
    if (!option->check_lname("help")) text += option_text(*option);
  for (const CLI::App* inner : command.get_subcommands([](const CLI::App*) { return true; }))
    text += command_text(*inner, fmt::format("{} {}", name, inner->get_name()));
  return text;
}

std::string item_text(std::string_view term, std::string_view text) {
  return fmt::format(".TP\n.B {}\n{}\n", roff(std::string(term)), roff(std::string(text)));
}

std::string exit_status_text() {
  std::string text = ".SH EXIT STATUS\n";
  for (const ExitMeaning& one : exit_meanings) text += item_text(fmt::format("{}", one.code), one.meaning);
  return text;
}

template <std::size_t count>
std::string section_text(std::string_view name, const std::array<ManualItem, count>& items) {
  std::string text = fmt::format(".SH {}\n", name);
  for (const ManualItem& item : items) text += item_text(item.term, item.text);
  return text;
}

}  // namespace

std::string manual_page(const CLI::App& program) {
  std::string text = fmt::format(
      ".TH WATTLOOP 1 \"\" \"Wattloop {}\" \"User Commands\"\n.SH NAME\nwattloop \\- digital twin of a data center\n"
      ".SH SYNOPSIS\n.B wattloop\n.I COMMAND\n[\n.I OPTION\n]...\n.SH DESCRIPTION\n{}\n.SH COMMANDS\n",
      version(), roff(program.get_description()));
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    text += command_text(*command, command->get_name());
  text += exit_status_text() + section_text("ENVIRONMENT", variables_read) + section_text("FILES", files_of_runs);
  return text + fmt::format(".SH EXAMPLES\n.nf\n{}\n.fi\n", roff(program.get_footer()));
}

void add_manual(CLI::App& app, std::function<int()>& action) {
  CLI::App* command = app.add_subcommand("manual", "Print a man page of all commands");
  command->footer("Examples:\n  wattloop manual > wattloop.1\n  man -l wattloop.1");
  command->callback([&app, &action] {
    action = [&app] {
      fmt::print("{}", manual_page(app));
      return 0;
    };
  });
}

}  // namespace wattloop::twin
