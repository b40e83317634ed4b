#include "twin/drawings/charts/heat_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "core/tables/local_time.hpp"
#include "core/text/quoted_text.hpp"
#include "twin/drawings/charts/hall_plan.hpp"
#include "twin/drawings/charts/time_axis.hpp"
#include "twin/drawings/names/display_name.hpp"

namespace wattloop::twin {

namespace {

constexpr std::size_t most_columns = 400;
constexpr double zero_celsius_k = 273.15, lowest_c = 20.0, step_c = 0.4;  ///< of a byte; 0 is not recorded
constexpr std::uint8_t not_recorded = 0, off = 255;

std::uint8_t as_byte(float temperature_k) {
  if (!std::isfinite(temperature_k)) return not_recorded;
  const double steps = (static_cast<double>(temperature_k) - zero_celsius_k - lowest_c) / step_c;
  return static_cast<std::uint8_t>(1 + std::lround(std::clamp(steps, 0.0, 253.0)));
}

/// Of an interval: the hottest record, and off only if no record of it is of a running item.
std::uint8_t together(std::uint8_t a, std::uint8_t b) {
  if (a == not_recorded || a == off) return b == not_recorded ? a : b;
  return b == not_recorded || b == off ? a : std::max(a, b);
}

std::string base64(const std::vector<std::uint8_t>& bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const auto byte = [&](std::size_t i) { return i < bytes.size() ? std::uint32_t{bytes[i]} : 0U; };
    const std::uint32_t three = byte(k) << 16U | byte(k + 1) << 8U | byte(k + 2);
    for (std::uint32_t i = 0; i < 4; ++i) text += k + i > bytes.size() ? '=' : letters[(three >> (18U - 6U * i)) & 63U];
  }
  return text;
}

constexpr std::string_view painter = R"(
(function () {
  var canvas = document.getElementById('heat_map'), bytes = atob(canvas.dataset.bytes), told = document.getElementById('heat_map_told');
  var names = JSON.parse(canvas.dataset.items), times = JSON.parse(canvas.dataset.times), colours = JSON.parse(canvas.dataset.colours);
  var width = canvas.width, image = canvas.getContext('2d').createImageData(width, canvas.height);
  for (var k = 0; k < bytes.length; ++k) {
    var colour = colours[bytes.charCodeAt(k)];
    image.data.set([parseInt(colour.substr(1, 2), 16), parseInt(colour.substr(3, 2), 16), parseInt(colour.substr(5, 2), 16), 255], 4 * k);
  }
  canvas.getContext('2d').putImageData(image, 0, 0);
  function thin() {  // no label over another one, however narrow the page is
    var labels = canvas.parentNode.querySelectorAll('.times span'), end = -1e9;
    for (var k = 0; k < labels.length; ++k) {
      var box = labels[k].getBoundingClientRect(), isOver = box.left < end + 6;
      labels[k].style.visibility = isOver ? 'hidden' : 'visible';
      if (!isOver) end = box.right;
    }
  }
  thin();
  window.addEventListener('resize', thin);
  canvas.addEventListener('mousemove', function (event) {
    var box = canvas.getBoundingClientRect();
    var x = Math.min(width - 1, Math.floor((event.clientX - box.left) / box.width * width));
    var y = Math.min(names.length - 1, Math.floor((event.clientY - box.top) / box.height * names.length));
    var byte = bytes.charCodeAt(y * width + x);
    told.textContent = names[y] + ', ' + times[x] + ': ' + (byte === 255 ? 'off' : byte ? (LOWEST + STEP * (byte - 1)).toFixed(1) + ' degC' : 'not recorded');
  });
})();
)";

std::string json_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += fmt::format("{}\"{}\"", list.empty() ? "" : ",", text);
  return page_text("[" + list + "]");
}

