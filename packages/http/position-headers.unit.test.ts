import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { sealedPositions } from "./position-headers.ts";

const epoch = "6f1c2d34-1111-4222-8333-444455556666";
const position = "00000000000000000042";
const former = randomBytes(32);
const current = randomBytes(32);
const positions = sealedPositions({ current: () => current, all: () => [former, current] });
const before = sealedPositions({ current: () => former, all: () => [former] });

describe("a position in a header", () => {
  it("round-trips, even if sealed with the previous key", () => {
    expect(positions.open(positions.seal({ epoch, position }))).toEqual({ epoch, position });
    expect(positions.open(before.seal({ epoch, position }))).toEqual({ epoch, position });
  });

  it("cannot be read or compared", () => {
    const [one, same, other] = [position, position, "7"].map((each) =>
      positions.seal({ epoch, position: each }),
    );
    expect(one).not.toBe(same);
    expect(one?.length).toBe(other?.length);
    for (const text of [one, same, other]) expect(text).not.toContain(epoch.slice(0, 8));
  });

  it("is ignored when it was not sealed here", () => {
    const foreign = sealedPositions({ current: () => randomBytes(32), all: () => [] });
    const sealed = positions.seal({ epoch, position });
    for (const header of [
      undefined,
      "",
      "42",
      `${epoch}:${position}`,
      `${sealed} `,
      sealed.slice(1),
      "a".repeat(100_000),
      [sealed, sealed],
      foreign.seal({ epoch, position }),
    ])
      expect(positions.open(header)).toBeUndefined();
  });
});
