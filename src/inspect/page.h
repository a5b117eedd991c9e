#pragma once

#include <string>

namespace heed::inspect {

/// Text as HTML and SVG show it, whatever it holds.
std::string escaped(const std::string& text);

/// A whole page that needs nothing else, no network and no script: title, style for light and dark
/// and for narrow screens, and the body.
std::string page(const std::string& title, const std::string& body);

/// <section> with a heading.
std::string section(const std::string& heading, const std::string& content);

}  // namespace heed::inspect
