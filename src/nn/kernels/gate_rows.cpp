#include "nn/kernels/gate_rows.h"

#include <ATen/Parallel.h>

#include "nn/kernels/squash.h"

namespace heed::nn {
namespace {

/// Eight elements of a row.
struct Whole {
  HEED_INLINE Floats load(const float* from) const { return load_floats(from); }
  HEED_INLINE void store(float* to, Floats x) const { store_floats(to, x); }
};

/// The rest of a row, below eight.
struct Rest {
  int64_t count;
  HEED_INLINE Floats load(const float* from) const { return load_part(from, count, 0.0f); }
  HEED_INLINE void store(float* to, Floats x) const { store_part(to, x, count); }
};

/// Calls Cell::lanes(step, h, place in [n, H], place in [n, G H], part of a row) for all of the
/// rows.
template <typename Cell, typename Step>
HEED_INLINE void each_lane(const Step* step, int64_t begin, int64_t end) {
  const int64_t width = step->width;
  const int64_t whole = width - width % kLanes;
  for (int64_t row = begin; row < end; ++row) {
    const int64_t state = row * width;
    const int64_t gate = state * Cell::kGates;
    for (int64_t h = 0; h < whole; h += kLanes) Cell::lanes(*step, h, state + h, gate + h, Whole{});
    if (whole < width) {
      Cell::lanes(*step, whole, state + whole, gate + whole, Rest{width - whole});
    }
  }
}

struct LstmForward {
  static constexpr int64_t kGates = 4;

  template <typename Lanes>
  static HEED_INLINE void lanes(const GateStep& step, int64_t h, int64_t state, int64_t gate,
                                Lanes part) {
    const int64_t width = step.width;
    const auto before = [&](int64_t k) __attribute__((always_inline)) {
      return part.load(step.input + gate + k * width) +
             part.load(step.recurrent + gate + k * width) + part.load(step.bias + h + k * width);
    };
    const Floats i = squash_sigmoid(before(0));
    const Floats f = squash_sigmoid(before(1));
    const Floats g = squash_tanh(before(2));
    const Floats o = squash_sigmoid(before(3));
    const Floats cell = part.load(step.cell + state);
    const Floats next = f * cell + i * g;
    const Floats inner = squash_tanh(next);
    const Floats hidden = o * inner;
    if (step.gates) {
      part.store(step.hidden_before + state, part.load(step.hidden + state));
      part.store(step.cell_before + state, cell);
      part.store(step.inner + state, inner);
      part.store(step.gates + gate, i);
      part.store(step.gates + gate + width, f);
      part.store(step.gates + gate + 2 * width, g);
      part.store(step.gates + gate + 3 * width, o);
    }
    part.store(step.cell + state, next);
    part.store(step.hidden + state, hidden);
    part.store(step.states + state, hidden);
  }

  static HEED_INLINE void run(const GateStep* step, int64_t begin, int64_t end) {
    each_lane<LstmForward>(step, begin, end);
  }
};

struct GruForward {
  static constexpr int64_t kGates = 3;

  template <typename Lanes>
  static HEED_INLINE void lanes(const GateStep& step, int64_t h, int64_t state, int64_t gate,
                                Lanes part) {
    const int64_t width = step.width;
    const auto input = [&](int64_t k) __attribute__((always_inline)) {
      return part.load(step.input + gate + k * width);
    };
    const auto recurrent = [&](int64_t k) __attribute__((always_inline)) {
      return part.load(step.recurrent + gate + k * width) + part.load(step.bias + h + k * width);
    };
    const Floats r = squash_sigmoid(input(0) + recurrent(0));
    const Floats z = squash_sigmoid(input(1) + recurrent(1));
    const Floats inner = recurrent(2);
    const Floats n = squash_tanh(input(2) + r * inner);
    const Floats before = part.load(step.hidden + state);
    const Floats hidden = n + z * (before - n);
    if (step.gates) {
      part.store(step.hidden_before + state, before);
      part.store(step.inner + state, inner);
      part.store(step.gates + gate, r);
      part.store(step.gates + gate + width, z);
      part.store(step.gates + gate + 2 * width, n);
    }
    part.store(step.hidden + state, hidden);
    part.store(step.states + state, hidden);
  }

