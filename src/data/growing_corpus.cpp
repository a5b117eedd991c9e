#include "data/growing_corpus.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "data/corpus.h"
#include "data/in_parallel.h"

namespace heed::data {
namespace {

constexpr uint64_t kSampling = 0x73616d70;  // apart from the draws of the data order

int64_t blocks_of(int64_t lines, int64_t block_lines) {
  return std::max<int64_t>(1, (lines + block_lines - 1) / block_lines);
}

}  // namespace

GrowingCorpus::GrowingCorpus(std::unique_ptr<LineEncoder> encoder, const config::Data& config,
                             Options options)
    : options_(std::move(options)),
      encoder_(std::move(encoder)),
      blocks_(blocks_of(encoder_->lines(), options_.block_lines)) {
  left_out_.lines = encoder_->lines();
  left_out_.max_len = config.max_len;
  left_out_.max_ratio = config.max_ratio;
  worker_ = std::jthread([this](const std::stop_token& stop) { encode_blocks(stop); });
  for (int64_t block = 0; block < blocks(); ++block) {
    wait_for(block);
    if (blocks_[block].examples.size() > 0) return;
  }
  check_left(left_out_, 0, options_.file);
}

GrowingCorpus::GrowingCorpus(const std::vector<Example>& examples) : blocks_(1), done_(1) {
  for (const auto& example : examples) blocks_[0].examples.add(example);
  left_out_.lines = std::ssize(examples);
}

GrowingCorpus::~GrowingCorpus() = default;

bool GrowingCorpus::ready(int64_t block) const {
  const std::scoped_lock lock(mutex_);
  return done_ > block;
}

void GrowingCorpus::wait_for(int64_t block) const {
  std::unique_lock lock(mutex_);
  grown_.wait(lock, [&] { return done_ > block || fault_; });
  if (done_ <= block) std::rethrow_exception(fault_);
}

std::vector<Shape> GrowingCorpus::shapes(int64_t block) const {
  wait_for(block);
  return blocks_.at(block).examples.shapes();
}

int64_t GrowingCorpus::first(int64_t block) const {
  wait_for(block);
  return blocks_.at(block).first;
}

int64_t GrowingCorpus::size() const {
  wait_for(blocks() - 1);
  return blocks_.back().first + blocks_.back().examples.size();
}

const LeftOuts& GrowingCorpus::left_out() const {
  wait_for(blocks() - 1);
  return left_out_;
}

Example GrowingCorpus::example(int64_t place, int64_t epoch) const {
  int64_t done = 0;
  {
    const std::scoped_lock lock(mutex_);
    done = done_;
  }
  const auto after =
      std::upper_bound(blocks_.begin(), blocks_.begin() + done, place,
                       [](int64_t p, const Block& block) { return p < block.first; });
  const auto& block = *std::prev(after);
  if (!options_.sampling) return block.examples[place - block.first];
  const auto line = block.examples.index(place - block.first);
  Random random({static_cast<uint64_t>(options_.seed), static_cast<uint64_t>(epoch),
                 static_cast<uint64_t>(line), kSampling});
  return encoder_->sample(line, random);
}

void GrowingCorpus::when_complete(std::function<void(const LeftOuts&)> done) {
  {
    const std::scoped_lock lock(mutex_);
    if (done_ < blocks()) {
      when_complete_ = std::move(done);
      return;
    }
  }
  done(left_out_);
}

void GrowingCorpus::encode_blocks(const std::stop_token& stop) {
  try {
    for (int64_t block = 0; block < blocks() && !stop.stop_requested(); ++block) {
      const auto begin = block * options_.block_lines;
      const auto end = std::min(begin + options_.block_lines, lines());
      const auto encoded = encode_lines(begin, end, stop);
      if (stop.stop_requested()) return;
      add_block(block, encoded);
      if (!options_.sampling) encoder_->forget(begin, end);
    }
    finish();
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    fault_ = std::current_exception();
    grown_.notify_all();
  }
}

std::vector<LineExample> GrowingCorpus::encode_lines(int64_t begin, int64_t end,
                                                     const std::stop_token& stop) {
  std::vector<LineExample> out(end - begin);
  in_parallel(
      begin, end, options_.threads,
      [&](int64_t from, int64_t to) {
        for (auto line = from; line < to; ++line) out[line - begin] = encoder_->encode(line);
      },
      [&] { return stop.stop_requested(); });
  return out;
}

void GrowingCorpus::add_block(int64_t block, const std::vector<LineExample>& lines) {
  auto& [examples, first] = blocks_[block];
  if (block > 0) first = blocks_[block - 1].first + blocks_[block - 1].examples.size();
  for (const auto& line : lines) {
    if (line.left_out == Reason::kNone) {
      examples.add(line.example);
    } else {
      left_out_.add(line.left_out, line.where);
    }
  }
  const std::scoped_lock lock(mutex_);
  done_ = block + 1;
  grown_.notify_all();
}

void GrowingCorpus::finish() {
  std::function<void(const LeftOuts&)> done;
  {
    const std::scoped_lock lock(mutex_);
    done = std::exchange(when_complete_, nullptr);
  }
  if (done) done(left_out_);
}

}  // namespace heed::data
