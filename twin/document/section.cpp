#include "twin/document/section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/text/nearest.hpp"
#include "twin/document/other_place.hpp"

namespace wattloop::twin {

namespace {

bool has_no_default(const FieldRef& field) {
  if (const auto* number = std::get_if<double*>(&field.target)) return std::isnan(**number);
  if (const auto* count = std::get_if<int*>(&field.target)) return **count == required_count;
  if (const auto* text = std::get_if<std::string*>(&field.target)) return (*text)->empty();
  return false;
}

/// `hardware:` of a section. `with:` is gone where the library had the device: see inline_hardware.
void read_hardware(MapReader& reader, const Section& section) {
  reader.offer("with");
  const Section& device = section.device.front();
  for (const FieldRef& field : device.fields) {
    reader.redirect(
        field.info.name,
        fmt::format("this key belongs to the {0}: write with: {{ {1}: ... }} beside `hardware` to change the value",
                    device.key, field.info.name));
  }
  const Node* hardware = reader.require(
      "hardware", fmt::format("write the name of a {0} of the library, or describe one: hardware: {{ kind: {0}, ... }}",
                              device.key));
  if (hardware == nullptr || !hardware->is_map()) return;  // a name unknown to the library is reported already
  const std::string name = read_device(*hardware, device, reader.problems());
  if (section.device_name != nullptr) *section.device_name = name;
}

bool has_value(MapReader& reader, const std::string& key) {
  const Node* value = reader.find(key);
  return value != nullptr && !value->is_null();
}

Problem refused(const Node& value, const std::string& path, const std::string& replaced_by) {
  return problem_at(value, fmt::format("{} and '{}' both describe the same thing: keep one of them", path, replaced_by),
                    "delete one of the two keys; if the key comes from the extended file, write null as its value");
}

}  // namespace

std::string joined_path(std::string_view path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

bool is_required(const Section& section) {
  if (section.is_optional) return false;
  return !section.device.empty() || std::ranges::any_of(section.fields, has_no_default) ||
         std::ranges::any_of(section.special, &SpecialKey::is_required) ||
         std::ranges::any_of(section.sections, is_required);
}

namespace {

bool is_anything_of_its_own(const Section& section) {
  return !section.fields.empty() || !section.sections.empty() || !section.special.empty() || !section.device.empty();
}

bool is_own(const std::string& key, const Section& section) {
  return key == "hardware" || key == "with" ||
         std::ranges::any_of(section.fields, [&](const FieldRef& field) { return field.info.name == key; }) ||
         std::ranges::find(section.sections, key, &Section::key) != section.sections.end() ||
         std::ranges::find(section.special, key, &SpecialKey::key) != section.special.end();
}

/// What a map says that may be one of them or several by name.
struct OneOrSeveral {
  std::vector<const Entry*> own;   ///< keys of one of them
  std::vector<const Entry*> maps;  ///< others, of which each may be one by name
  std::vector<const Entry*> rest;  ///< neither
  bool is_all_taken_back = true;

  OneOrSeveral(const Node& map, const Section& section) {
    for (const Entry& entry : map.entries) {
      if (entry.value.is_null()) continue;
      is_all_taken_back = false;
      (is_own(entry.key.text, section) ? own : entry.value.is_map() ? maps : rest).push_back(&entry);
    }
  }

  /// Of one: any key of its own, or nothing that is a map.
  bool is_one(const Section& section) const {
    return !own.empty() || (maps.empty() && (!rest.empty() || is_anything_of_its_own(section)));
  }
};

/// Keys of one of them beside others by name, which say such keys, too.
std::vector<const Entry*> named_beside(const OneOrSeveral& said, const Section& section) {
  std::vector<const Entry*> named;
  for (const Entry* entry : said.maps) {
    if (std::ranges::any_of(entry->value.entries, [&](const Entry& e) { return is_own(e.key.text, section); }))
      named.push_back(entry);
  }
  return said.own.empty() ? std::vector<const Entry*>{} : named;
}

std::string keys_of(const std::vector<const Entry*>& entries) {
  std::string keys;
  for (const Entry* entry : entries) keys += fmt::format("{}'{}'", keys.empty() ? "" : ", ", entry->key.text);
  return keys;
}

Problem mixed(const std::string& path, const std::vector<const Entry*>& own, const std::vector<const Entry*>& named) {
  const Node &here = named.front()->key, &other = own.front()->key;
  return problem_at(here,
                    fmt::format("{} describes one item (keys {}) or several items by name (keys {}), not both", path,
                                keys_of(own), keys_of(named)),
                    fmt::format("'{}' is in {}; to remove a key of the extended file, write null as its value",
                                other.text, other_place(other.place, here.place)));
}

/// Letters, digits and _, and a letter first: others name it in `on:`, and in events before a dot.
bool is_name(const std::string& text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/// It says nothing of its own device, and another has nearly its name.
bool is_slip_of_another(const Entry& entry, const Section& section, std::vector<std::string> names) {
  std::erase(names, entry.key.text);
  return entry.value.is_map() && !section.device.empty() && find(entry.value, "hardware") == nullptr &&
         !nearest(entry.key.text, names).empty();
}

void read_by_name(const Node& map, const std::string& path, const Section& section, Problems& problems) {
  std::vector<const Entry*> given;
  std::vector<std::string> names;
  for (const Entry& entry : map.entries) {
    if (is_own(entry.key.text, section) || (entry.value.is_null() && entry.value.is_taken_back)) continue;
    if (entry.value.is_null()) {
      problems.add(problem_at(entry.key, fmt::format("{}: there is no item '{}' to remove", path, entry.key.text),
                              "null removes an item of the extended file; write its name, or delete this key"));
      continue;
    }
    if (!is_name(entry.key.text)) {
      problems.add(problem_at(entry.key, fmt::format("'{}' is not a valid name", entry.key.text),
                              "begin with a letter and use letters, digits and _ only: hot_1"));
      continue;
    }
    given.push_back(&entry);
    names.push_back(entry.key.text);
  }
  const std::vector<Section> sections = section.by_name(names);
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (is_slip_of_another(*given[k], sections[k], names)) {
      std::vector<std::string> others = names;
      std::erase(others, names[k]);
      problems.add(problem_at(given[k]->key, fmt::format("{} has no key `hardware`", joined_path(path, names[k])),
                              nearest_hint(names[k], others)));
      continue;
    }
    read_section(given[k]->value, joined_path(path, names[k]), sections[k], problems);
  }
}

}  // namespace

void read_section(const Node& map, const std::string& path, const Section& section, Problems& problems) {
  if (section.by_name && map.is_map()) {
    const OneOrSeveral said(map, section);
    if (said.is_all_taken_back && !map.entries.empty() && !section.device.empty()) {
      problems.add(problem_at(map,
                              fmt::format("{}: null removes every item of the extended file, so no item is left", path),
                              "keep or define at least one item"));
      return;
    }
    const std::vector<const Entry*> named = named_beside(said, section);
    if (!named.empty()) problems.add(mixed(path, said.own, named));
    if (!named.empty() || !said.is_one(section)) return read_by_name(map, path, section, problems);
  }
  MapReader reader(map, path.empty() ? "scenario" : path, problems);
  if (!reader.is_map()) return;
  if (!section.device.empty()) read_hardware(reader, section);
  for (const auto& [key, instead] : section.former) reader.redirect(key, instead);
  read_fields(reader, section.fields);
  for (const Section& inner : section.sections) {
    const auto replacing =
        std::ranges::find_if(inner.replaced_by, [&](const std::string& key) { return has_value(reader, key); });
    const bool is_replaced = replacing != inner.replaced_by.end();
    const Node* value =
        is_required(inner) && !is_replaced ? reader.require(inner.key, inner.doc) : reader.find(inner.key);
    if (value == nullptr || value->is_null()) continue;
    if (is_replaced) {
      problems.add(refused(*value, joined_path(path, inner.key), *replacing));
      continue;
    }
    if (inner.is_none != nullptr && value->is_scalar() && value->text == "none") {
      *inner.is_none = true;
      continue;
    }
    if (inner.is_given != nullptr) *inner.is_given = true;
    read_section(*value, joined_path(path, inner.key), inner, problems);
  }
  for (const SpecialKey& special : section.special) {
    const bool is_replaced = !special.or_else.empty() && find(map, special.or_else) != nullptr;
    const bool is_needed = special.is_required && !is_replaced;
    const Node* value = is_needed ? reader.require(special.key, special.doc) : reader.find(special.key);
    if (value != nullptr && !value->is_null() && is_replaced) {
      problems.add(problem_at(
          *value, fmt::format("{} and {} are both given", special.key, special.or_else),
          fmt::format("keep one of the two; if `{0}` comes from the extended file, write `{0}: null`", special.key)));
      continue;
    }
    if (value != nullptr && !value->is_null()) special.read(*value, problems);
  }
  if (section.check) section.check(map, problems);
  reader.report_unknown_keys();
}

std::string read_device(const Node& hardware, const Section& device, Problems& problems) {
  const Node* name = find(hardware, "name");
  const Node* kind = find(hardware, "kind");
  if (kind != nullptr && kind->is_scalar() && kind->text != device.key) {
    problems.add(problem_at(name != nullptr ? *name : *kind,
                            fmt::format("{} is hardware of kind {}, expected {}",
                                        name != nullptr ? describe(*name) : "this", kind->text, device.key),
                            device.doc));
    return {};
  }
  Section with_titles = device;
  for (const char* key : {"name", "title"}) with_titles.special.push_back({.key = key, .read = [](auto&&...) {}});
  with_titles.special.push_back({.key = "kind", .is_required = true, .read = [](auto&&...) {}});
  read_section(hardware, device.key, with_titles, problems);
  return name != nullptr && name->is_scalar() ? name->text : device.key;
}

}  // namespace wattloop::twin
