#include "text/characters.h"

#include <unicode/uchar.h>

namespace heed::text {
namespace {

bool in(char32_t c, uint32_t categories) {
  return (U_GET_GC_MASK(static_cast<UChar32>(c)) & categories) != 0;
}

}  // namespace

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029;
}

bool is_space(char32_t c) { return is_control(c) || u_isUWhiteSpace(static_cast<UChar32>(c)); }

bool is_punctuation(char32_t c) { return in(c, U_GC_P_MASK | U_GC_S_MASK); }

bool is_word(char32_t c) { return in(c, U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK); }

bool is_invisible(char32_t c) {
  return is_space(c) || in(c, U_GC_C_MASK) ||
         u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

}  // namespace heed::text
