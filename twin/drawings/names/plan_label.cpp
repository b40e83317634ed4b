#include "twin/drawings/names/plan_label.hpp"

#include <algorithm>
#include <array>

#include "twin/drawings/names/display_name.hpp"
#include "twin/drawings/names/fitted_text.hpp"

namespace wattloop::twin {

std::string plan_label(std::string_view kind, std::string_view name) {
  static constexpr std::array<std::string_view, 9> without{"rack",        "network_rack", "node",   "gpu", "rear_door",
                                                           "supply_pipe", "return_pipe",  "busway", "room"};
  if (std::ranges::count(without, kind) > 0) return {};
  const std::string number(name.substr(name.rfind('_') + 1));
  if (kind == "cdu") return number;
  if (kind == "storage_rack") return "S" + number;
  if (kind == "pdu") {  // "a1" of "pdu_a_1"
    constexpr std::string_view begin = "pdu_";
    std::string of(name.starts_with(begin) ? name.substr(begin.size()) : name);
    std::erase(of, '_');
    return of == number ? "PDU " + number : of;
  }
  return display_name(name);
}

LabelPlace label_place(std::string_view label, double width, double height, double least, double most) {
  constexpr double letters_share = 0.75, length_share = 0.92;  // of the side across and along the label
  const double letters = std::max(letters_width(label), 1e-9);
  const double across = std::min({letters_share * height, length_share * width / letters, most});
  const double upright = std::min({letters_share * width, length_share * height / letters, most});
  constexpr double rounding = 1.0 + 1e-9;
  const bool is_upright = upright > across * rounding;
  const double size = is_upright ? upright : across;
  return size * rounding >= least ? LabelPlace{size, is_upright} : LabelPlace{};
}

}  // namespace wattloop::twin
