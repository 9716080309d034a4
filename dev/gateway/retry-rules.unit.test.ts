import { describe, expect, it } from "vitest";
import { shareOfTime } from "./retry-rules.ts";

describe("the share of a request's time that one process gets", () => {
  const limitMs = 20_000;

  it("is half of what is left while others may be asked, and never too short to be fair", () => {
    const shares: (number | undefined)[] = [];
    for (let leftMs = limitMs; shares.at(-1) !== undefined || shares.length === 0; ) {
      const share = shareOfTime({ leftMs, limitMs, mayGoOn: true });
      shares.push(share);
      leftMs -= share ?? 0;
    }
    expect(shares).toEqual([10_000, 5000, 2500, undefined]);
  });

  it("is all that is left where nobody else may be asked", () => {
    expect(shareOfTime({ leftMs: limitMs, limitMs, mayGoOn: false })).toBeUndefined();
  });
});
