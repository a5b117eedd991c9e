#include "cli/commands.h"

namespace heed::cli {

void add_commands(CLI::App& app) {
  add_train(app);
  add_eval(app);
  add_translate(app);
  add_classify(app);
  add_attend(app);
  add_score(app);
  add_tokenizer(app);
  add_bench(app);
  add_average(app);
  add_info(app);
  add_data(app);
}

}  // namespace heed::cli
