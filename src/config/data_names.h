#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace heed::config {

/// No, one or several names: of files, of columns. In JSON a string where there is one (or none:
/// ""), else a list of strings. Reads and assigns like a string where one will do.
class DataNames {
 public:
  DataNames() = default;
  DataNames(const char* name) : DataNames(std::string(name)) {}
  DataNames(std::string name) {
    if (!name.empty()) names_.push_back(std::move(name));
  }
  DataNames(std::vector<std::string> names) : names_(std::move(names)) {}
  DataNames(std::initializer_list<std::string> names) : names_(names) {}

  bool empty() const { return names_.empty(); }
  std::size_t size() const { return names_.size(); }
  const std::string& operator[](std::size_t i) const { return names_.at(i); }
  auto begin() const { return names_.begin(); }
  auto end() const { return names_.end(); }
  auto begin() { return names_.begin(); }
  auto end() { return names_.end(); }

  const std::vector<std::string>& all() const { return names_; }

  bool operator==(const DataNames&) const = default;

  template <typename Json>
  friend void to_json(Json& json, const DataNames& names) {
    if (names.size() > 1) {
      json = names.names_;
    } else {
      json = names.empty() ? std::string() : names[0];
    }
  }

  template <typename Json>
  friend void from_json(const Json& json, DataNames& names) {
    if (json.is_string()) {
      names = DataNames(json.template get<std::string>());
    } else {
      names = DataNames(json.template get<std::vector<std::string>>());
    }
  }

 private:
  std::vector<std::string> names_;
};

}  // namespace heed::config
