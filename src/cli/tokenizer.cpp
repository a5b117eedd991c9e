#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "base/counted.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/random.h"
#include "cli/commands.h"
#include "cli/ill_formed.h"
#include "text/lines.h"
#include "text/tokenizer.h"

namespace heed::cli {
namespace {

namespace fs = std::filesystem;

struct TrainArgs {
  std::vector<std::string> inputs{"-"};
  std::string model;
  config::Tokenizer config{};
};

struct UseArgs {
  std::string model;
  config::Tokenizer config{.type = ""};  // no type: by the name of the file
  bool foreign = false;
  int64_t seed = 0;
  std::string input = "-";
  std::string output = "-";
  bool ids = false;
};

std::string named(const std::string& file) { return file == "-" ? "standard input" : file; }

void warn_replaced(const std::string& file, int64_t replaced) {
  warn_if_any(ill_formed_text(named(file), replaced));
}

std::vector<std::string> read_all(const std::vector<std::string>& files) {
  std::vector<std::string> lines;
  for (const auto& file : files) {
    int64_t replaced = 0;
    for (auto& line : text::read_lines(file, &replaced)) lines.push_back(std::move(line));
    warn_replaced(file, replaced);
  }
  return lines;
}

void train(const TrainArgs& args) {
  args.config.check("tokenizer");
  const auto lines = read_all(args.inputs);
  text::TrainingReport report;
  const auto tokenizer = text::make_tokenizer(args.config, lines, &report);
  for (const auto& remark : text::remarks(report)) log::warning(remark);

  fs::path prefix = args.model;
  const auto suffix = prefix.extension();
  if (suffix == ".model" || suffix == ".vocab" || suffix == ".codes") prefix.replace_extension();
  if (prefix.has_parent_path()) fs::create_directories(prefix.parent_path());
  tokenizer->save(prefix.parent_path(), prefix.filename().string());
  const auto size = tokenizer->size(), most = args.config.vocab_size;
  log::info(fmt::format(
      "tokenizer {} · {} pieces from {} · {}", args.config.type,
      size < most ? fmt::format("{} of at most {}", size, most) : fmt::format("{}", size),
      counted(std::ssize(lines), "line"), prefix.string()));
}

std::string type_by_name(const fs::path& file) {
  if (file.extension() == ".vocab") return "word";
  return file.extension() == ".codes" ? "subword_nmt" : "bpe";
}

std::shared_ptr<const text::Tokenizer> open(const UseArgs& args) {
  auto config = args.config;
  if (config.type.empty()) config.type = type_by_name(args.model);
  if (config.type == "subword_nmt") config.codes = args.model;
  if (args.foreign && config.sentencepiece()) config.model = args.model;
  config.check("tokenizer");
  auto tokenizer = text::open_tokenizer(args.model, config, /*trained_here=*/!args.foreign);
  if (!config.sentencepiece()) {
    fs::path list = args.model;
    if (config.type == "subword_nmt") list.replace_extension(".vocab");
    warn_if_any(ill_formed_vocabulary(list));
  }
  return tokenizer;
}

/// The ids of a line, drawn by its number as training reads it where the config says so.
std::vector<int64_t> ids_of(const text::Tokenizer& tokenizer, const std::string& line,
                            int64_t number, const UseArgs& args) {
  if (args.config.sampling <= 0) return tokenizer.encode(line);
  Random random({static_cast<uint64_t>(args.seed), static_cast<uint64_t>(number)});
  return tokenizer.sample(line, random);
}

std::string shown(const text::Tokenizer& tokenizer, const std::vector<int64_t>& ids,
                  const UseArgs& args) {
  if (args.ids) return fmt::format("{}", fmt::join(ids, " "));
  std::vector<std::string> pieces;
  for (const auto id : ids) pieces.push_back(tokenizer.piece(id));
  return fmt::format("{}", fmt::join(pieces, " "));
}

void encode(const UseArgs& args) {
  const auto tokenizer = open(args);
  text::LineReader input(args.input);
  OutputFile output(args.output);
  int64_t tokens = 0, unknown = 0;
  while (const auto line = input.next()) {
    const auto ids = ids_of(*tokenizer, *line, input.line(), args);
    tokens += std::ssize(ids);
    unknown += std::ranges::count(ids, text::kUnknown);
    output.write_line(shown(*tokenizer, ids, args));
  }
  output.commit();
  warn_replaced(args.input, input.replaced());
  if (tokens > 0 && unknown == tokens) {
    log::warning(fmt::format("{}: {} knows no token of it; is it for such text, and --type right?",
                             named(args.input), args.model));
  }
}

/// Reads the words of encoded text, ids or pieces, back as ids.
class Reader {
 public:
  Reader(const text::Tokenizer& tokenizer, const UseArgs& args)
      : size_(tokenizer.size()), args_(args) {
    // An ordinary piece may look like a special token; text becomes none but <unk>.
    for (int64_t id = text::kSpecials; id < size_; ++id) ids_.emplace(tokenizer.piece(id), id);
    for (int64_t id = 0; id < text::kSpecials; ++id) ids_.emplace(tokenizer.piece(id), id);
  }

  std::vector<int64_t> ids(const std::string& line, int64_t number) const {
    std::vector<int64_t> ids;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      ids.push_back(args_.ids ? parsed(word, number) : id_of(word));
    }
    return ids;
  }

