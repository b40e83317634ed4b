// Text that came from outside, as it is written for another program: one function a language. Whatever is in the text, it stays one
// value of that language, and executes nothing.
#pragma once

#include <string>
#include <string_view>

namespace wattloop {

/// One word of a POSIX shell, in single quotes. A NUL, which no word can hold, is left out.
std::string shell_text(std::string_view text);

/// The same as people copy it: one line of printable text, without quotes if it needs none, `./-a` for `-a`.
std::string shell_file(std::string_view path);

/// A string literal of Python, in ASCII. Bytes that are no UTF-8 become what os.fsencode() makes these bytes of.
std::string python_text(std::string_view text);

/// A string literal of JavaScript and JSON, in ASCII, that also stands in a <script>. Bytes that are no UTF-8 become U+FFFD.
std::string script_text(std::string_view text);

/// Text of XML, SVG and HTML, between tags and in quoted attributes. What XML cannot hold is left out, bytes that are no UTF-8 become
/// U+FFFD.
std::string page_text(std::string_view text);

/// A double-quoted scalar of YAML. Bytes that are no UTF-8 become U+FFFD. Does not hide `${` from Wattloop: without_environment().
std::string yaml_text(std::string_view text);

/// The rest of a line behind `#` in YAML, Python and shells: printable, and never the end of the line.
std::string comment_text(std::string_view text);

/// True where a line of `#SBATCH`, which has no quotes, can hold the text.
bool is_sbatch_text(std::string_view text);

}  // namespace wattloop
