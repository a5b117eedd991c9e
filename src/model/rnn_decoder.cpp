#include "model/rnn_decoder.h"

#include <utility>

#include "model/choices.h"
#include "model/rnn_encoder.h"
#include "model/transformer_encoder.h"
#include "nn/precision.h"
#include "nn/recurrent/read_texts.h"

namespace heed::model {
namespace {

/// Scores, weights and queries of single steps [n, 1, 1, any] as those of the batch.
nn::AttentionParts joined(const std::vector<nn::AttentionParts>& steps, const nn::Packing& packing,
                          const nn::ProjectedMemory& memory) {
  const auto join = [&](torch::Tensor nn::AttentionParts::* part) {
    std::vector<torch::Tensor> rows;
    for (const auto& step : steps) rows.push_back((step.*part).flatten(1));  // [n, any]
    return packing.unpack(torch::cat(rows)).unsqueeze(1);                    // [B, 1, Tt, any]
  };
  return {.query = join(&nn::AttentionParts::query),
          .key = packing.original(memory.keys).unsqueeze(1),
          .value = packing.original(memory.values).unsqueeze(1),
          .scores = join(&nn::AttentionParts::scores),
          .weights = join(&nn::AttentionParts::weights)};
}

}  // namespace

struct RnnDecoderImpl::Reading {
  const nn::Packing& packing;
  torch::Tensor x;  // [N, D], embedded
  RnnRows rows;     // before the first token, sorted
  const Memory& memory;
  const nn::Noise* noise;                  // of the batch
  const nn::Noise* of_tokens;              // of N
  std::vector<torch::Tensor> state_masks;  // [B, D] each or undefined, sorted
  Trace* trace;
};

RnnDecoderImpl::RnnDecoderImpl(const config::Model& config, nn::Embedding embedding)
    : init_(state_init(config)),
      bidirectional_(config.rnn.bidirectional),
      embedding_(std::move(embedding)) {
  const int64_t d_model = config.d_model;
  const auto linear = [&](int64_t in, int64_t out, bool bias) {
    return nn::Linear(nn::LinearOptions{.in = in, .out = out, .bias = bias, .init = init(config)});
  };
  embedding_dropout_ = register_module("embedding_dropout", nn::Dropout(config.dropout));
  torch::nn::ModuleList layers;
  torch::nn::ModuleList dropouts;
  for (int64_t index = 0; index < config.dec_layers; ++index) {
    layers_.emplace_back(cell_options(config, d_model));
    layers->push_back(layers_.back());
    if (index == 0) continue;
    dropouts_.emplace_back(config.dropout);
    dropouts->push_back(dropouts_.back());
  }
  register_module("layers", layers);
  register_module("dropouts", dropouts);
  const auto type = layers_.front()->options().type;
  if (init_ == StateInit::kBridge) {
    const int64_t states = config.dec_layers * (type == nn::CellType::kLstm ? 2 : 1);
    bridge_ = register_module("bridge", linear(d_model, states * d_model, true));
  }
  if (config.rnn.input_feeding) {
    feed_ = register_module("feed", linear(d_model, nn::gate_count(type) * d_model, false));
  }
  attention_ = register_module("attention", nn::MemoryAttention(memory_attention_options(config)));
  state_dropout_ = register_module("state_dropout", nn::Dropout(config.dropout));
  readout_ = register_module("readout", linear(2 * d_model, d_model, true));
}

torch::Tensor RnnDecoderImpl::forward(const Sequences& target_in, const Memory& memory) const {
  const auto& [ids, lengths, noise, trace, again, caches] = target_in;
  const nn::Packing packing(lengths, ids.size(1), ids.device());
  const auto of_tokens = packing.of_tokens(noise);
  const auto of_texts = packing.of_sorted(noise);

  const auto x = embedding_->forward(packing.pack(ids)).unsqueeze(1);  // [N, 1, D]
  Reading reading{
      .packing = packing,
      .x = embedding_dropout_->forward(x, nn::pointer(of_tokens)).squeeze(1),
      .rows = first_rows(
          {.features = packing.sorted(memory.features), .lengths = packing.sorted(memory.lengths)}),
      .memory = memory,
      .noise = noise,
      .of_tokens = nn::pointer(of_tokens),
      .state_masks = {},
      .trace = trace,
  };
  for (const auto& layer : layers_) {
    reading.state_masks.push_back(layer->state_mask(ids.size(0), nn::pointer(of_texts)));
  }
  return feed_ ? step_by_step(reading) : whole(reading);
}

torch::Tensor RnnDecoderImpl::whole(const Reading& reading) const {
  const auto& packing = reading.packing;
  auto x = reading.x;
  for (std::size_t index = 0; index < layers_.size(); ++index) {
    x = nn::read_texts({{.cell = layers_[index],
                         .state = reading.rows.layers[index],
                         .state_mask = reading.state_masks[index]}},
                       between(index, x, reading.of_tokens), packing.batch_sizes());  // [N, D]
  }
  const auto states = packing.unpack(x);  // [B, Tt, D]
  auto* parts = reading.trace ? reading.trace->add("cross", 0) : nullptr;
  const auto context =
      attention_->forward(states, project(reading.memory), parts, reading.noise);  // [B, Tt, D]
  return features(states, context, reading.noise);
}

torch::Tensor RnnDecoderImpl::step_by_step(const Reading& reading) const {
  const auto& packing = reading.packing;
  const auto memory = project({.features = packing.sorted(reading.memory.features),
                               .lengths = packing.sorted(reading.memory.lengths)});
  const auto gates = layers_.front()->project(reading.x);  // [N, G D]
  auto rows = reading.rows;
  auto masks = reading.state_masks;
  auto seen = memory;  // narrowed only where texts end: each view has a gradient of its own size
  std::vector<torch::Tensor> written;
  std::vector<nn::AttentionParts> parts;
  int64_t first = 0;
  for (const auto n : packing.batch_sizes()) {
    for (auto& layer : rows.layers) layer = layer.narrow(n);
    rows.fed = nn::leading(rows.fed, n);
    for (auto& mask : masks) mask = nn::leading(mask, n);
    seen = seen.narrow(n);
    nn::Noise noise;
    if (reading.of_tokens) {
      noise = *reading.of_tokens;
      noise.examples = noise.examples.narrow(0, first, n);
    }
    if (reading.trace) parts.emplace_back();
    written.push_back(advance(gates.narrow(0, first, n), rows, seen, masks,
                              reading.of_tokens ? &noise : nullptr,
                              reading.trace ? &parts.back() : nullptr));
    first += n;
  }
  if (written.empty()) return packing.unpack(reading.x);  // nothing was read, so zeros
  if (reading.trace) *reading.trace->add("cross", 0) = joined(parts, packing, memory);
  return packing.unpack(torch::cat(written));
}

torch::Tensor RnnDecoderImpl::advance(torch::Tensor gates, RnnRows& rows,
                                      const nn::ProjectedMemory& memory,
                                      const std::vector<torch::Tensor>& state_masks,
                                      const nn::Noise* noise, nn::AttentionParts* parts) const {
  if (feed_) gates = gates + nn::widen(feed_->forward(rows.fed));
  torch::Tensor x;
  for (std::size_t index = 0; index < layers_.size(); ++index) {
    const auto& cell = layers_[index];
    if (index > 0) gates = cell->project(between(index, x, noise));
    const auto next = cell->forward(gates, rows.layers[index], {gates.size(0)}, /*reverse=*/false,
                                    state_masks.empty() ? torch::Tensor() : state_masks[index]);
    rows.layers[index] = {.hidden = next.hidden, .cell = next.cell};
    x = next.states;  // [n, D]
  }
  const auto states = x.unsqueeze(1);                                      // [n, 1, D]
  const auto context = attention_->forward(states, memory, parts, noise);  // [n, 1, D]
  const auto read = features(states, context, noise).squeeze(1);           // [n, D]
  if (feed_) rows.fed = read;
  return read;
}

std::unique_ptr<RnnState> RnnDecoderImpl::start(const Memory& memory) const {
  return std::make_unique<RnnState>(first_rows(memory), project(memory));
}

torch::Tensor RnnDecoderImpl::step(const torch::Tensor& ids, RnnState& state) const {
  TORCH_CHECK(ids.dim() == 1 && ids.size(0) == state.rows(), "ids ", ids.sizes(), " for ",
              state.rows(), " hypotheses");
  auto rows = state.carried();
  const auto gates = layers_.front()->project(embedding_->forward(ids));
  const auto read = advance(gates, rows, state.memory(), {}, nullptr, nullptr);
  state.advance(std::move(rows));
  return read;
}

/// The state of every layer before the first token.
RnnRows RnnDecoderImpl::first_rows(const Memory& memory) const {
  const int64_t batch = memory.features.size(0);
  RnnRows rows{.layers = {}};
  for (const auto& layer : layers_) rows.layers.push_back(layer->zeros(batch));
  if (feed_) rows.fed = torch::zeros_like(rows.layers.front().hidden);
  if (init_ == StateInit::kZero) return rows;

  const auto last = last_features(memory.features, memory.lengths, bidirectional_);  // [B, D]
  const bool lstm = rows.layers.front().cell.defined();
  const auto states = static_cast<int64_t>(layers_.size()) * (lstm ? 2 : 1);
  const auto all = bridge_ ? torch::tanh(nn::widen(bridge_->forward(last))).chunk(states, -1)
                           : std::vector<torch::Tensor>(static_cast<std::size_t>(states), last);
  for (std::size_t index = 0; index < layers_.size(); ++index) {
    rows.layers[index].hidden = all[index];
    if (lstm) rows.layers[index].cell = all[layers_.size() + index];
  }
  return rows;
}

nn::ProjectedMemory RnnDecoderImpl::project(const Memory& memory) const {
  const auto& lengths = memory.lengths;
  const bool full = lengths.is_cpu() && all_full(lengths, memory.features.size(1));
  return attention_->project(memory.features, full ? torch::Tensor() : lengths);
}

/// What a layer reads of the one below, x [N, D].
torch::Tensor RnnDecoderImpl::between(std::size_t layer, const torch::Tensor& x,
                                      const nn::Noise* noise) const {
  return layer == 0 ? x : dropouts_[layer - 1]->forward(x.unsqueeze(1), noise).squeeze(1);
}

/// states, context [B, T, D] -> [B, T, D]
torch::Tensor RnnDecoderImpl::features(const torch::Tensor& states, const torch::Tensor& context,
                                       const nn::Noise* noise) const {
  const auto both = state_dropout_->forward(torch::cat({states, context}, -1), noise);
  return torch::tanh(nn::widen(readout_->forward(both)));
}

}  // namespace heed::model
