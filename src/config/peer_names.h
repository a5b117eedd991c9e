#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heed::config {

/// What JoeyNMT, OpenNMT, Marian, fairseq, PyTorch or Hugging Face call one of heed's keys.
struct PeerName {
  std::string_view name;  // learning_rate
  std::string_view path;  // train.lr
};

/// The one with that name or, at most two single-byte edits away, with nearly that name.
std::optional<PeerName> peer_name_near(const std::string& name);

}  // namespace heed::config
