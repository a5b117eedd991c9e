#pragma once

#include <string>
#include <vector>

namespace heed::eval {

/// 13a, intl, char, zh, none: the tokenizers BLEU can count in.
const std::vector<std::string>& bleu_tokenizers();

/// The words BLEU counts in one line, exactly as sacreBLEU's tokenizer `name` makes them. Throws
/// std::logic_error for a name that is not one of bleu_tokenizers().
std::vector<std::u32string> bleu_tokenize(const std::string& name, const std::string& line);

}  // namespace heed::eval
