#include "cli/initial_weights.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/error.h"
#include "checkpoint/warm_start.h"
#include "text/word_vectors.h"
#include "train/freeze.h"

namespace heed::cli {
namespace {

/// read(), whose faults are of the file that `key` names.
template <typename Read>
auto named(const std::string& key, const Read& read) {
  try {
    return read();
  } catch (const DataError& error) {
    throw DataError(key + ": " + error.what());
  } catch (const CheckpointError& error) {
    throw CheckpointError(key + ": " + error.what());
  }
}

/// Word vectors in the rows of an embedding, which is `side`'s, or the only one. The line to log.
std::string fill_embedding(torch::nn::Module& module, const std::string& file,
                           const text::Tokenizer& tokenizer, const std::string& side) {
  const auto parameters = module.named_parameters();
  const std::string name = "embed_tokens.weight";
  auto weight = parameters.contains(name) ? parameters[name] : parameters[side + name];
  const auto width = weight.size(1);
  auto vectors = text::read_word_vectors(file, tokenizer, width);
  const torch::NoGradGuard no_grad;
  const auto rows = static_cast<int64_t>(vectors.ids.size());
  weight.index_copy_(0, torch::tensor(vectors.ids).to(torch::kInt64).to(weight.device()),
                     torch::from_blob(vectors.values.data(), {rows, width}).to(weight.device()));
  return fmt::format("vectors  {} of {} pieces from {}", rows, tokenizer.size() - text::kSpecials,
                     file);
}

}  // namespace

std::vector<std::string> prepare_weights(const config::Train& config, bool resumed,
                                         const text::Tokenizers& tokenizers,
                                         torch::nn::Module& module) {
  std::vector<std::string> lines;
  if (!config.init_from.empty() && !resumed) {
    const auto weights =
        named("train.init_from", [&] { return checkpoint::weights_at(config.init_from); });
    const auto result = checkpoint::warm_start(module, weights, config.init_from);
    lines.push_back(
        fmt::format("init     {} tensors from {}", result.taken.size(), config.init_from));
    const auto list = [&](const char* what, const std::vector<std::string>& names) {
      if (names.empty()) return;
      lines.push_back(fmt::format("init     {}: {}", what, fmt::join(names, ", ")));
    };
    list("not there", result.missing);
    list("not of this model", result.extra);
    list("of another shape", result.reshaped);
  }
  const auto fill = [&](const std::string& file, const text::Tokenizer& tokenizer,
                        const std::string& side) {
    if (!file.empty()) lines.push_back(fill_embedding(module, file, tokenizer, side));
  };
  if (!resumed) {
    fill(config.source_vectors, *tokenizers.source, "encoder.");
    if (tokenizers.target) fill(config.target_vectors, *tokenizers.target, "decoder.");
  }
  if (!config.freeze.empty()) {
    lines.push_back(fmt::format("freeze   {} tensors", train::freeze(module, config.freeze)));
  }
  return lines;
}

}  // namespace heed::cli
