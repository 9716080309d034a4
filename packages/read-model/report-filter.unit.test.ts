import { describe, expect, it } from "vitest";
import { wordFilter } from "./report-filter.ts";

describe("a word of the moderators' filter", () => {
  it.each([
    ["smith", "%smith%"],
    ["Zürich", "%Zürich%"],
    ["100%", "%100%"],
    ["(the)", "%the%"],
    ["with_a", "%with_a%"],
    ["o'brien", "%o_brien%"],
    ["\\%abc--d", "%abc__d%"],
  ])("matches anywhere, with signs as wildcards: %s", (word, pattern) => {
    expect(wordFilter(word)).toEqual({ pattern });
  });

  it.each([
    ["Li", ["li"]],
    ["h_a", ["h", "a"]],
    ["李明", ["李明"]],
  ])("matches only as a whole without three letters in a row: %s", (word, words) => {
    expect(wordFilter(word)).toEqual({ words });
  });

  it.each(["%", "_", "\\", "%_%", "-"])("finds nothing if it has only signs: %s", (word) => {
    expect(wordFilter(word)).toBeUndefined();
  });
});
