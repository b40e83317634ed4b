#include "twin/results/reader/results_equality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "twin/results/hdf5/hdf5_file.hpp"

namespace wattloop::twin {

namespace {

using Difference = std::optional<std::string>;

/// "time 12, item 3" of the value at `flat` in an array of this shape.
std::string position_text(const Hdf5Info& info, std::size_t flat) {
  std::vector<std::size_t> index(info.shape.size());
  for (std::size_t axis = index.size(); axis-- > 0;) {
    index[axis] = flat % info.shape[axis];
    flat /= info.shape[axis];
  }
  std::string text;
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    text += fmt::format("{}{} {}", axis == 0 ? "[" : ", ", info.dimensions[axis], index[axis]);
  }
  return text.empty() ? text : text + "]";
}

bool same(const std::string& a, const std::string& b) { return a == b; }

/// Bit for bit: NaN equals itself, 0 differs from -0.
template <class Number>
bool same(const Number& a, const Number& b) {
  return std::memcmp(&a, &b, sizeof(Number)) == 0;
}

template <class T>
Difference different_values(const Hdf5Reader& a, const Hdf5Reader& b, const std::string& path, const Hdf5Info& info) {
  const std::vector<T> in_a = a.read<T>(path), in_b = b.read<T>(path);
  const auto [at_a, at_b] =
      std::mismatch(in_a.begin(), in_a.end(), in_b.begin(), [](const T& x, const T& y) { return same(x, y); });
  if (at_a == in_a.end()) return std::nullopt;
  const auto flat = static_cast<std::size_t>(at_a - in_a.begin());
  return fmt::format("{}{}: {} and {}", path, position_text(info, flat), *at_a, *at_b);
}

Difference different_values(const Hdf5Reader& a, const Hdf5Reader& b, const std::string& path, const Hdf5Info& info) {
  switch (info.type) {
    case Hdf5Type::float32:
      return different_values<float>(a, b, path, info);
    case Hdf5Type::float64:
      return different_values<double>(a, b, path, info);
    case Hdf5Type::int32:
      return different_values<std::int32_t>(a, b, path, info);
    case Hdf5Type::int64:
      return different_values<std::int64_t>(a, b, path, info);
    case Hdf5Type::text:
    case Hdf5Type::characters:
      break;
  }
  return different_values<std::string>(a, b, path, info);
}

Difference different_descriptions(const std::string& path, const Hdf5Info& a, const Hdf5Info& b) {
  if (a.type != b.type) return path + ": of different types";
  if (a.dimensions != b.dimensions) return path + ": over different dimensions";
  if (a.shape != b.shape) {
    return fmt::format("{}: of size {} and {}", path, fmt::join(a.shape, " x "), fmt::join(b.shape, " x "));
  }
  for (const auto& [name, text] : a.attributes) {
    if (b.attribute(name) != text) {
      return fmt::format("{}: {} is '{}' and '{}'", path, name, text, b.attribute(name));
    }
  }
  if (a.attributes.size() != b.attributes.size()) return path + ": has further attributes in the second";
  return std::nullopt;
}

Difference different_groups(const Hdf5Reader& a, const Hdf5Reader& b, const std::string& group) {
  const std::vector<Hdf5Info> in_a = a.variables(group), in_b = b.variables(group);
  const auto find = [](const std::vector<Hdf5Info>& all, const std::string& name) {
    return std::find_if(all.begin(), all.end(), [&](const Hdf5Info& info) { return info.name == name; });
  };
  for (const Hdf5Info& info : in_b) {
    if (find(in_a, info.name) == in_a.end()) return fmt::format("{}/{}: only in the second", group, info.name);
  }
  for (const Hdf5Info& info : in_a) {
    const std::string path = group + "/" + info.name;
    const auto other = find(in_b, info.name);
    if (other == in_b.end()) return path + ": only in the first";
    if (path == "summary/wall_time") continue;
    if (Difference found = different_descriptions(path, info, *other)) return found;
    if (Difference found = different_values(a, b, path, info)) return found;
  }
  return std::nullopt;
}

Difference first_difference(const Hdf5Reader& a, const Hdf5Reader& b) {
  std::vector<std::string> groups = a.groups(), others = b.groups();
  std::erase(groups, "provenance");
  std::erase(others, "provenance");
  for (const std::string& group : others) {
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) return group + ": only in the second";
  }
  for (const std::string& group : groups) {
    if (std::find(others.begin(), others.end(), group) == others.end()) return group + ": only in the first";
    if (Difference found = different_groups(a, b, group)) return found;
  }
  return std::nullopt;
}

}  // namespace

ResultsEquality results_equal(const std::filesystem::path& a, const std::filesystem::path& b) {
  const Hdf5Reader file_a(a), file_b(b);
  const Difference found = first_difference(file_a, file_b);
  return {.equal = !found.has_value(), .difference = found.value_or("")};
}

}  // namespace wattloop::twin
