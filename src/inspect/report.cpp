#include "inspect/report.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "checkpoint/directory.h"
#include "inspect/line_chart.h"
#include "inspect/page.h"

namespace fs = std::filesystem;

namespace heed::inspect {
namespace {

using Json = nlohmann::ordered_json;

/// The records of a run by kind, in the order of their steps.
struct Records {
  std::vector<Json> steps;
  std::vector<Json> evaluations;
  std::vector<Json> notes;
  std::vector<Json> tensors;    // looks at each tensor
  std::vector<Json> attention;  // looks at each head
};

Records read_records(const fs::path& file) {
  Records records;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    auto json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object()) continue;
    const auto event = json.value("event", "");
    if (event == "step")
      records.steps.push_back(std::move(json));
    else if (event == "eval")
      records.evaluations.push_back(std::move(json));
    else if (event == "note")
      records.notes.push_back(std::move(json));
    else if (event == "tensors")
      records.tensors.push_back(std::move(json));
    else if (event == "attention")
      records.attention.push_back(std::move(json));
  }
  return records;
}

Json read_json(const fs::path& file) {
  if (!fs::exists(file)) return {};
  return Json::parse(read_file(file), nullptr, /*allow_exceptions=*/false);
}

double number(const Json& record, const char* key) {
  const auto found = record.find(key);
  const bool there = found != record.end() && found->is_number();
  return there ? found->get<double>() : std::numeric_limits<double>::quiet_NaN();
}

Curve curve(const std::string& name, const std::vector<Json>& records, const char* key) {
  Curve out{.name = name, .points = {}};
  for (const auto& record : records)
    out.points.emplace_back(number(record, "step"), number(record, key));
  return out;
}

/// Nothing where there is nothing to draw.
std::string figure(const std::string& caption, const std::vector<Curve>& curves) {
  const auto svg = line_chart(curves);
  if (svg.empty()) return {};
  return fmt::format("<figure><figcaption>{}</figcaption>{}</figure>\n", escaped(caption), svg);
}

/// The mean entropy of a kind's heads, look by look.
Curve entropy_curve(const std::string& kind, const std::vector<Json>& looks) {
  Curve out{.name = kind, .points = {}};
  for (const auto& look : looks) {
    double sum = 0.0;
    int count = 0;
    for (const auto& head : look.value("heads", Json::array())) {
      if (head.value("kind", "") != kind) continue;
      sum += number(head, "entropy");
      ++count;
    }
    if (count > 0) out.points.emplace_back(number(look, "step"), sum / count);
  }
  return out;
}

std::string charts(const Records& records) {
  const auto& steps = records.steps;
  const auto& evaluations = records.evaluations;
  return "<div class=\"charts\">\n" +
         figure("Loss per token",
                {curve("train, smoothed", steps, "loss"), curve("train", steps, "nll"),
                 curve("valid", evaluations, "nll")}) +
         figure("Score of validation",
                {curve("bleu", evaluations, "bleu"), curve("chrf", evaluations, "chrf")}) +
         figure("Shares of validation", {curve("accuracy", evaluations, "accuracy"),
                                         curve("exact match", evaluations, "exact_match"),
                                         curve("token accuracy", evaluations, "token_accuracy")}) +
         figure("Learning rate", {curve("lr", steps, "lr")}) +
         figure("Gradient norm before clipping", {curve("norm", steps, "grad_norm")}) +
         figure("Real tokens a second", {curve("tokens/s", steps, "tokens_per_second")}) +
         figure("Entropy of attention, 1: even", {entropy_curve("encoder", records.attention),
                                                  entropy_curve("decoder", records.attention),
                                                  entropy_curve("cross", records.attention)}) +
         "</div>";
}

std::string cell(const Json& record, const char* key, double factor = 1.0) {
  const double value = number(record, key);
  return fmt::format("<td class=\"n\">{}</td>",
                     std::isfinite(value) ? fmt::format("{:.4g}", value * factor) : "–");
}

/// A column is there where a record has it.
std::string evaluation_table(const std::vector<Json>& evaluations) {
  std::vector<std::pair<const char*, double>> keys{{"step", 1.0}};
  for (const auto& [key, factor] : {std::pair("loss", 1.0),
                                    {"ppl", 1.0},
                                    {"bleu", 1.0},
                                    {"chrf", 1.0},
                                    {"exact_match", 100.0},
                                    {"accuracy", 100.0},
                                    {"macro_f1", 100.0}}) {
    if (evaluations.back().contains(key)) keys.emplace_back(key, factor);
  }
  std::string out = "<div class=\"wide\"><table><tr>";
  for (const auto& [key, factor] : keys) {
    out += fmt::format("<th class=\"n\">{}{}</th>", key, factor == 1.0 ? "" : " %");
  }
  out += "</tr>\n";
  for (const auto& record : evaluations) {
    out += "<tr>";
    for (const auto& [key, factor] : keys) out += cell(record, key, factor);
    out += "</tr>\n";
  }
  return out + "</table></div>";
}

std::string text(const Json& json, const char* key) {
  return json.is_object() ? escaped(json.value(key, "")) : "";
}

