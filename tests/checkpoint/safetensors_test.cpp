#include "checkpoint/safetensors.h"

#include <cstring>
#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "support/catch.h"
#include "support/close.h"
#include "support/scratch.h"

namespace heed::checkpoint {
namespace {

/// Length, header and data, as they stand in a file.
std::string file_bytes(const std::string& header, std::size_t data_bytes) {
  const uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + std::string(data_bytes, '\0');
}

std::string error_of(const std::string& bytes) {
  const test::ScratchDirectory scratch;
  const auto file = scratch / "model.safetensors";
  write_file(file, bytes);
  try {
    read_safetensors(file);
  } catch (const CheckpointError& error) {
    REQUIRE_THAT(error.what(), test::ContainsSubstring(file.string() + ": "));
    REQUIRE(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
  }
  return "";
}

class TiedImpl : public torch::nn::Module {
 public:
  TiedImpl() {
    const auto buffer = torch::arange(12.0).reshape({6, 2});
    first = register_parameter("first", buffer.slice(0, 0, 3));
    second = register_parameter("second", buffer.slice(0, 3, 6));  // adjacent, not tied
    register_parameter("output", first);                           // tied
    register_buffer("counts", torch::ones({2}, torch::kInt64));
  }
  torch::Tensor first, second;
};

TEST_CASE("a file by safetensors' own library is read whole", "[checkpoint][safetensors][golden]") {
  const auto tensors = read_safetensors(std::string(HEED_SOURCE_DIR) +
                                        "/tests/golden/train_safetensors.safetensors");
  REQUIRE(tensors.size() == 11);
  const auto f32 = torch::tensor({1.5F, -2.0F, 3.25F, 0.0F, 1e-30F, -1e30F}).reshape({2, 3});
  REQUIRE(torch::equal(tensors.at("f32"), f32));
  REQUIRE(torch::equal(tensors.at("f64"), torch::tensor({0.1, 1e300}, torch::kFloat64)));
  REQUIRE(torch::equal(tensors.at("f16"), torch::tensor({0.5, 65504.0}, torch::kFloat16)));
  REQUIRE(torch::equal(tensors.at("bf16"),
                       torch::tensor({-1.0, 3.0}, torch::kBFloat16).reshape({2, 1})));
  const int64_t big = int64_t{1} << 62;
  REQUIRE(torch::equal(tensors.at("i64"), torch::tensor({big, int64_t{-1}})));
  REQUIRE(torch::equal(tensors.at("i32"), torch::tensor({-2147483647 - 1, 7}, torch::kInt32)));
  REQUIRE(torch::equal(tensors.at("u8"), torch::tensor({0, 255, 3}, torch::kUInt8)));
  REQUIRE(torch::equal(tensors.at("bool"), torch::tensor({1, 0, 1}, torch::kBool)));
  REQUIRE(tensors.at("scalar").dim() == 0);
  REQUIRE(tensors.at("scalar").item<double>() == 4.0);
  REQUIRE(tensors.at("empty").sizes() == torch::IntArrayRef({0, 5}));
  REQUIRE(tensors.contains("naïve “name”"));
}

TEST_CASE("what is written is read back, every type and shape bit for bit",
          "[checkpoint][safetensors][property]") {
  torch::manual_seed(1);
  const test::ScratchDirectory scratch;
  NamedTensors written;
  for (const auto type : {torch::kFloat32, torch::kFloat64, torch::kFloat16, torch::kBFloat16,
                          torch::kInt64, torch::kInt32, torch::kUInt8, torch::kBool}) {
    for (const auto& shape : std::vector<std::vector<int64_t>>{{}, {0}, {1}, {3, 5}, {2, 0, 4}}) {
      const auto name = std::string("w ") + c10::toString(type) + std::to_string(shape.size()) +
                        std::to_string(shape.empty() ? 9 : shape[0]);
      written[name] = torch::randint(0, 2, shape).to(type);
    }
  }
  written["transposed"] = torch::randn({3, 4}).t();
  write_safetensors(scratch / "all", written, {{"made by", "heed"}});

  const auto bytes = read_file(scratch / "all");
  uint64_t header = 0;
  std::memcpy(&header, bytes.data(), 8);
  REQUIRE(header % 8 == 0);

  const auto read = read_safetensors(scratch / "all");
  REQUIRE(read.size() == written.size());
  for (const auto& [name, tensor] : written) {
    CAPTURE(name);
    REQUIRE(read.at(name).scalar_type() == tensor.scalar_type());
    REQUIRE(torch::equal(read.at(name), tensor));
  }
}

TEST_CASE("each malformed file is refused in one line", "[checkpoint][safetensors][unit]") {
  const auto tensor = [](const std::string& name, const std::string& fields) {
    return "\"" + name + "\":{" + fields + "}";
  };
  const auto good = [&](const std::string& name, int begin, int end) {
    return tensor(name, "\"dtype\":\"U8\",\"shape\":[" + std::to_string(end - begin) +
                            "],\"data_offsets\":[" + std::to_string(begin) + "," +
                            std::to_string(end) + "]");
  };
  struct Case {
    std::string bytes;
    std::string says;
  };
  std::string huge(8, '\0');
  huge[7] = '\x80';
  const std::vector<Case> cases = {
      {"", "0 bytes"},
      {"1234567", "7 bytes"},
      {huge + "{}", "a header of 9223372036854775808 bytes in a file of 10"},
      {std::string("\x09\0\0\0\0\0\0\0{}", 10), "a header of 9 bytes in a file of 10"},
      {std::string("PK\x03\x04\x14\0\x08\x08\0\0archive/data.pkl", 26), "is no safetensors file"},
      {file_bytes("", 0), "header is not a JSON object"},
      {file_bytes("[]", 0), "header is not a JSON object"},
      {file_bytes("7", 0), "header is not a JSON object"},
      {file_bytes("{\"a\":", 0), "header is not JSON"},
      {file_bytes("{} x", 0), "header is not JSON"},
      {file_bytes(std::string(100000, '{'), 0), "header is not JSON"},
      {file_bytes("{\"a\":" + std::string(100000, '['), 0), "\"a\" is not an object"},
      {file_bytes("{\"\xff\":1}", 0), "header is not JSON"},
      {file_bytes("{\"a\":1}", 0), "\"a\" is not an object"},
      {file_bytes("{\"a\":{\"dtype\":{}}}", 0), "tensor \"a\": \"dtype\" is malformed"},
      {file_bytes("{\"__metadata__\":{\"a\":1}}", 0), "\"a\" is malformed"},
      {file_bytes("{" + good("a", 0, 4) + "," + good("b", 2, 6) + "}", 6), "overlaps another"},
      {file_bytes("{" + good("a", 0, 4) + "," + good("b", 0, 4) + "}", 4), "overlaps another"},
      {file_bytes("{" + good("a", 0, 4) + "}", 3), "outside the 3 bytes"},
      {file_bytes("{" + good("a", 2, 4) + "}", 4), "leaves a gap"},
      {file_bytes("{" + good("a", 0, 2) + "," + good("b", 3, 4) + "}", 4), "leaves a gap"},
      {file_bytes("{" + good("a", 0, 4) + "}", 6), "2 bytes after the last tensor"},
      {file_bytes("{}", 1), "1 bytes after the last tensor"},
      {file_bytes("{" + good("a", 0, 2) + "," + good("a", 2, 4) + "}", 4), "\"a\" comes twice"},
      {file_bytes("{" + tensor("a", R"("dtype":"F99","shape":[1],"data_offsets":[0,1])") + "}", 1),
       "dtype \"F99\""},
      {file_bytes("{" + tensor("a", R"("dtype":"F32","shape":[1],"data_offsets":[0,1])") + "}", 1),
       "takes 4 bytes, but 1 are stored"},
      {file_bytes("{" + tensor("a", R"("dtype":"U8","shape":[-1],"data_offsets":[0,1])") + "}", 1),
       "\"shape\" is malformed"},
      {file_bytes("{" + tensor("a", R"("dtype":"U8","shape":[1.5],"data_offsets":[0,1])") + "}", 1),
       "\"shape\" is malformed"},
      {file_bytes("{" +
                      tensor("a", R"("dtype":"U8","shape":[9223372036854775807,3],)"
                                  R"("data_offsets":[0,1])") +
                      "}",
                  1),
       "takes too many bytes"},
      {file_bytes("{" + tensor("a", R"("dtype":"U8","shape":[1],"data_offsets":[1,0])") + "}", 1),
       "outside"},
      {file_bytes("{" + tensor("a", R"("dtype":"U8","shape":[1],"data_offsets":[0])") + "}", 1),
       "two data_offsets"},
      {file_bytes("{" + tensor("a", R"("dtype":"U8","shape":[1])") + "}", 1), "data_offsets"},
      {file_bytes("{" + tensor("a", R"("dtype":"U8","dtype":"U8")") + "}", 1), "comes twice"},
      {file_bytes("{" + tensor("a", R"("kind":"U8")") + "}", 1), "unknown key \"kind\""},
      {file_bytes("{" + tensor("a", R"("dtype":"BOOL","shape":[1],"data_offsets":[0,1])") + "}",
                  0) +
           "\x02",
       "BOOL bytes must be 0 or 1"},
  };
  for (const auto& [bytes, says] : cases) {
    CAPTURE(says);
    REQUIRE_THAT(error_of(bytes), test::ContainsSubstring(says));
  }
}

TEST_CASE("a file cut at any byte is refused", "[checkpoint][safetensors][property]") {
  const test::ScratchDirectory scratch;
  write_safetensors(scratch / "whole", {{"a", torch::ones({3})}, {"b", torch::ones({2, 2})}});
  const auto whole = read_file(scratch / "whole");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    CAPTURE(length);
    REQUIRE(!error_of(whole.substr(0, length)).empty());
  }
}

TEST_CASE("a file with any one byte changed is read or refused, never more",
          "[checkpoint][safetensors][property]") {
  const test::ScratchDirectory scratch;
  write_safetensors(scratch / "whole", {{"a", torch::ones({3})}, {"b", torch::ones({2, 2})}});
  const auto whole = read_file(scratch / "whole");
  for (std::size_t place = 0; place < whole.size(); ++place) {
    for (const char flip : {'\x01', '\x20', '\x80'}) {
      auto changed = whole;
      changed[place] = static_cast<char>(changed[place] ^ flip);
      REQUIRE_NOTHROW(error_of(changed));
    }
  }
}

TEST_CASE("no file, or a directory, is refused in one line", "[checkpoint][safetensors][unit]") {
  const test::ScratchDirectory scratch;
  REQUIRE_THROWS_AS(read_safetensors(scratch / "none"), CheckpointError);
  REQUIRE_THROWS_AS(read_safetensors(scratch / ""), CheckpointError);
}

TEST_CASE("tied tensors are stored once, adjacent ones apart", "[checkpoint][safetensors][unit]") {
  const TiedImpl module;
  const auto tensors = named_tensors(module);
  REQUIRE(tensors.size() == 3);
  REQUIRE(tensors.contains("first"));
  REQUIRE(tensors.contains("second"));
  REQUIRE(tensors.contains("counts"));
}

TEST_CASE("loading keeps ties and takes any of their names", "[checkpoint][safetensors][unit]") {
  TiedImpl module;
  const auto* before = module.first.const_data_ptr();
  const auto fives = torch::full({3, 2}, 5.0);
  const auto sixes = torch::full({3, 2}, 6.0);
  const auto counts = torch::zeros({2}, torch::kInt64);
  for (const std::string name : {"first", "output"}) {
    load_into(module, {{name, fives}, {"second", sixes}, {"counts", counts}}, "here");
    REQUIRE(module.first.const_data_ptr() == before);
    REQUIRE(module.named_parameters()["output"].const_data_ptr() == before);
    REQUIRE(torch::equal(module.first, fives));
    REQUIRE(torch::equal(module.second, sixes));
  }
}

class TableImpl : public torch::nn::Module {
 public:
  TableImpl() {
    register_parameter("weight", torch::ones({2}));
    table = register_buffer("table", torch::ones({3}));
  }
  torch::Tensor table;
};

class OverTableImpl : public torch::nn::Module {
 public:
  OverTableImpl() { positions = register_module("positions", std::make_shared<TableImpl>()); }
  std::shared_ptr<TableImpl> positions;
};

TEST_CASE("tables that follow from the config are not stored, and not believed where they are",
          "[checkpoint][safetensors][unit]") {
  OverTableImpl module;
  REQUIRE(named_tensors(module).size() == 1);
  load_into(module,
            {{"positions.weight", torch::zeros({2})}, {"positions.table", torch::zeros({7})}},
            "here");
  REQUIRE(torch::equal(module.positions->table, torch::ones({3})));
  REQUIRE(module.positions->parameters()[0].sum().item<double>() == 0.0);
}

TEST_CASE("what doesn't fit a model is named before any weight changes",
          "[checkpoint][safetensors][unit]") {
  TiedImpl module;
  const auto before = module.first.clone();
  const auto refusal = [&](const NamedTensors& changes, const std::string& without) {
    NamedTensors tensors = {{"first", torch::full({3, 2}, 5.0)},
                            {"second", torch::full({3, 2}, 5.0)},
                            {"counts", torch::zeros({2}, torch::kInt64)}};
    for (const auto& [name, tensor] : changes) tensors[name] = tensor;
    tensors.erase(without);
    try {
      load_into(module, tensors, "here");
    } catch (const CheckpointError& error) {
      REQUIRE(torch::equal(module.first, before));
      return std::string(error.what());
    }
    return std::string();
  };
  REQUIRE(refusal({}, "second") == "here: 'second' is missing");
  REQUIRE(refusal({{"third", torch::ones(1)}}, "") == "here: 'third' is not in the model");
  REQUIRE(refusal({{"second", torch::ones({3, 7})}}, "") ==
          "here: 'second' is [3, 7], but the model's is [3, 2]");
  REQUIRE(refusal({{"counts", torch::ones(2)}}, "") ==
          "here: 'counts' is Float, but the model's is Long");
}

}  // namespace
}  // namespace heed::checkpoint
