#include "twin/scenario/library/device_list.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "core/text/printable.hpp"
#include "core/text/problem.hpp"
#include "twin/document/document.hpp"
#include "twin/scenario/library/hardware_library.hpp"

namespace wattloop::twin {

namespace {

std::string text_of(const Node& map, std::string_view key) {
  const Node* value = find(map, key);
  return value != nullptr && value->is_scalar() ? printable(value->text) : std::string();
}

struct Row {
  std::string key, value, source;
};

std::string source_text(const Node& source) {
  if (source.is_scalar()) return source.text;
  std::string text;
  for (const Node& item : source.items) text += (text.empty() ? "" : ", ") + item.text;
  return text;
}

void add_rows(const Node& map, const std::string& path, std::vector<Row>& rows) {
  for (const auto& [key, value] : map.entries) {
    if (path.empty() && (key.text == "kind" || key.text == "title")) continue;
    const std::string name = printable(path.empty() ? key.text : path + "." + key.text);
    const Node* given = find(value, "value");
    if (given != nullptr) {
      const Node* source = find(value, "source");
      rows.push_back(
          {name, printable(given->text), source == nullptr ? std::string() : printable(source_text(*source))});
    } else if (value.is_map()) {
      add_rows(value, name, rows);
    } else if (value.is_sequence()) {
      for (std::size_t k = 0; k < value.items.size(); ++k)
        add_rows(value.items[k], fmt::format("{}.{}", name, k + 1), rows);
    } else {
      rows.push_back({name, printable(value.text), {}});
    }
  }
}

}  // namespace

std::vector<Device> library_devices() {
  std::vector<Device> devices;
  for (const std::filesystem::path& folder : library_folders(std::filesystem::current_path())) {
    for (const auto& entry : std::filesystem::directory_iterator(folder / "hardware")) {
      const std::filesystem::path& file = entry.path();
      if (file.extension() != ".yaml") continue;
      const std::string name = file.stem().string();
      if (std::ranges::find(devices, name, &Device::name) != devices.end()) continue;
      Problems problems;
      const Node root = read_document(file, problems);
      const bool is_read = problems.size() == 0;
      devices.push_back({printable(name), is_read ? text_of(root, "kind") : "cannot be read",
                         is_read ? text_of(root, "title") : printable(file.string()), file});
    }
  }
  std::ranges::sort(devices, {}, [](const Device& device) { return std::tie(device.kind, device.name); });
  return devices;
}

std::optional<Device> find_device(std::string_view name) {
  const std::vector<Device> devices = library_devices();
  const auto found = std::ranges::find(devices, name, &Device::name);
  return found == devices.end() ? std::nullopt : std::optional(*found);
}

std::string device_list_text() {
  const std::vector<Device> devices = library_devices();
  std::size_t width = 0;
  for (const Device& device : devices) width = std::max(width, device.name.size());
  std::string text, kind;
  for (const Device& device : devices) {
    if (device.kind != kind) text += fmt::format("{}{}\n", text.empty() ? "" : "\n", device.kind);
    kind = device.kind;
    text += fmt::format("  {:<{}}  {}\n", device.name, width, device.title);
  }
  return text + "\nwattloop explain NAME shows one of them; `hardware: NAME` puts it into a scenario.\n";
}

std::string device_text(const Device& device) {
  Problems problems;
  const Node root = read_document(device.file, problems);
  problems.throw_if_any(device.file.string());
  std::vector<Row> rows;
  add_rows(root, "", rows);
  std::size_t key_width = 0, value_width = 0;
  for (const Row& row : rows) {
    key_width = std::max(key_width, row.key.size());
    value_width = std::max(value_width, row.value.size());
  }
  std::string text = fmt::format("{}: {} ({})\n{}\n\n", device.name, device.title, device.kind, device.file.string());
  for (const Row& row : rows) {
    text += fmt::format("  {:<{}}  {:>{}}", row.key, key_width, row.value, value_width);
    text += row.source.empty() ? "\n" : fmt::format("  [{}]\n", row.source);
  }
  return text + fmt::format("\nwattloop explain {} explains the keys.\n", device.kind);
}

}  // namespace wattloop::twin
