import type { API } from "@opensearch-project/opensearch";
import { MAX_WINDOW } from "../errors.ts";
import { MATCHING_VERSION } from "../matching.ts";

/**
 * Mapping and settings of an index. The engine keeps what `matching.ts` computes and scores nothing
 * by itself. A text is kept as its groups of three, two and one characters, in order: words of a
 * query are then found inside words, exactly, as phrases of such groups.
 */
export function indexDefinition(): API.Indices_Create_RequestBody {
  const keyword = { type: "keyword" as const };
  const long = { type: "long" as const };
  const grams = (analyzer: string, index_options: "docs" | "positions") =>
    ({ type: "text", analyzer, index_options, norms: false }) as const;
  return {
    settings: {
      // One: positions, and what is found at which, are then of one moment.
      number_of_shards: 1,
      auto_expand_replicas: "0-1",
      // The row after the last one of the window says whether there is another page.
      max_result_window: MAX_WINDOW + 1,
      analysis: {
        tokenizer: { one: characters(1), two: characters(2), three: characters(3) },
        analyzer: { one: by("one"), two: by("two"), three: by("three") },
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
        name_text: grams("three", "positions"),
        search_text: {
          ...grams("three", "positions"),
          fields: { two: grams("two", "docs"), one: grams("one", "docs") },
        },
        // Never given: it stands last in every order, so that a page can begin at a row itself.
        tie: long,
        // Of the one hidden document that says how far the index is.
        position: { type: "keyword", index: false, doc_values: false },
      },
    },
  };
}

function characters(n: number) {
  // Without kinds of characters that it is limited to, blanks and line ends among them.
  return { type: "ngram" as const, min_gram: n, max_gram: n, token_chars: [] };
}

function by(tokenizer: string) {
  return { type: "custom" as const, tokenizer };
}