 private:
  int64_t id_of(const std::string& piece) const {
    const auto found = ids_.find(piece);
    return found == ids_.end() ? text::kUnknown : found->second;
  }

  int64_t parsed(const std::string& word, int64_t number) const {
    int64_t id = -1;
    const auto* last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data(), last, id);
    if (error == std::errc{} && end == last && id >= 0 && id < size_) return id;
    throw DataError(fmt::format("{}:{}: '{}' is no id; they are 0 to {}", named(args_.input),
                                number, word, size_ - 1));
  }

  int64_t size_;
  const UseArgs& args_;
  std::unordered_map<std::string, int64_t> ids_;
};

void decode(const UseArgs& args) {
  const auto tokenizer = open(args);
  const Reader reader(*tokenizer, args);
  text::LineReader input(args.input);
  OutputFile output(args.output);
  while (const auto line = input.next()) {
    output.write_line(text::without_controls(tokenizer->decode(reader.ids(*line, input.line()))));
  }
  output.commit();
  warn_replaced(args.input, input.replaced());
}

/// How lines are read: what a tokenizer is trained with it must be used with.
void add_reading_options(CLI::App& command, config::Tokenizer& config) {
  command
      .add_option("--normalize", config.normalize,
                  "Unicode form of the text: none, nfc, nfkc, or auto: nmt_nfkc for bpe and "
                  "unigram, else none")
      ->capture_default_str();
  command.add_flag("--lowercase", config.lowercase, "Read text in lower case");
  command.add_option("--joiner", config.joiner,
                     "Ends a piece that the next one continues (whitespace, subword_nmt) [none; @@ "
                     "for subword_nmt]");
}

void add_sentencepiece_options(CLI::App& command, config::Tokenizer& config) {
  command
      .add_option("--character-coverage", config.character_coverage,
                  "Share of characters with a piece (bpe, unigram)")
      ->check(CLI::Range(0.98, 1.0))
      ->capture_default_str();
  command
      .add_option("--user-symbol", config.user_symbols,
                  "A piece that stays whole wherever it stands; once for each (bpe, unigram)")
      ->allow_extra_args(false);  // else CLI11 reads [X] as a list
  command.add_flag("--byte-fallback", config.byte_fallback,
                   "Bytes in place of unknown characters (bpe, unigram)");
}

void add_train_tokenizer(CLI::App& parent) {
  auto args = std::make_shared<TrainArgs>();
  auto& config = args->config;
  auto* command = parent.add_subcommand("train", "Make a tokenizer for a text");
  command->add_option("--input", args->inputs, "Text files, read as one; - is standard input")
      ->capture_default_str();
  command
      ->add_option("--model", args->model,
                   "Name of the files to write: .model (bpe, unigram), .codes (subword_nmt) and "
                   ".vocab are added")
      ->required();
  command->add_option("--type", config.type, "bpe, unigram, word, char, subword_nmt or whitespace")
      ->capture_default_str();
  command->add_option("--vocab-size", config.vocab_size, "Pieces, the 4 special tokens included")
      ->check(CLI::Range(8, 1 << 24))
      ->capture_default_str();
  command
      ->add_option("--min-count", config.min_count,
                   "Occurrences that a piece needs (word, char, subword_nmt, whitespace)")
      ->check(CLI::Range(1, 1 << 30))
      ->capture_default_str();
  command->add_option("--codes", config.codes, "Merges of subword-nmt or fastBPE (subword_nmt)");
  add_sentencepiece_options(*command, config);
  add_reading_options(*command, config);
  command->callback([args] { train(*args); });
}

/// encode and decode, which take nearly the same options.
void add_use(CLI::App& parent, const std::string& name, const std::string& help,
             void (*work)(const UseArgs&)) {
  auto args = std::make_shared<UseArgs>();
  auto* command = parent.add_subcommand(name, help);
  command
      ->add_option("--model", args->model,
                   "A SentencePiece model, a .vocab file, or a .codes file with a .vocab beside it")
      ->required();
  command->add_option("--type", args->config.type,
                      "bpe or unigram (both for any SentencePiece model), word, char, subword_nmt "
                      "or whitespace [by the file's name: word for .vocab, subword_nmt for .codes, "
                      "else bpe]");
  command->add_flag("--foreign", args->foreign,
                    "The model is not heed's: control characters are what its own library makes "
                    "of them, not white space");
  add_reading_options(*command, args->config);
  if (name == "encode") {
    command
        ->add_option("--sampling", args->config.sampling,
                     "Draw a segmentation, as in training: dropout of merges (bpe, subword_nmt) or "
                     "alpha (unigram); 0 is off")
        ->check(CLI::Range(0.0, 100.0))
        ->capture_default_str();
    command->add_option("--seed", args->seed, "Of what is drawn")->capture_default_str();
  }
  command->add_option("--input", args->input, "Lines to read; - is standard input")
      ->capture_default_str();
  command->add_option("--output", args->output, "Where results go; - is standard output")
      ->capture_default_str();
  command->add_flag("--ids", args->ids, "Ids instead of pieces");
  command->callback([args, work] { work(*args); });
}

}  // namespace

void add_tokenizer(CLI::App& app) {
  auto* command = app.add_subcommand("tokenizer", "Make and run tokenizers");
  command->require_subcommand(1);
  add_train_tokenizer(*command);
  add_use(*command, "encode", "Text to pieces, a line for each line", encode);
  add_use(*command, "decode", "Pieces to text, a line for each line", decode);
}

}  // namespace heed::cli
