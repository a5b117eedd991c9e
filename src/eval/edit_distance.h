#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heed::eval {

/// Edit distance (Levenshtein, 1966) of many orders of the same words to one reference, in a beam
/// of 25 words around the diagonal of the table, as sacreBLEU 2.6.0 computes TER. The rows of one
/// order are kept: another one needs only those from the first word that differs.
class EditDistance {
 public:
  /// How a hypothesis aligns with its reference.
  struct Alignment {
    std::vector<int64_t> of_reference;  // place in the hypothesis of each word; -1: before it
    std::vector<bool> reference_wrong;  // words deleted or replaced
    std::vector<bool> hypothesis_wrong;
  };

  /// length: of every hypothesis. reference: of one word or more; both outlive the object.
  EditDistance(std::size_t length, std::u32string_view reference);

  /// Makes `hypothesis` the one whose rows are kept. -> its distance
  int64_t keep(std::u32string_view hypothesis);

  /// The distance of another order whose first `same` words are those of the kept one.
  int64_t of(std::u32string_view hypothesis, std::size_t same);

  Alignment alignment() const;  // of the kept hypothesis

 private:
  using Cost = int32_t;

  /// The cells of a row that are in the beam, [begin, end), and where they lie in the table.
  struct Row {
    int64_t begin = 0;
    int64_t end = 0;
    int64_t at = 0;
  };

  Cost cell(const std::vector<Cost>& table, int64_t i, int64_t j) const;
  void fill_row(std::u32string_view hypothesis, int64_t i, const std::vector<Cost>& above,
                std::vector<Cost>& table) const;

  std::u32string_view reference_;
  std::u32string kept_words_;
  std::vector<Row> rows_;    // of the empty hypothesis, then one a word
  std::vector<Cost> kept_;   // the kept hypothesis's table
  std::vector<Cost> other_;  // room for another's
};

}  // namespace heed::eval
