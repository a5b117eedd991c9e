#include "text/lattice.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"

namespace heed::text {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

/// log(exp(a) + exp(b))
double log_add(double a, double b) {
  if (a == kImpossible) return b;
  if (b == kImpossible) return a;
  return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)));
}

}  // namespace

void Lattice::start(int64_t bytes) {
  edges_.clear();
  last_.assign(bytes + 1, -1);
  log_sum_.assign(bytes + 1, kImpossible);
  log_sum_[0] = 0.0;
}

void Lattice::add(int64_t begin, int64_t end, int32_t id, double log_probability) {
  const Piece piece{static_cast<int32_t>(begin), static_cast<int32_t>(end), id};
  edges_.push_back({piece, log_probability, last_[end]});
  last_[end] = static_cast<int32_t>(edges_.size()) - 1;
}

void Lattice::sum(double alpha) {
  for (const auto& edge : edges_) {
    auto& there = log_sum_[edge.piece.end];
    there = log_add(there, log_sum_[edge.piece.begin] + alpha * edge.log_probability);
  }
}

std::vector<Lattice::Piece> Lattice::sample(double alpha, Random& random) {
  sum(alpha);
  std::vector<Piece> pieces;
  for (auto place = std::ssize(last_) - 1; place > 0; place = pieces.back().begin) {
    double left = random.uniform();
    auto chosen = last_[place];
    while (true) {
      const auto& edge = edges_[chosen];
      left -= std::exp(log_sum_[edge.piece.begin] + alpha * edge.log_probability - log_sum_[place]);
      if (left < 0 || edge.earlier < 0) break;
      chosen = edge.earlier;
    }
    pieces.push_back(edges_[chosen].piece);
  }
  std::ranges::reverse(pieces);
  return pieces;
}

}  // namespace heed::text
