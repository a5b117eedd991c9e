#include "inspect/verify_subject.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "inspect/score_formula.h"
#include "model/sizes.h"

namespace heed::inspect {
namespace {

constexpr int64_t kShort = 10;         // tokens that show what full attention does
constexpr int64_t kLong = 300;         // more than a block or chunk of attention in linear time
constexpr int64_t kMost = 1200;        // however wide a window is
constexpr int64_t kFirstOrdinary = 4;  // ids before it are special tokens

torch::Tensor log_probabilities(const torch::Tensor& logits) {
  return logits.to(torch::kFloat).log_softmax(-1).cpu();
}

/// x [B, T, any] with 0 at padding
torch::Tensor without_padding(const torch::Tensor& x, const torch::Tensor& lengths) {
  return x.masked_fill(~real_places(lengths, x.size(1)).unsqueeze(-1), 0.0);
}

int64_t ordinary(int64_t id, int64_t pieces) {
  const auto first = std::min(kFirstOrdinary, pieces - 1);
  return first + id % (pieces - first);
}

/// int64 [B, longest]; padding is 0
torch::Tensor random_ids(const std::vector<int64_t>& lengths, int64_t pieces, Random& random) {
  const auto longest = *std::ranges::max_element(lengths);
  const auto ids = torch::zeros({std::ssize(lengths), longest}, torch::kLong);
  auto at = ids.accessor<int64_t, 2>();
  for (int64_t row = 0; row < std::ssize(lengths); ++row) {
    int64_t last = 0;
    for (int64_t t = 0; t < lengths[row]; ++t) {
      last += 1 + static_cast<int64_t>(random.below(std::max<int64_t>(pieces - 5, 1)));
      at[row][t] = ordinary(last, pieces);
    }
  }
  return ids;
}

}  // namespace

Subject::Subject(std::shared_ptr<model::EncoderDecoder> translator)
    : translator_(std::move(translator)) {}

Subject::Subject(std::shared_ptr<model::Classifier> classifier)
    : classifier_(std::move(classifier)) {}

torch::nn::Module& Subject::module() const {
  if (translator_) return *translator_;
  return *classifier_;
}

torch::Device Subject::device() const {
  return translator_ ? translator_->output_weight().device()
                     : classifier_->output_weight().device();
}

model::Memory Subject::encode(const Texts& texts, const nn::Noise* noise,
                              model::Trace* trace) const {
  return translator_->encode({.ids = texts.source.to(device()),
                              .lengths = texts.source_lengths,
                              .noise = noise,
                              .trace = trace});
}

torch::Tensor Subject::predict(const Texts& texts, const nn::Noise* noise,
                               model::Trace* trace) const {
  if (classifier_) {
    const auto features = classifier_->pool({.ids = texts.source.to(device()),
                                             .lengths = texts.source_lengths,
                                             .noise = noise,
                                             .trace = trace});
    return log_probabilities(classifier_->logits(features));
  }
  const auto memory = encode(texts, noise, trace);
  const auto features = translator_->decode({.ids = texts.target.to(device()),
                                             .lengths = texts.target_lengths,
                                             .noise = noise,
                                             .trace = trace},
                                            memory);  // [B, Tt, D]
  return without_padding(log_probabilities(translator_->logits(features)), texts.target_lengths);
}

torch::Tensor Subject::predict_stepwise(const Texts& texts) const {
  const auto memory = encode(texts, nullptr, nullptr);
  const auto state = translator_->start(memory, texts.target.size(1));
  std::vector<torch::Tensor> steps;
  for (int64_t t = 0; t < texts.target.size(1); ++t) {
    const auto features = translator_->step(texts.target.select(1, t).to(device()), *state);
    steps.push_back(log_probabilities(translator_->logits(features)));  // [B, V]
  }
  return without_padding(torch::stack(steps, 1), texts.target_lengths);
}

torch::Tensor Subject::read(const Texts& texts) const {
  if (translator_) {
    const auto features = encode(texts, nullptr, nullptr).features.cpu();
    return without_padding(features, texts.source_lengths);
  }
  return classifier_->pool({.ids = texts.source.to(device()), .lengths = texts.source_lengths})
      .cpu();
}

int64_t longest(const Verified& verified) {
  const auto& attention = verified.config.attention;
  const auto limit = verified.sizes.max_len + model::kSpecial - 1;
  if (attention.type == "linear") return std::min(limit, kLong);
  if (!is_pattern(attention.type)) return std::min(limit, kShort);
  return std::min({limit, std::max(kLong, attention.window + 40), kMost});
}

std::vector<int64_t> spread(int64_t count, int64_t most) {
  std::vector<int64_t> places;
  const auto n = std::min(count, most);
  for (int64_t i = 0; i < n; ++i) places.push_back(n == 1 ? 0 : i * (count - 1) / (n - 1));
  return places;
}

Texts random_texts(const Verified& verified, const std::vector<int64_t>& lengths, uint64_t seed) {
  const auto limit = verified.sizes.max_len + model::kSpecial - 1;
  std::vector<int64_t> within;
  for (const auto length : lengths) within.push_back(std::min(length, limit));
  Random random({seed, 0x7e47});

  Texts texts{.source = random_ids(within, verified.sizes.source_pieces, random),
              .source_lengths = torch::tensor(within, torch::kLong)};
  if (!verified.model.translates()) return texts;
  std::ranges::reverse(within);
  for (auto& length : within) length = std::max<int64_t>(length, 1);  // it begins with <s>
  texts.target = random_ids(within, verified.sizes.target_pieces, random);
  texts.target_lengths = torch::tensor(within, torch::kLong);
  return texts;
}

Texts uneven_texts(const Verified& verified, uint64_t seed) {
  const auto most = longest(verified);
  return random_texts(verified, {most, most / 2, 1, most - 1}, seed);
}

torch::Tensor other_tokens(const Verified& verified, const torch::Tensor& ids) {
  const auto pieces = verified.model.translates()
                          ? std::min(verified.sizes.source_pieces, verified.sizes.target_pieces)
                          : verified.sizes.source_pieces;
  const auto first = std::min(kFirstOrdinary, pieces - 1);
  const auto each = pieces - first;
  const auto next = (ids - first + 1 + kFirstOrdinary * each).remainder(each);
  return next + first;
}

torch::Tensor real_places(const torch::Tensor& lengths, int64_t len) {
  return torch::arange(len, torch::kLong).unsqueeze(0) < lengths.unsqueeze(1);
}

double distance(const torch::Tensor& a, const torch::Tensor& b) {
  const auto difference = (a - b).abs();
  return difference.numel() == 0 ? 0.0 : difference.max().item<double>();
}

}  // namespace heed::inspect
