#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "config/data.h"
#include "data/left_out.h"
#include "data/line_encoder.h"
#include "data/packed.h"

namespace heed::data {

/// Lines of a block: a corpus of no more is there as a whole before its training begins.
inline constexpr int64_t kBlockLines = 65536;

/// What a training reads. Lines become examples block by block on threads in the background, so
/// that an epoch can begin when the first block is there. What it holds is a function of the lines
/// alone, not of the time. Threads may share one.
class GrowingCorpus {
 public:
  struct Options {
    std::string file{};  // named where no line can be used
    int64_t block_lines = kBlockLines;
    int64_t threads = 1;
    bool sampling = false;  // segment each example anew in each epoch; keeps the text in memory
    int64_t seed = 0;       // of that
  };

  /// Returns when the first block that holds an example is there. Throws DataError where none does.
  GrowingCorpus(std::unique_ptr<LineEncoder> encoder, const config::Data& config, Options options);

  /// Of examples made already, as one block.
  explicit GrowingCorpus(const std::vector<Example>& examples);
  ~GrowingCorpus();
  GrowingCorpus(const GrowingCorpus&) = delete;
  GrowingCorpus& operator=(const GrowingCorpus&) = delete;

  int64_t lines() const { return left_out_.lines; }
  int64_t blocks() const { return std::ssize(blocks_); }

  /// Whether all lines up to the end of a block are there.
  bool ready(int64_t block) const;
  bool complete() const { return ready(blocks() - 1); }

  /// These wait until the block is there; a fault in the background is thrown here.
  std::vector<Shape> shapes(int64_t block) const;
  int64_t first(int64_t block) const;  // place of its first example

  /// These wait for all blocks.
  int64_t size() const;  // examples
  const LeftOuts& left_out() const;

  /// place: that of a block which is there. The same ids in every epoch, but under sampling.
  Example example(int64_t place, int64_t epoch) const;

  /// Calls `done` once when all lines are there: at once, or later on a thread of the background.
  void when_complete(std::function<void(const LeftOuts&)> done);

 private:
  struct Block {
    Packed examples{};
    int64_t first = 0;
  };

  void wait_for(int64_t block) const;
  void encode_blocks(const std::stop_token& stop);
  std::vector<LineExample> encode_lines(int64_t begin, int64_t end, const std::stop_token& stop);
  void add_block(int64_t block, const std::vector<LineExample>& lines);
  void finish();

  Options options_;
  std::unique_ptr<LineEncoder> encoder_;
  std::vector<Block> blocks_;  // the first done_ of them never change again
  LeftOuts left_out_{};

  mutable std::mutex mutex_;
  mutable std::condition_variable grown_;
  int64_t done_ = 0;
  std::exception_ptr fault_;
  std::function<void(const LeftOuts&)> when_complete_;
  std::jthread worker_;  // last: ends before the rest goes
};

}  // namespace heed::data
