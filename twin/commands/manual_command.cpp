#include "twin/commands/manual_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "twin/results/version.hpp"

namespace wattloop::twin {
namespace {

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

}  // namespace

std::string manual_page(const CLI::App& program) {
  std::string text = fmt::format(
      ".TH WATTLOOP 1 \"\" \"Wattloop {}\" \"User Commands\"\n.SH NAME\nwattloop \\- digital twin of a data center\n"
      ".SH SYNOPSIS\n.B wattloop\n.I COMMAND\n[\n.I OPTION\n]...\n.SH DESCRIPTION\n{}\n.SH COMMANDS\n",
      version(), roff(program.get_description()));
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    text += command_text(*command, command->get_name());
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