/// Some of the names, each at the middle of its line of the map.
std::string name_marks(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  std::string text;
  const std::size_t step = std::max<std::size_t>(1, (names.size() + most - 1) / most);
  for (std::size_t k = 0; k < names.size(); k += step)
    text +=
        fmt::format("<span style='top:{:.2f}%'>{}</span>",
                    100.0 * (static_cast<double>(k) + 0.5) / static_cast<double>(names.size()), page_text(names[k]));
  return text;
}

/// Round times, between the records before and after them.
std::string time_marks(std::span<const double> times_s) {
  std::string text;
  for (const TimeTick& tick : time_ticks(times_s.front(), times_s.back())) {
    const auto after = std::ranges::upper_bound(times_s, tick.time_s);
    const auto record = std::max<std::ptrdiff_t>(after - times_s.begin() - 1, 0);
    const double begin_s = times_s[static_cast<std::size_t>(record)], end_s = after == times_s.end() ? begin_s : *after;
    const double part = end_s > begin_s ? (tick.time_s - begin_s) / (end_s - begin_s) : 0.0;
    const double share = (static_cast<double>(record) + part) / static_cast<double>(times_s.size());
    constexpr double last_share = 0.97;  // words of a later one would go beyond the map
    if (share < last_share) text += fmt::format("<span style='left:{:.2f}%'>{}</span>", 100.0 * share, tick.words);
  }
  return text;
}

std::string with_scale(std::string script) {
  for (const auto& [mark, value] : {std::pair{"LOWEST", lowest_c}, std::pair{"STEP", step_c}})
    script.replace(script.find(mark), std::string_view(mark).size(), fmt::format("{}", value));
  return script;
}

}  // namespace

std::string heat_map(std::span<const double> times_s, std::span<const std::string> items,
                     std::span<const float> temperatures_k, std::span<const std::uint8_t> is_off,
                     std::string_view start) {
  if (times_s.empty() || items.empty() || temperatures_k.size() < times_s.size() * items.size()) return {};
  const std::size_t step = (times_s.size() + most_columns - 1) / most_columns;
  const std::size_t columns = (times_s.size() + step - 1) / step;
  std::vector<std::uint8_t> bytes(columns * items.size(), 0);
  for (std::size_t row = 0; row < times_s.size(); ++row) {
    for (std::size_t item = 0; item < items.size(); ++item) {
      std::uint8_t& byte = bytes[item * columns + row / step];
      const std::size_t cell = row * items.size() + item;
      byte = together(byte, cell < is_off.size() && is_off[cell] != 0 ? off : as_byte(temperatures_k[cell]));
    }
  }
  std::vector<std::string> names, said, times, colours;
  for (const std::string& item : items) {
    said.push_back(display_name(item));
    std::string name = item;
    std::erase_if(name, [](char c) { return c == '"' || c == '\\'; });
    names.push_back(name);
  }
  for (std::size_t column = 0; column < columns; ++column) times.push_back(instant_text(start, times_s[column * step]));
  for (int byte = 0; byte < 256; ++byte)
    colours.push_back(byte == not_recorded ? "#bbbbbb"
                      : byte == off        ? std::string(heat_map_off_colour)
                                           : heat_colour(zero_celsius_k + lowest_c + step_c * (byte - 1)));
  return fmt::format(
      "<div class='heat'><div class='names'>{}</div><div><canvas id='heat_map' width='{}' height='{}' data-items='{}' "
      "data-times='{}' data-colours='{}' data-bytes='{}'></canvas><div class='times'>{}</div></div></div>\n<p "
      "id='heat_map_told'>Each line is a rack, from {} at the top to {} at the bottom; "
      "time goes "
      "from {} on the left to {} on the right. Point at it to read it.</p>\n<script>{}</script>\n",
      name_marks(said), columns, items.size(), json_list(names), json_list(times), json_list(colours), base64(bytes),
      time_marks(times_s), page_text(items.front()), page_text(items.back()), times.front(),
      instant_text(start, times_s.back()), with_scale(std::string(painter)));
}

}  // namespace wattloop::twin
