#include "cli/commands.h"

#include <memory>

#include "cli/help.h"

namespace heed::cli {

void add_commands(CLI::App& app) {
  app.formatter(std::make_shared<Help>());  // commands added from here on inherit it
  add_train(app);
  add_eval(app);
  add_translate(app);
  add_classify(app);
  add_attend(app);
  add_explain(app);
  add_verify(app);
  add_score(app);
  add_tokenizer(app);
  add_bench(app);
  add_average(app);
  add_info(app);
  add_data(app);
  add_schedule(app);
  add_verify_resume(app);
  add_diff(app);
  add_report(app);
  for (auto* command : app.get_subcommands([](CLI::App*) { return true; })) {
    command->group("Commands");
    for (auto* below : command->get_subcommands([](CLI::App*) { return true; })) {
      below->group("Commands");
    }
  }
}

}  // namespace heed::cli
