#include "config/model_keys.h"

#include "base/error.h"
#include "config/example.h"
#include "config/fields.h"
#include "support/catch.h"

namespace heed::config {
namespace {

TEST_CASE("a recurrent model has no heads and a Transformer no cells",
          "[config][model_keys][unit]") {
  const auto heads = Json::parse(R"({"model": {"type": "rnn", "heads": 4}})");
  REQUIRE_THROWS_AS(refuse_keys_of_other_models(heads), ConfigError);
  REQUIRE_THROWS_WITH(refuse_keys_of_other_models(heads),
                      "model.heads: has no meaning under \"model.type\": \"rnn\", only under "
                      "\"transformer\"");
  const auto window = Json::parse(R"({"model": {"type": "rnn", "attention": {"window": 4}}})");
  REQUIRE_THROWS_WITH(refuse_keys_of_other_models(window),
                      test::ContainsSubstring("model.attention.window: has no meaning"));
  const auto dropout = Json::parse(R"({"model": {"type": "rnn", "attention": {"dropout": 0.1}}})");
  REQUIRE_NOTHROW(refuse_keys_of_other_models(dropout));

  const auto cells = Json::parse(R"({"model": {"rnn": {"cell": "gru"}}})");
  REQUIRE_THROWS_WITH(refuse_keys_of_other_models(cells),
                      "model.rnn: has no meaning under \"model.type\": \"transformer\", only under "
                      "\"rnn\"");
}

TEST_CASE("a type that is none is left to the parse", "[config][model_keys][unit]") {
  REQUIRE_NOTHROW(refuse_keys_of_other_models(Json::parse(R"({"model": {"type": 7, "rnn": {}}})")));
  REQUIRE_NOTHROW(
      refuse_keys_of_other_models(Json::parse(R"({"model": {"type": "cnn", "heads": 2}})")));
  REQUIRE_NOTHROW(refuse_keys_of_other_models(Json::parse(R"({"model": 5})")));
  REQUIRE_NOTHROW(refuse_keys_of_other_models(Json::parse("7")));
}

TEST_CASE("a resolved config holds the keys of its model, and reads back",
          "[config][model_keys][property]") {
  const test::Example example;
  for (const auto* type : {"transformer", "rnn"}) {
    CAPTURE(type);
    auto json = test::Example::translation();
    json["model"] = Json{{"type", type}, {"d_model", 16}};
    example.write("typed.json", json);
    const auto run = load_run(example / "typed.json");
    const auto resolved = Json::parse(to_json(run));
    const bool recurrent = run.model.recurrent();
    REQUIRE(resolved.at("model").contains("rnn") == recurrent);
    REQUIRE(resolved.at("model").contains("heads") == !recurrent);
    REQUIRE(resolved.at("model").contains("positions") == !recurrent);
    REQUIRE(resolved.at("decode").contains("cache_max") == !recurrent);
    REQUIRE(resolved.at("model").at("attention").contains("dropout"));
    REQUIRE(parse_run(to_json(run), "config.json") == run);
  }
}

TEST_CASE("keys of a recurrent decoder are refused in a classification",
          "[config][model_keys][unit]") {
  const test::Example example;
  auto json = test::Example::classification();
  json["model"] = Json{{"type", "rnn"}, {"rnn", {{"cell", "lstm"}}}};
  example.write("typed.json", json);
  const auto run = load_run(example / "typed.json");
  const auto resolved = Json::parse(to_json(run)).at("model");
  REQUIRE(resolved.at("rnn").at("cell") == "lstm");
  REQUIRE_FALSE(resolved.at("rnn").contains("attention"));
  REQUIRE_FALSE(resolved.contains("pooling"));
  const auto fault = test::fault_of<ConfigError>(
      [&] { load_run(example / "typed.json", {"model.rnn.input_feeding=true"}); });
  REQUIRE_THAT(fault, test::ContainsSubstring("model.rnn.input_feeding: has no meaning under"));
}

TEST_CASE("an unknown key comes before a type's", "[config][model_keys][unit]") {
  const test::Example example;
  auto json = test::Example::translation();
  json["model"] = Json{{"typ", "rnn"}, {"rnn", Json::object()}};
  example.write("typed.json", json);
  const auto fault = test::fault_of<ConfigError>([&] { load_run(example / "typed.json"); });
  REQUIRE_THAT(fault, test::ContainsSubstring("model.typ: unknown key; did you mean 'type'?"));
}

TEST_CASE("an unknown key is answered with the keys of its type of model",
          "[config][model_keys][unit]") {
  const test::Example example;
  const auto fault_under = [&](const char* type, const char* edit) {
    auto json = test::Example::translation();
    json["model"] = Json{{"type", type}, {"d_model", 16}};
    example.write("typed.json", json);
    return test::fault_of<ConfigError>([&] { load_run(example / "typed.json", {edit}); });
  };
  const auto recurrent = fault_under("rnn", "model.cell=gru");
  REQUIRE_THAT(recurrent,
               test::ContainsSubstring("did you mean model.rnn.cell? Here are type, d_model, "
                                       "enc_layers, dec_layers, dropout, init, tie, vocab_rows, "
                                       "vocab_multiple, attention, rnn"));
  REQUIRE_THAT(fault_under("rnn", "model.attention.dropuot=0.1"),
               test::ContainsSubstring("did you mean 'dropout'? There are dropout"));
  const auto transformer = fault_under("transformer", "model.headz=2");
  REQUIRE_THAT(transformer, test::ContainsSubstring("did you mean 'heads'? There are type, "));
  REQUIRE(transformer.find(", rnn") == std::string::npos);
  REQUIRE_THAT(fault_under("rnn", "train.learning_rte=1"),
               test::ContainsSubstring("did you mean train.lr? Here are "));
}

}  // namespace
}  // namespace heed::config
