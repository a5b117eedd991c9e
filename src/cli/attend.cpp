#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/decoding_options.h"
#include "cli/line_warnings.h"
#include "inspect/attention_json.h"
#include "inspect/attention_trace.h"
#include "pipeline/run.h"
#include "pipeline/translator.h"
#include "text/lines.h"

namespace heed::cli {
namespace {

constexpr int64_t kTracedAtOnce = 256;

struct AttendArgs {
  RunOptions run;
  DecodingOptions decoding;
  std::optional<std::string> source;
  std::optional<std::string> input;
  std::optional<std::string> target;
  std::string out = "-";
  int threads = 0;
};

/// Lines as the command got them.
class Sources {
 public:
  explicit Sources(const AttendArgs& args) {
    if (args.source) {
      line_ = valid_utf8(*args.source, &replaced_);
    } else {
      file_.emplace(*args.input);
    }
  }

  std::vector<std::string> take() {
    if (file_) return file_->take(kTracedAtOnce);
    if (std::exchange(taken_, true)) return {};
    return {line_};
  }

  int64_t first_of(const std::vector<std::string>& lines) const {
    return file_ ? file_->line() - std::ssize(lines) + 1 : 1;
  }

  int64_t replaced() const { return replaced_ + (file_ ? file_->replaced() : 0); }

 private:
  std::string line_;
  bool taken_ = false;
  int64_t replaced_ = 0;
  std::optional<text::LineReader> file_;
};

/// Traces lines of one task, with a given target or the one that search finds.
class Tracer {
 public:
  Tracer(const AttendArgs& args, const pipeline::Run& run) : run_(run) {
    if (args.target) {
      int64_t replaced = 0;
      target_ = valid_utf8(*args.target, &replaced);
    } else if (run.encoder_decoder) {
      translator_.emplace(run, run.config.decode);
    }
  }

  void trace(const std::vector<std::string>& lines, const pipeline::Origin& origin,
             const std::function<void(const inspect::TracedSentence&)>& done) const {
    const auto found =
        translator_ ? translator_->translate(lines, origin) : std::vector<pipeline::Translation>();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const pipeline::Origin place{origin.file, origin.first_line + static_cast<int64_t>(i)};
      if (translator_) {
        done(inspect::trace_translation(run_, lines[i], found[i]));
      } else if (target_) {
        done(inspect::trace_target(run_, lines[i], *target_, {place, {"--target", 1}}));
      } else {
        done(inspect::trace_label(run_, lines[i], place));
      }
    }
  }

 private:
  const pipeline::Run& run_;
  std::optional<std::string> target_;
  std::optional<pipeline::Translator> translator_;
};

void attend(const AttendArgs& args) {
  if (!args.source && !args.input) {
    throw ConfigError("--source is missing; give it a text, or --input a file of texts");
  }
  use_threads(args.threads);
  auto run = pipeline::open_run(args.run.run, args.run.checkpoint, args.run.device);
  if (args.target) pipeline::require_task(run, "translate", "--target");
  if (args.target) args.decoding.refuse_search("the target is given, so nothing is searched");
  if (run.classifier) args.decoding.refuse_search("a classifier searches for nothing");
  run.config.decode.n_best = 1;
  run.config.decode = args.decoding.over(run.config.decode, run.config.model);

  const std::string name = args.source ? "--source" : input_name(*args.input);
  const Tracer tracer(args, run);
  Sources sources(args);
  OutputFile output(args.out);
  inspect::AttentionJson json([&output](std::string_view text) { output.write(text); }, run);
  LineWarnings warnings;
  const pipeline::SourceReader reader(run.tokenizers.source, run.config.data);
  const pipeline::LengthRule rule{run.config.data.max_len, run.config.decode.overlong};
  for (auto lines = sources.take(); !lines.empty(); lines = sources.take()) {
    const auto first = sources.first_of(lines);
    if (!args.target) lines = pipeline::parts_of(reader, lines, rule).texts;
    tracer.trace(lines, {name, first}, [&](const auto& sentence) {
      warnings.count_truncated(sentence.source.truncated);
      const auto ids = sentence.source.ids();
      warnings.count_unknown(std::ranges::count(ids, text::kUnknown));
      warnings.count_truncated(sentence.target && sentence.target->text.truncated);
      json.add(sentence);
    });
  }
  json.finish();
  output.commit();
  warnings.report(name, run.config.data.max_len, sources.replaced());
}

}  // namespace

void add_attend(CLI::App& app) {
  auto args = std::make_shared<AttendArgs>();
  auto* command =
      app.add_subcommand("attend", "Write all attention of sentences, as JSON (heed.attention/1)");

  add_run_options(*command, args->run);
  auto* source = command->add_option("--source", args->source, "The text to read");
  command
      ->add_option("--input", args->input,
                   "Instead of --source: a file of texts, a line each; - is standard input")
      ->excludes(source);
  command
      ->add_option("--target", args->target,
                   "Attention for this target [the one that search finds]")
      ->needs(source);
  command->add_option("--out", args->out, "Where the JSON goes; - is standard output")
      ->capture_default_str();
  add_search_options(*command, args->decoding);
  add_batch_options(*command, args->decoding);
  add_threads_option(*command, args->threads);
  command->callback([args] { attend(*args); });
}

}  // namespace heed::cli
