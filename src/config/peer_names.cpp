#include "config/peer_names.h"

#include <algorithm>
#include <array>

#include "base/nearest.h"

namespace heed::config {
namespace {

constexpr std::size_t kNearMiss = 2;

constexpr std::array kPeerNames = {
    PeerName{"learning_rate", "train.lr"},
    PeerName{"learn_rate", "train.lr"},
    PeerName{"batch_size", "train.batch_tokens"},
    PeerName{"max_tokens", "train.batch_tokens"},
    PeerName{"gradient_accumulation_steps", "train.accumulate"},
    PeerName{"accum_count", "train.accumulate"},
    PeerName{"update_freq", "train.accumulate"},
    PeerName{"betas", "train.adam_betas"},
    PeerName{"epsilon", "train.adam_eps"},
    PeerName{"warmup", "train.warmup_steps"},
    PeerName{"warmup_updates", "train.warmup_steps"},
    PeerName{"lr_scheduler", "train.schedule"},
    PeerName{"scheduling", "train.schedule"},
    PeerName{"lr_scheduler_type", "train.schedule"},
    PeerName{"max_grad_norm", "train.clip_norm"},
    PeerName{"clip_grad_norm", "train.clip_norm"},
    PeerName{"epochs", "train.max_epochs"},
    PeerName{"num_train_epochs", "train.max_epochs"},
    PeerName{"train_steps", "train.max_steps"},
    PeerName{"max_update", "train.max_steps"},
    PeerName{"valid_steps", "train.eval_every"},
    PeerName{"eval_steps", "train.eval_every"},
    PeerName{"validation_freq", "train.eval_every"},
    PeerName{"early_stopping", "train.patience"},
    PeerName{"save_steps", "checkpoint.every"},
    PeerName{"save_checkpoint_steps", "checkpoint.every"},
    PeerName{"save_total_limit", "checkpoint.keep_last"},
    PeerName{"logging_steps", "log.every"},
    PeerName{"hidden_size", "model.d_model"},
    PeerName{"embedding_dim", "model.d_model"},
    PeerName{"ff_size", "model.d_ff"},
    PeerName{"intermediate_size", "model.d_ff"},
    PeerName{"dim_feedforward", "model.d_ff"},
    PeerName{"num_heads", "model.heads"},
    PeerName{"nhead", "model.heads"},
    PeerName{"num_attention_heads", "model.heads"},
    PeerName{"num_key_value_heads", "model.kv_heads"},
    PeerName{"num_layers", "model.enc_layers"},
    PeerName{"num_hidden_layers", "model.enc_layers"},
    PeerName{"num_encoder_layers", "model.enc_layers"},
    PeerName{"num_decoder_layers", "model.dec_layers"},
    PeerName{"hidden_dropout_prob", "model.dropout"},
    PeerName{"attention_dropout", "model.attention.dropout"},
    PeerName{"hidden_act", "model.activation"},
    PeerName{"layer_norm", "model.norm_position"},
    PeerName{"position_embedding_type", "model.positions"},
    PeerName{"rope_theta", "model.rotary_base"},
    PeerName{"rope_scaling", "model.position_scaling"},
    PeerName{"relative_attention_num_buckets", "model.relative_buckets"},
    PeerName{"relative_attention_max_distance", "model.relative_max_distance"},
    PeerName{"initializer", "model.init"},
    PeerName{"sliding_window", "model.attention.window"},
    PeerName{"attention_window", "model.attention.window"},
    PeerName{"num_random_blocks", "model.attention.random"},
    PeerName{"block_size", "model.attention.block"},
    PeerName{"rnn_type", "model.rnn.cell"},
    PeerName{"init_hidden", "model.rnn.init"},
    PeerName{"input_feed", "model.rnn.input_feeding"},
    PeerName{"tied_embeddings", "model.tie"},
    PeerName{"tie_word_embeddings", "model.tie"},
    PeerName{"max_position_embeddings", "data.max_len"},
    PeerName{"max_length", "data.max_len"},
    PeerName{"voc_limit", "tokenizer.vocab_size"},
    PeerName{"num_beams", "decode.beam_size"},
    PeerName{"beam", "decode.beam_size"},
    PeerName{"beam_alpha", "decode.length_penalty"},
    PeerName{"max_output_length", "decode.max_len"},
    PeerName{"random_seed", "seed"},
};

}  // namespace

std::optional<PeerName> peer_name_near(const std::string& name) {
  const auto distance = [&](const PeerName& peer) {
    return edit_distance(name, std::string(peer.name));
  };
  const auto close = *std::ranges::min_element(kPeerNames, {}, distance);
  if (distance(close) > kNearMiss) return std::nullopt;
  return close;
}

}  // namespace heed::config
