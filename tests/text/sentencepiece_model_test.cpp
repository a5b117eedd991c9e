#include "text/sentencepiece_model.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include <sentencepiece_processor.h>

#include "base/error.h"
#include "base/files.h"
#include "support/catch.h"

namespace text = heed::text;
using Model = text::SentencePieceModel;

namespace {

std::string golden(const std::string& name) {
  return heed::read_file(std::filesystem::path(HEED_SOURCE_DIR) / "tests/golden" / name);
}

}  // namespace

TEST_CASE("pieces, scores and kinds are what the library says",
          "[text][sentencepiece_model][golden]") {
  const std::string name =
      GENERATE(as<std::string>(), "text_bpe.model", "text_unigram.model", "text_spaces.model",
               "text_bytes.model", "text_unigram_bytes.model");
  const auto bytes = golden(name);
  const auto model = text::read_sentencepiece_model(bytes, name);
  sentencepiece::SentencePieceProcessor library;
  REQUIRE(library.LoadFromSerializedProto(bytes).ok());
  REQUIRE(std::ssize(model.pieces) == library.GetPieceSize());
  for (int id = 0; const auto& piece : model.pieces) {
    CHECK(piece.text == library.IdToPiece(id));
    CHECK(piece.score == library.GetScore(id));
    CHECK((piece.kind == Model::Kind::kControl) == library.IsControl(id));
    CHECK((piece.kind == Model::Kind::kUnk) == library.IsUnknown(id));
    CHECK((piece.kind == Model::Kind::kUnused) == library.IsUnused(id));
    CHECK((piece.kind == Model::Kind::kByte) == library.IsByte(id));
    ++id;
  }
  const bool unigram = name.find("unigram") != name.npos;
  CHECK(model.type == (unigram ? Model::Type::kUnigram : Model::Type::kBpe));
  CHECK(model.byte_fallback == (name.find("bytes") != name.npos));
  CHECK_FALSE(model.space_follows);
}

TEST_CASE("symbols of the user are told apart", "[text][sentencepiece_model][unit]") {
  const auto model = text::read_sentencepiece_model(golden("text_bpe.model"), "m");
  const auto found = std::ranges::find(model.pieces, "[X]", &Model::Piece::text);
  REQUIRE(found != model.pieces.end());
  CHECK(found->kind == Model::Kind::kUserDefined);
}

TEST_CASE("what is no model, or was cut, is named", "[text][sentencepiece_model][unit]") {
  const auto whole = golden("text_bpe.model");
  for (const auto& bytes : {std::string(), std::string("\xff\xff\xff"), std::string("\x0a\x7f"),
                            whole.substr(0, whole.size() - 3)}) {
    CHECK_THROWS_AS(text::read_sentencepiece_model(bytes, "m"), heed::DataError);
  }
}
