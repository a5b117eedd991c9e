#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "config/data.h"
#include "data/batch.h"
#include "data/left_out.h"
#include "data/pairs.h"
#include "data/table.h"
#include "text/tokenizer.h"

namespace heed::data {

/// Pairs whose longer side has fewer tokens are balanced, whatever data.max_ratio says: one word
/// may be three.
inline constexpr int64_t kRatioFromTokens = 10;

/// Whether the longer side has over max_ratio (0: any) times as many tokens as the shorter.
bool unbalanced(int64_t source, int64_t target, double max_ratio);

/// A line of a split as ids, or why it is none.
struct LineExample {
  Example example{};
  Reason left_out = Reason::kNone;
  FoundLines::Line where{};  // of a line left out
};

/// Makes an example of each line of a split. The rule of what is left out stands here, the same for
/// training and for the loss of an evaluation. Threads may share one.
class LineEncoder {
 public:
  virtual ~LineEncoder() = default;
  virtual int64_t lines() const = 0;
  virtual int64_t sides() const = 0;  // of a line: source and target, or a text

  /// Of side 0 or 1.
  virtual const std::string& text(int64_t line, int64_t side) const = 0;
  virtual FoundLines::Line place(int64_t line, int64_t side) const = 0;

  /// Example::index is the line's place, from 0, left-out ones counted.
  virtual LineExample encode(int64_t line) const = 0;

  /// Another segmentation of a line that is an example, drawn from `random`; the usual one where
  /// the drawn one is over max_len.
  virtual Example sample(int64_t line, Random& random) const = 0;

  /// Frees the text of these lines, which are asked for no more.
  virtual void forget(int64_t begin, int64_t end) = 0;
};

/// Keeps the pairs.
std::unique_ptr<LineEncoder> pair_encoder(Pairs pairs, text::Tokenizers tokenizers,
                                          const config::Data& config);

/// Keeps the table. Throws DataError, "FILE:LINE: ", for a label that is none of `labels`.
std::unique_ptr<LineEncoder> table_encoder(Table table,
                                           std::shared_ptr<const text::Tokenizer> tokenizer,
                                           const std::vector<std::string>& labels,
                                           const config::Data& config);

}  // namespace heed::data
