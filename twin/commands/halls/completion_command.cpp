#include "twin/commands/halls/completion_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

namespace wattloop::twin {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string spelled(const std::vector<std::string>& names, std::string_view dashes) {
  std::string text;
  for (const std::string& name : names) text += fmt::format("{}{}\n", dashes, name);
  return text;
}

/// Everything that may stand right behind a command, one a line.
std::string words_of(const CLI::App& command) {
  std::string text;
  for (const CLI::App* inner : commands_of(command)) text += inner->get_name() + "\n";
  for (const CLI::Option* option : command.get_options())
    text += spelled(option->get_lnames(), "--") + spelled(option->get_snames(), "-");
  return text;
}

constexpr std::string_view ask_for_help = R"($("${COMP_WORDS[0]}" "${COMP_WORDS[1]}" --help 2>/dev/null | )"
                                          R"(grep -oE -- '(^|[ ,])--?[a-z][a-z-]*' | tr -d ' ,' | sort -u))";

/// Cases of a command: of "number of the word, command, word behind it".
std::string bash_cases(const CLI::App& command) {
  const std::string& name = command.get_name();
  if (command.get_prefix_command()) return fmt::format("    *\\ {}\\ *) words={} ;;\n", name, ask_for_help);
  std::string text;
  const std::vector<const CLI::App*> inner_commands = commands_of(command);
  if (!inner_commands.empty()) text += fmt::format("    2\\ {}\\ *) words='{}' ;;\n", name, words_of(command));
  for (const CLI::App* inner : inner_commands)
    text += fmt::format("    *\\ {}\\ {}) words='{}' ;;\n", name, inner->get_name(), words_of(*inner));
  return text + fmt::format("    *\\ {}\\ *) words='{}' ;;\n", name, words_of(command));
}

std::string bash_script(const CLI::App& program) {
  std::string text =
      "# wattloop completion bash: eval \"$(wattloop completion bash)\" in ~/.bashrc\n"
      "_wattloop() {\n"
      "  local IFS=$'\\n' word=${COMP_WORDS[COMP_CWORD]} words=\n"
      "  case \"$COMP_CWORD ${COMP_WORDS[1]} ${COMP_WORDS[2]}\" in\n";
  std::string names;
  for (const CLI::App* command : commands_of(program)) names += command->get_name() + "\n";
  for (const CLI::Option* option : program.get_options()) names += spelled(option->get_lnames(), "--");
  text += fmt::format("    1\\ *) words='{}' ;;\n", names);
  for (const CLI::App* command : commands_of(program)) text += bash_cases(*command);
  return text +
         "  esac\n"
         "  if [ \"$COMP_CWORD\" -gt 1 ] && [ \"${word#-}\" = \"$word\" ]; then  # a file, or what has no dash\n"
         "    COMPREPLY=($(compgen -W \"$(printf '%s' \"$words\" | grep -v '^-')\" -- \"$word\"; compgen -f -- "
         "\"$word\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _wattloop wattloop\n";
}

/// In single quotes.
std::string quoted(const std::string& text) {
  std::string inside;
  for (const char letter : text)
    inside += letter == '\'' || letter == '\\' ? std::string("\\") + letter : std::string(1, letter);
  return "'" + inside + "'";
}

/// Lines of a command that is completed where `condition` holds.
void add_fish_lines(const CLI::App& command, const std::string& condition, std::string& text) {
  for (const CLI::App* inner : commands_of(command)) {
    text += fmt::format("complete -c wattloop -n '{}' -a {} -d {}\n", condition, inner->get_name(),
                        quoted(inner->get_description()));
    add_fish_lines(*inner, condition + "; and __fish_seen_subcommand_from " + inner->get_name(), text);
  }
  for (const CLI::Option* option : command.get_options()) {
    std::string spellings;
    for (const std::string& word : option->get_lnames()) spellings += " -l " + word;
    for (const std::string& word : option->get_snames()) spellings += " -s " + word;
    if (spellings.empty()) continue;
    text +=
        fmt::format("complete -c wattloop -n '{}'{} -d {}\n", condition, spellings, quoted(option->get_description()));
  }
}

std::string fish_script(const CLI::App& program) {
  std::string text = "# wattloop completion fish > ~/.config/fish/completions/wattloop.fish\n";
  for (const CLI::App* command : commands_of(program)) {
    const std::string name = command->get_name();
    text += fmt::format("complete -c wattloop -n __fish_use_subcommand -f -a {} -d {}\n", name,
                        quoted(command->get_description()));
    if (command->get_prefix_command())
      text += fmt::format(
          "complete -c wattloop -n '__fish_seen_subcommand_from {0}; and string match -q -- \"-*\" (commandline -ct)' "
          "-a "
          "\"(wattloop {0} --help | string match -r -a -- '--[a-z][a-z-]+')\"\n",
          name);
    add_fish_lines(*command, "__fish_seen_subcommand_from " + name, text);
  }
  return text;
}

}  // namespace

std::string completion_script(const CLI::App& program, std::string_view shell) {
  if (shell == "fish") return fish_script(program);
  const std::string script = bash_script(program);
  if (shell == "bash") return script;
  return "# wattloop completion zsh: eval \"$(wattloop completion zsh)\" in ~/.zshrc\n"
         "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n" +
         script.substr(script.find('\n') + 1);
}

void add_completion(CLI::App& app, std::function<int()>& action) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "Print what a shell needs to complete commands and options");
  command->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"bash", "zsh", "fish"}));
  command->footer(
      "Examples:\n"
      "  eval \"$(wattloop completion bash)\"\n"
      "  wattloop completion fish > ~/.config/fish/completions/wattloop.fish");
  command->callback([shell, &app, &action] {
    action = [shell, &app] {
      fmt::print("{}", completion_script(app, *shell));
      return 0;
    };
  });
}

}  // namespace wattloop::twin
