#include "cli/model_text.h"

#include <spdlog/fmt/fmt.h>

#include "base/counted.h"

namespace heed::cli {

std::string attention_text(const config::Model& model, bool translates) {
  if (!model.recurrent()) {
    return fmt::format("{}, {}", model.attention.type, counted(model.heads, "head"));
  }
  if (!translates) return fmt::format("{}, attention pooling", model.rnn.cell);
  return fmt::format("{}, {} attention", model.rnn.cell, model.rnn.attention);
}

std::string model_text(const config::Run& run) {
  const auto& model = run.model;
  const bool translates = run.task == "translate";
  const auto layers = translates ? fmt::format("{} + {} layers", model.enc_layers, model.dec_layers)
                                 : counted(model.enc_layers, "layer");
  return fmt::format("{} · {} · {}", model.type, layers, attention_text(model, translates));
}

std::string model_details(const config::Model& model) {
  if (!model.recurrent()) {
    return fmt::format("d_model {} · d_ff {} · {}-norm · {} · positions {} · dropout {}",
                       model.d_model, model.d_ff, model.norm_position, model.activation,
                       model.positions, model.dropout);
  }
  return fmt::format("d_model {} · {}{}{} · dropout {}", model.d_model,
                     model.rnn.bidirectional ? "both directions" : "one direction",
                     model.rnn.layer_norm ? " · layer norm" : "",
                     model.rnn.input_feeding ? " · input feeding" : "", model.dropout);
}

}  // namespace heed::cli