/// The first evaluation, one in the middle and the last.
std::string samples(const std::vector<Json>& evaluations) {
  std::vector<std::size_t> shown{0, evaluations.size() / 2, evaluations.size() - 1};
  shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
  std::string out;
  for (const auto at : shown) {
    const auto found = evaluations[at].find("samples");
    if (found == evaluations[at].end() || !found->is_array()) continue;
    out += fmt::format(
        "<h3>after {} steps</h3>\n<div class=\"wide\"><table><tr><th>source</th>"
        "<th>result</th><th>reference</th></tr>\n",
        evaluations[at].value("step", int64_t{0}));
    for (const auto& sample : *found) {
      out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", text(sample, "source"),
                         text(sample, "result"), text(sample, "reference"));
    }
    out += "</table></div>\n";
  }
  return out;
}

/// Every head at the first look and at the last.
std::string head_table(const std::vector<Json>& looks) {
  constexpr std::pair<const char*, const char*> kColumns[] = {
      {"entropy", "entropy"}, {"diagonal", "own place"},     {"first", "first key"},
      {"end", "last key"},    {"largest", "largest weight"}, {"one_key", "one key for all"}};
  const auto early = looks.front().value("heads", Json::array());
  const auto late = looks.back().value("heads", Json::array());
  auto out = fmt::format(
      "<p class=\"soft\">Mean over a few fixed sentences, after {} and after {} steps. Entropy is "
      "over that of even weights; the others are shares of the weight.</p>\n"
      "<div class=\"wide\"><table><tr><th>head</th>",
      looks.front().value("step", int64_t{0}), looks.back().value("step", int64_t{0}));
  for (const auto& [key, name] : kColumns) out += fmt::format("<th class=\"n\">{}</th>", name);
  out += "</tr>\n";
  for (std::size_t i = 0; i < std::min(early.size(), late.size()); ++i) {
    out += fmt::format("<tr><td>{} {}.{}</td>", text(late[i], "kind"),
                       late[i].value("layer", int64_t{0}), late[i].value("head", int64_t{0}));
    for (const auto& [key, name] : kColumns) {
      out += fmt::format("<td class=\"n\">{:.2f} → {:.2f}</td>", number(early[i], key),
                         number(late[i], key));
    }
    out += "</tr>\n";
  }
  return out + "</table></div>";
}

/// Every tensor at the last look.
std::string tensor_table(const Json& look) {
  auto out = fmt::format(
      "<details><summary>gradient norm and size of the update, after {} steps</summary>\n"
      "<div class=\"wide\"><table><tr><th>tensor</th><th class=\"n\">gradient norm</th>"
      "<th class=\"n\">update / weight</th></tr>\n",
      look.value("step", int64_t{0}));
  const auto norms = look.value("grad_norm", Json::object());
  const auto ratios = look.value("update_ratio", Json::object());
  for (const auto& [name, norm] : norms.items()) {
    out += fmt::format("<tr><td>{}</td>{}{}</tr>\n", escaped(name), cell(norms, name.c_str()),
                       cell(ratios, name.c_str()));
  }
  return out + "</table></div></details>";
}

std::string note_list(const std::vector<Json>& notes) {
  std::string out = "<ul>\n";
  for (const auto& note : notes) out += fmt::format("<li>{}</li>\n", text(note, "message"));
  return out + "</ul>";
}

/// Names and values of one process's card.
std::string card_table(const Json& card) {
  std::string out = "<div class=\"wide\"><table>\n";
  for (const auto& [key, value] : card.items()) {
    out += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", escaped(key),
                       escaped(value.is_string() ? value.get<std::string>() : value.dump()));
  }
  return out + "</table></div>";
}

std::string summary(const fs::path& run, const Records& records, const Json& best) {
  const auto steps = records.steps.empty() ? 0 : records.steps.back().value("step", int64_t{0});
  auto line = fmt::format("{} steps", steps);
  if (!records.steps.empty()) {
    line += fmt::format(" in {:.0f} s", number(records.steps.back(), "seconds"));
  }
  if (best.is_object()) {
    line += fmt::format(" · best at step {}, score {:.4g}", best.value("step", int64_t{0}),
                        number(best, "score"));
  }
  return fmt::format("<h1>{}</h1>\n<p class=\"soft\">{}</p>\n", escaped(run.string()),
                     escaped(line));
}

}  // namespace

std::string report_page(const fs::path& run) {
  checkpoint::require_run(run);
  const auto records = read_records(run / "metrics.jsonl");
  auto body = summary(run, records, read_json(run / "best.json"));
  if (records.steps.empty() && records.evaluations.empty()) {
    body += "<p>No step is recorded yet.</p>\n";
  } else {
    body += section("Curves", charts(records));
  }
  if (!records.evaluations.empty()) {
    body += section("Evaluations", evaluation_table(records.evaluations));
    if (const auto shown = samples(records.evaluations); !shown.empty()) {
      body += section("Samples", shown);
    }
  }
  if (!records.attention.empty()) body += section("Heads", head_table(records.attention));
  if (!records.tensors.empty()) body += section("Tensors", tensor_table(records.tensors.back()));
  if (!records.notes.empty()) body += section("What went on", note_list(records.notes));
  const auto card = read_json(run / "card.json");
  if (card.is_object()) body += section("Run card", card_table(card));
  body += section("Config",
                  fmt::format("<details><summary>config.json</summary><pre>{}</pre></details>",
                              escaped(read_file(run / "config.json"))));
  return page("heed: " + run.string(), body);
}

}  // namespace heed::inspect
