#include "twin/scenario/library/bibliography.hpp"

#include <fstream>
#include <sstream>

namespace wattloop::twin {

std::set<std::string> bibliography_keys(const std::filesystem::path& library) {
  std::set<std::string> keys;
  std::istringstream built_in(WATTLOOP_BIBLIOGRAPHY);
  for (std::string key; built_in >> key;) keys.insert(key);
  std::ifstream own(library / "references.bib");
  for (std::string line; std::getline(own, line);) {
    const std::size_t brace = line.find('{'), comma = line.find(',');
    if (line.starts_with('@') && brace < comma) keys.insert(line.substr(brace + 1, comma - brace - 1));
  }
  return keys;
}

}  // namespace wattloop::twin
