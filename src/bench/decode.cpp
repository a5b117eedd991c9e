#include "bench/decode.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include <c10/core/InferenceMode.h>

#include "base/error.h"
#include "base/random.h"
#include "bench/median.h"
#include "bench/memory.h"
#include "decode/beam.h"
#include "decode/model_scorer.h"
#include "model/build.h"
#include "model/cache_options.h"
#include "pipeline/source_batch.h"
#include "pipeline/workers.h"
#include "text/tokenizer.h"

namespace heed::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Ids = std::vector<int64_t>;

constexpr int64_t kLongestSource = 17;  // tokens, EOS included
constexpr int64_t kAlone = 40;          // sentences timed one by one

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::vector<pipeline::EncodedLine> random_sources(int64_t count, int64_t pieces, int64_t seed) {
  Random random({static_cast<uint64_t>(seed), 0});
  std::vector<pipeline::EncodedLine> sources(count);
  for (auto& source : sources) {
    source.ids.resize(8 + random.below(9));
    for (auto& id : source.ids) {
      id = text::kSpecials + static_cast<int64_t>(random.below(pieces - text::kSpecials));
    }
    source.tokens = std::ssize(source.ids);
  }
  return sources;
}

/// The places of sentences [0, count), in batches.
std::vector<Ids> in_batches(int64_t count, int64_t batch_size) {
  std::vector<Ids> batches;
  for (int64_t i = 0; i < count; ++i) {
    if (i % batch_size == 0) batches.emplace_back();
    batches.back().push_back(i);
  }
  return batches;
}

/// What one batch took.
struct Timing {
  int64_t tokens = 0;
  double encode_seconds = 0.0;
  double search_seconds = 0.0;
};

class DecodeBench {
 public:
  DecodeBench(const config::Run& config, const DecodeOptions& options, torch::Device device)
      : options_(options),
        device_(device),
        batches_(in_batches(options.sentences, config.decode.batch_size)) {
    const auto pieces = config.tokenizer.vocab_size;
    const model::Sizes sizes{.source_pieces = pieces,
                             .target_pieces = pieces,
                             .max_len = std::max(options.length, kLongestSource)};
    const auto seed = static_cast<uint64_t>(config.seed);
    model_ = model::build_encoder_decoder(config.model, sizes, seed);
    model_->eval();
    model_->to(device);
    sources_ = random_sources(options.sentences, pieces, config.seed);
    caches_ = model::cache_options(config.decode);
    search_ = {.beam_size = config.decode.beam_size,
               .length_penalty = config.decode.length_penalty,
               .begin = text::kBegin,
               .end = text::kEnd,
               .never = {text::kPad, text::kUnknown, text::kBegin, text::kEnd}};
  }

  DecodeReport run() {
    decode(batches_.front());  // warm-up
    DecodeReport report;
    std::vector<double> rates;
    for (int64_t i = 0; i < options_.rounds; ++i) rates.push_back(round(report));
    report.tokens_per_second = median(rates);
    report.latency_ms = 1000 * latency_seconds();
    report.peak_memory_mb = peak_memory_mb();
    return report;
  }

 private:
  /// The hypotheses end on the host, so nothing is left running on a device.
  Timing decode(const Ids& places) const {
    const c10::InferenceMode inference;
    Timing timing;
    const auto begin = Clock::now();
    const auto memory = model_->encode(pipeline::source_batch(sources_, places, device_));
    timing.encode_seconds = seconds_since(begin);

    decode::ModelScorer scorer(*model_, memory, options_.length, caches_);
    const Ids limits(places.size(), options_.length);
    for (const auto& hypotheses : decode::beam_search(scorer, limits, search_)) {
      timing.tokens += std::ssize(hypotheses.front().ids);
    }
    timing.search_seconds = seconds_since(begin) - timing.encode_seconds;
    return timing;
  }

  /// All sentences once, batches shared among workers as Translator does. -> tokens a second
  double round(DecodeReport& report) const {
    std::vector<Timing> timings(batches_.size());
    const auto begin = Clock::now();
    pipeline::run_works(std::ssize(batches_), pipeline::default_workers(device_.is_cpu()),
                        [&](int64_t i) { timings[i] = decode(batches_[i]); });
    const auto seconds = seconds_since(begin);

    int64_t tokens = 0;
    for (const auto& timing : timings) {
      tokens += timing.tokens;
      report.encode_seconds += timing.encode_seconds;
      report.search_seconds += timing.search_seconds;
    }
    report.seconds += seconds;
    return static_cast<double>(tokens) / seconds;
  }

  double latency_seconds() const {
    std::vector<double> latencies;
    for (int64_t i = 0; i < std::min(kAlone, options_.sentences); ++i) {
      const auto timing = decode({i});
      latencies.push_back(timing.encode_seconds + timing.search_seconds);
    }
    return median(latencies);
  }

  DecodeOptions options_;
  torch::Device device_;
  std::vector<Ids> batches_;
  std::shared_ptr<model::EncoderDecoder> model_;
  std::vector<pipeline::EncodedLine> sources_;
  decode::SearchOptions search_;
  nn::CacheOptions caches_;
};

}  // namespace

DecodeReport bench_decode(const config::Run& config, const DecodeOptions& options,
                          torch::Device device) {
  if (config.task != "translate") {
    throw ConfigError("task: must be translate for 'bench decode', got " + config.task);
  }
  return DecodeBench(config, options, device).run();
}

}  // namespace heed::bench
