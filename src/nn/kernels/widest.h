#pragma once

namespace heed::nn {

/// Forces small pieces of a kernel into the function that is compiled for the CPU at hand.
#define HEED_INLINE inline __attribute__((always_inline))

#if defined(__x86_64__)

template <typename Kernel, typename... Args>
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))) void run_avx512(Args... args) {
  Kernel::run(args...);
}

template <typename Kernel, typename... Args>
__attribute__((target("avx2,fma"))) void run_avx2(Args... args) {
  Kernel::run(args...);
}

/// Kernel::run(args...), an always-inline function, compiled once for each width of vectors and run
/// with the widest that this CPU has. Loops of a constant, small number of turns become vectors.
template <typename Kernel, typename... Args>
void run_widest(Args... args) {
  static const bool has_avx512 =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (has_avx512) {
    run_avx512<Kernel, Args...>(args...);
  } else if (has_avx2) {
    run_avx2<Kernel, Args...>(args...);
  } else {
    Kernel::run(args...);
  }
}

#else

template <typename Kernel, typename... Args>
void run_widest(Args... args) {
  Kernel::run(args...);
}

#endif

}  // namespace heed::nn
