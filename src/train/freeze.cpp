#include "train/freeze.h"

#include <fnmatch.h>

#include <set>

#include <spdlog/fmt/fmt.h>

#include "base/error.h"
#include "base/nearest.h"
#include "train/optimizer.h"

namespace heed::train {

int64_t freeze(torch::nn::Module& module, const std::vector<std::string>& patterns) {
  std::set<const void*> frozen;
  for (const auto& pattern : patterns) {
    std::vector<std::string> names;
    bool fits = false;
    for (auto& item : module.named_parameters()) {
      names.push_back(item.key());
      if (::fnmatch(pattern.c_str(), item.key().c_str(), 0) != 0) continue;
      fits = true;
      item.value().set_requires_grad(false);
      frozen.insert(item.value().unsafeGetTensorImpl());
    }
    if (!fits) {
      throw ConfigError(fmt::format("train.freeze: '{}' fits no parameter; the nearest is '{}'",
                                    pattern, nearest(pattern, names)));
    }
  }
  if (!patterns.empty() && parameters_of(module).empty()) {
    throw ConfigError("train.freeze: leaves no parameter to train; freeze fewer");
  }
  return std::ssize(frozen);
}

}  // namespace heed::train
