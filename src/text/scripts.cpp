#include "text/scripts.h"

#include <unicode/uscript.h>

namespace heed::text {

Script script_of(char32_t c) {
  UErrorCode error = U_ZERO_ERROR;
  const auto script = uscript_getScript(static_cast<UChar32>(c), &error);
  if (U_FAILURE(error) != 0) return kNoScript;
  switch (script) {
    case USCRIPT_COMMON:
    case USCRIPT_INHERITED:
    case USCRIPT_UNKNOWN:
    case USCRIPT_INVALID_CODE:
      return kNoScript;
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_KATAKANA_OR_HIRAGANA:
    case USCRIPT_HANGUL:
    case USCRIPT_BOPOMOFO:
      return USCRIPT_HAN;
    default:
      return script;
  }
}

std::string script_name(Script script) {
  if (script == kNoScript) return "no script";
  if (script == USCRIPT_HAN) return "East Asian";
  const auto* name = uscript_getName(static_cast<UScriptCode>(script));
  return name == nullptr ? "unknown script" : name;
}

}  // namespace heed::text