  static HEED_INLINE void run(const GateStep* step, int64_t begin, int64_t end) {
    each_lane<GruForward>(step, begin, end);
  }
};

struct LstmBackward {
  static constexpr int64_t kGates = 4;

  template <typename Lanes>
  static HEED_INLINE void lanes(const GateGradient& step, int64_t /*h*/, int64_t state,
                                int64_t gate, Lanes part) {
    const int64_t width = step.width;
    const auto kept = [&](int64_t k) __attribute__((always_inline)) {
      return part.load(step.gates + gate + k * width);
    };
    const Floats i = kept(0);
    const Floats f = kept(1);
    const Floats g = kept(2);
    const Floats o = kept(3);
    const Floats inner = part.load(step.inner + state);
    const Floats of_hidden = part.load(step.hidden + state) + part.load(step.states + state);
    const Floats of_cell = part.load(step.cell + state) + of_hidden * o * (1.0f - inner * inner);
    const auto store = [&](int64_t k, Floats x) __attribute__((always_inline)) {
      part.store(step.input + gate + k * width, x);
    };
    store(0, of_cell * g * i * (1.0f - i));
    store(1, of_cell * part.load(step.cell_before + state) * f * (1.0f - f));
    store(2, of_cell * i * (1.0f - g * g));
    store(3, of_hidden * inner * o * (1.0f - o));
    part.store(step.cell + state, of_cell * f);
  }

  static HEED_INLINE void run(const GateGradient* step, int64_t begin, int64_t end) {
    each_lane<LstmBackward>(step, begin, end);
  }
};

struct GruBackward {
  static constexpr int64_t kGates = 3;

  template <typename Lanes>
  static HEED_INLINE void lanes(const GateGradient& step, int64_t /*h*/, int64_t state,
                                int64_t gate, Lanes part) {
    const int64_t width = step.width;
    const Floats r = part.load(step.gates + gate);
    const Floats z = part.load(step.gates + gate + width);
    const Floats n = part.load(step.gates + gate + 2 * width);
    const Floats before = part.load(step.hidden_before + state);
    const Floats of_hidden = part.load(step.hidden + state) + part.load(step.states + state);
    const Floats of_n = of_hidden * (1.0f - z) * (1.0f - n * n);
    const Floats of_r = of_n * part.load(step.inner + state) * r * (1.0f - r);
    const Floats of_z = of_hidden * (before - n) * z * (1.0f - z);
    part.store(step.input + gate, of_r);
    part.store(step.input + gate + width, of_z);
    part.store(step.input + gate + 2 * width, of_n);
    part.store(step.recurrent + gate, of_r);
    part.store(step.recurrent + gate + width, of_z);
    part.store(step.recurrent + gate + 2 * width, of_n * r);
    part.store(step.hidden + state, of_hidden * z);
  }

  static HEED_INLINE void run(const GateGradient* step, int64_t begin, int64_t end) {
    each_lane<GruBackward>(step, begin, end);
  }
};

template <typename Kernel, typename Step>
void rows_in_parallel(const Step& step) {
  const int64_t grain = 4096 / step.width + 1;  // rows that are worth a thread
  at::parallel_for(0, step.rows, grain,
                   [&](int64_t begin, int64_t end) { run_widest<Kernel>(&step, begin, end); });
}

}  // namespace

void forward_gates(CellType type, const GateStep& step) {
  if (type == CellType::kLstm) {
    rows_in_parallel<LstmForward>(step);
  } else {
    rows_in_parallel<GruForward>(step);
  }
}

void backward_gates(CellType type, const GateGradient& step) {
  if (type == CellType::kLstm) {
    rows_in_parallel<LstmBackward>(step);
  } else {
    rows_in_parallel<GruBackward>(step);
  }
}

}  // namespace heed::nn
