import type { API } from "@opensearch-project/opensearch";
import { MAX_WINDOW } from "../errors.ts";
import { MATCHING_VERSION } from "../matching.ts";

/**
 * Mapping and settings of an index. The engine keeps what `matching.ts` computes and scores nothing
 * by itself. A text is kept as its groups of three characters, in order: words of a query are then
 * found inside words, exactly, as phrases of such groups. Shorter ones are terms.
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
      // One: positions, and what is found at which, are then of one moment.
      number_of_shards: 1,
      auto_expand_replicas: "0-1",
      // The row after the last one of the window says whether there is another page.
      max_result_window: MAX_WINDOW + 1,
      analysis: {
        // Without kinds of characters that it is limited to: blanks and line ends are among them.
        tokenizer: { three: { type: "ngram", min_gram: 3, max_gram: 3, token_chars: [] } },
        analyzer: { three: { type: "custom", tokenizer: "three" } },
      },
    },
    mappings: {
      dynamic: "strict",
      _meta: { matching_version: MATCHING_VERSION },
      // What only serves to find stays out of what is given back, and out of memory twice.
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
        // Never given: it stands last in every order, so that a page can begin at a row itself.
        tie: long,
        // Of the one hidden document that says how far the index is.
        position: { type: "keyword", index: false, doc_values: false },
      },
    },
  };
}
