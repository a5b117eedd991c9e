#include "config/peer_names.h"

#include <algorithm>
#include <vector>

#include "config/fields.h"
#include "config/run.h"
#include "support/catch.h"

namespace heed::config {
namespace {

TEST_CASE("other tools' names lead to heed's keys", "[config][peer_names][unit]") {
  REQUIRE(peer_name_near("learning_rate")->path == "train.lr");
  REQUIRE(peer_name_near("hidden_size")->path == "model.d_model");
  REQUIRE(peer_name_near("num_beams")->path == "decode.beam_size");
  REQUIRE(peer_name_near("max_grad_norm")->path == "train.clip_norm");
}

TEST_CASE("a near miss of another tool's name counts, a far one does not",
          "[config][peer_names][unit]") {
  REQUIRE(peer_name_near("learning_rte")->path == "train.lr");
  REQUIRE(peer_name_near("lerning_rat")->path == "train.lr");
  REQUIRE_FALSE(peer_name_near("lrning_rt"));
  REQUIRE_FALSE(peer_name_near("width"));
}

TEST_CASE("what other tools' names lead to exists", "[config][peer_names][property]") {
  const auto paths = key_paths<Run>();
  for (const auto* name : {"learning_rate",
                           "batch_size",
                           "update_freq",
                           "betas",
                           "epsilon",
                           "warmup",
                           "scheduling",
                           "clip_grad_norm",
                           "epochs",
                           "max_update",
                           "eval_steps",
                           "early_stopping",
                           "save_steps",
                           "save_total_limit",
                           "logging_steps",
                           "hidden_size",
                           "ff_size",
                           "nhead",
                           "num_layers",
                           "num_decoder_layers",
                           "hidden_dropout_prob",
                           "attention_dropout",
                           "hidden_act",
                           "layer_norm",
                           "tied_embeddings",
                           "max_length",
                           "voc_limit",
                           "beam",
                           "beam_alpha",
                           "max_output_length",
                           "random_seed"}) {
    CAPTURE(name);
    const auto peer = peer_name_near(name);
    REQUIRE(peer);
    REQUIRE(peer->name == name);
    REQUIRE(std::ranges::find(paths, std::string(peer->path)) != paths.end());
  }
}

}  // namespace
}  // namespace heed::config
