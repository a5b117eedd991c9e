#include "inspect/page.h"

#include <spdlog/fmt/fmt.h>

#include "base/utf8.h"

namespace heed::inspect {
namespace {

constexpr auto kStyle = R"(
:root { --ink: #1b1f24; --soft: #5b6470; --line: #d8dee6; --paper: #fff; --card: #f6f8fa;
        --a: #1f6feb; --b: #d1242f; --c: #1a7f37; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --soft: #9aa5b1; --line: #30363d; --paper: #0d1117; --card: #161b22;
          --a: #58a6ff; --b: #ff7b72; --c: #56d364; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem; color: var(--ink);
       background: var(--paper); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.soft { color: var(--soft); }
.charts { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
figure { margin: 0; padding: .75rem; background: var(--card); border: 1px solid var(--line);
         border-radius: .5rem; }
figcaption { font-weight: 600; margin-bottom: .25rem; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--soft); font: 11px system-ui, sans-serif; }
.axis { stroke: var(--line); stroke-width: 1; }
.curve { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
.s0 { stroke: var(--a); } .s1 { stroke: var(--b); } .s2 { stroke: var(--c); }
.k0 { color: var(--a); } .k1 { color: var(--b); } .k2 { color: var(--c); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line);
         vertical-align: top; overflow-wrap: anywhere; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
      padding: .75rem; overflow-x: auto; font-size: .85rem; }
summary { cursor: pointer; }
)";

}  // namespace

std::string escaped(const std::string& text) {
  std::string out;
  int64_t replaced = 0;
  for (const char c : valid_utf8(text, &replaced)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default: {
        const bool control = static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
        out += control ? " " : std::string(1, c);
      }
    }
  }
  return out;
}

std::string page(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n{2}\n</body>\n</html>\n",
      escaped(title), kStyle, body);
}

std::string section(const std::string& heading, const std::string& content) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}\n</section>\n", escaped(heading), content);
}

}  // namespace heed::inspect
