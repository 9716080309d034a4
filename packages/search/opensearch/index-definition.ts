import type { API } from "@opensearch-project/opensearch";
import { MAX_WINDOW } from "../errors.ts";
import { MATCHING_VERSION } from "../matching.ts";

/**
 * Mapping and settings of an index. The engine stores what `matching.ts` computes and does no
 * scoring of its own. A text is stored as groups of three characters, in order, so words of a query
 * are found inside words, exactly, as phrases of such groups. Shorter words are terms.
 */
export function indexDefinition(): API.Indices_Create_RequestBody {
  const keyword = { type: "keyword" as const };
  const long = { type: "long" as const };
  const grams = {
    type: "text",
    analyzer: "three",
    index_options: "positions",
    norms: false,
  } as const;
  return {
    settings: {
      // One shard, so that a position and what is found at it belong to the same moment.
      number_of_shards: 1,
      auto_expand_replicas: "0-1",
      // One row more than the window, which tells whether there is another page.
      max_result_window: MAX_WINDOW + 1,
      analysis: {
        // All kinds of characters, blanks and line ends included.
        tokenizer: { three: { type: "ngram", min_gram: 3, max_gram: 3, token_chars: [] } },
        analyzer: { three: { type: "custom", tokenizer: "three" } },
      },
    },
    mappings: {
      dynamic: "strict",
      _meta: { matching_version: MATCHING_VERSION },
      // Fields that are only needed for searching are not returned, and so not kept twice in
      // memory.
      _source: { excludes: ["name_text", "search_text", "terms"] },
      properties: {
        id: keyword,
        hidden: { type: "boolean" },
        document: { type: "object", enabled: false },
        state: keyword,
        reasons: keyword,
        amount_cents: long,
        submitted_ms: long,
        terms: keyword,
        name_text: grams,
        search_text: grams,
        // No document has it, so it comes last in every order, and a page can begin at a row
        // itself.
        tie: long,
        // Only in the one hidden document that records how far the index is.
        position: { type: "keyword", index: false, doc_values: false },
      },
    },
  };
}
