#include "train/first_non_finite.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include <ATen/record_function.h>
#include <spdlog/fmt/fmt.h>

namespace heed::train {
namespace {

/// What the callbacks, which are plain functions, know and find.
struct Watch {
  std::map<const void*, std::string> parameters{};  // by storage
  std::string last_parameter{};
  std::string found{};
};

Watch* watching = nullptr;

/// Calls `see` with each floating point tensor among the values.
template <typename Values, typename See>
void each_tensor(const Values& values, const See& see) {
  const auto visit = [&](const torch::Tensor& tensor) {
    if (tensor.defined() && tensor.is_floating_point() && tensor.has_storage()) see(tensor);
  };
  for (const auto& value : values) {
    if (value.isTensor()) visit(value.toTensor());
    if (!value.isTensorList()) continue;
    for (const torch::Tensor& tensor : value.toTensorVector()) visit(tensor);
  }
}

/// NaN, or plus infinity: minus infinity is what hides a score.
bool broken(const torch::Tensor& tensor) {
  const auto infinite = tensor.eq(std::numeric_limits<double>::infinity());
  return tensor.ne(tensor).logical_or_(infinite).any().item<bool>();
}

/// Another look at memory, or the same look (`resolve_conj`, `contiguous`, `to`), computes nothing,
/// and what it looks at may not be written yet: it gives what it was given and writes nothing
/// there.
bool looks_only(const at::RecordFunction& function) {
  const auto schema = function.operator_schema();
  if (!schema) return false;
  return std::ranges::any_of(schema->returns(), [](const c10::Argument& given) {
    const auto* alias = given.alias_info();
    return alias != nullptr && !alias->isWrite();
  });
}

/// Memory that is handed out and not written yet holds anything.
bool gives_unwritten_memory(std::string_view name) {
  return name.find("empty") != name.npos || name.find("resize") != name.npos;
}

std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function) {
  if (watching == nullptr) return nullptr;
  each_tensor(function.inputs(), [](const torch::Tensor& tensor) {
    const auto known = watching->parameters.find(tensor.storage().data());
    if (known != watching->parameters.end()) watching->last_parameter = known->second;
  });
  return nullptr;
}

void end(const at::RecordFunction& function, at::ObserverContext* /*context*/) {
  if (watching == nullptr || !watching->found.empty()) return;
  if (gives_unwritten_memory(function.name()) || looks_only(function)) return;
  auto* watch = std::exchange(watching, nullptr);  // the questions asked here are not watched
  bool whole = true;
  each_tensor(function.outputs(),
              [&](const torch::Tensor& tensor) { whole = whole && !broken(tensor.detach()); });
  if (!whole) watch->found = fmt::format("{} near '{}'", function.name(), watch->last_parameter);
  watching = watch;
}

/// The callbacks of one watch while it lives.
class Watching {
 public:
  explicit Watching(Watch& watch)
      : handle_(at::addThreadLocalCallback(at::RecordFunctionCallback(begin, end)
                                               .needsInputs(true)
                                               .needsOutputs(true)
                                               .scopes({at::RecordScope::FUNCTION}))) {
    watching = &watch;
  }
  ~Watching() {
    watching = nullptr;
    at::removeCallback(handle_);
  }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

 private:
  at::CallbackHandle handle_;
};

}  // namespace

std::string first_non_finite(const torch::nn::Module& module, const std::function<void()>& work) {
  Watch watch;
  for (const auto& item : module.named_parameters()) {
    watch.parameters.emplace(item.value().storage().data(), item.key());
  }
  const Watching callbacks(watch);
  work();
  return watch.found;
}

}  // namespace heed::train
