#include "inspect/verify.h"

#include <limits>
#include <string>
#include <utility>

#include "base/out_of_memory.h"
#include "inspect/verify_blindness.h"
#include "inspect/verify_gradients.h"
#include "inspect/verify_initial.h"
#include "inspect/verify_modes.h"
#include "inspect/verify_weights.h"
#include "pipeline/global_tokens.h"

namespace heed::inspect {
namespace {

struct Item {
  const char* name;
  Check (*measure)(const Verified&);
  const char* not_of_rnn = nullptr;  // why the check does not apply to a recurrent model
};

constexpr auto kOrder = "a recurrent model reads its text in order";
constexpr auto kStates = "the attention of a recurrent model scores states, not inputs";
constexpr auto kProjections =
    "the attention of a recurrent model has no query, key and value projections";

// Within 46 columns each.
constexpr Item kChecklist[] = {
    {"outputs have the shape of their inputs", check_shapes},
    {"rows of weights sum to 1, or to 0 without keys", check_row_sums},
    {"hidden weights are 0", check_hidden_weights},
    {"later tokens change nothing before them", check_future},
    {"tokens in the padding change nothing", check_padding},
    {"without positions, order changes nothing", check_permutation, kOrder},
    {"with positions, swapped tokens change others", check_swap},
    {"a text alone equals the text in a batch", check_batch},
    {"cached equals uncached decoding", check_cached},
    {"training equals eval mode without dropout", check_modes},
    {"dropout acts in training", check_dropout},
    {"one head equals the single-head formula", check_single_head, kProjections},
    {"std of scores, input of unit variance", check_score_std, kStates},
    {"std of scores, fresh model", check_model_score_std},
    {"fresh layers differ", check_layers_differ},
    {"fresh query, key and value projections differ", check_projections_differ, kProjections},
    {"gradients that are not finite", check_gradients_finite},
    {"parameters without a gradient", check_gradients_reach},
    {"saved and reloaded predicts the same", check_reload},
};

/// The first line of what LibTorch says; the rest is a trace.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

Check measured(const Item& item, const Verified& verified) {
  try {
    const bool skipped = item.not_of_rnn && verified.config.recurrent();
    auto check = skipped ? not_applicable(item.not_of_rnn) : item.measure(verified);
    check.name = item.name;
    return check;
  } catch (const c10::Error& error) {
    if (out_of_memory(error)) throw;
    return {.name = item.name,
            .measured = std::numeric_limits<double>::quiet_NaN(),
            .reason = first_line(error.what())};
  }
}

Subject build(const config::Model& config, const model::Sizes& sizes, uint64_t seed) {
  if (sizes.classes > 0) return Subject(model::build_classifier(config, sizes, seed));
  return Subject(model::build_encoder_decoder(config, sizes, seed));
}

/// Global tokens of a config, whose tokenizer there is none of: any pieces, as many.
std::vector<int64_t> stand_ins(const config::Attention& config, int64_t pieces) {
  std::vector<int64_t> ids;
  for (std::size_t i = 0; i < config.global_tokens.size(); ++i) {
    ids.push_back(pieces - 1 - static_cast<int64_t>(i) % pieces);
  }
  return ids;
}

Verified verified_of(const config::Model& config, const model::Sizes& sizes, Subject model) {
  return {.config = config, .sizes = sizes, .model = std::move(model), .build = [=](uint64_t seed) {
            return build(config, sizes, seed);
          }};
}

}  // namespace

Verified verified(const pipeline::Run& run) {
  const auto& source = *run.tokenizers.source;
  model::Sizes sizes{.source_pieces = source.size(),
                     .max_len = run.config.data.max_len,
                     .global_ids = pipeline::global_ids(run.config.model.attention, source)};
  if (run.classifier) {
    sizes.classes = std::ssize(run.labels);
    return verified_of(run.config.model, sizes, Subject(run.classifier));
  }
  sizes.target_pieces = run.tokenizers.target->size();
  return verified_of(run.config.model, sizes, Subject(run.encoder_decoder));
}

Verified verified(const config::Run& config, torch::Device device) {
  const bool classifies = config.task == "classify";
  const auto pieces = config.tokenizer.vocab_size;
  const model::Sizes sizes{.source_pieces = pieces,
                           .target_pieces = classifies ? 0 : pieces,
                           .classes = classifies ? 3 : 0,
                           .max_len = config.data.max_len,
                           .global_ids = stand_ins(config.model.attention, pieces)};
  auto model = build(config.model, sizes, static_cast<uint64_t>(config.seed));
  model.module().to(device);
  model.module().eval();
  return verified_of(config.model, sizes, std::move(model));
}

std::vector<Check> verify(const Verified& verified) {
  std::vector<Check> checks;
  for (const auto& item : kChecklist) checks.push_back(measured(item, verified));
  return checks;
}

}  // namespace heed::inspect
