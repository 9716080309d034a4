import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, cutSegments, type TextSegment } from "./cut.ts";

const text = (segments: readonly TextSegment[]) => segments.map((s) => s.text).join("");
const segments = fc.array(
  fc.record({
    text: fc.string({ unit: "grapheme", maxLength: 60, size: "max" }),
    hit: fc.boolean(),
  }),
  { maxLength: 8 },
);

describe("truncating text", () => {
  it("doesn't change a text that fits", () => {
    expect(cut("a".repeat(60), 60)).toBe("a".repeat(60));
  });

  it("adds an ellipsis to truncated text", () => {
    expect(cut("a".repeat(61), 60)).toBe(`${"a".repeat(60)}…`);
    expect(cut("ab cd", 3)).toBe("ab…");
  });

  it("ends with a whole word, without trailing punctuation", () => {
    const title = "Third dispute of the same buyer within four months";
    expect(cut(title, 40)).toBe("Third dispute of the same buyer within…");
    expect(cut("Paid, shipped, then disputed", 14)).toBe("Paid, shipped…");
    expect(cut("Paid, shipped - then disputed", 16)).toBe("Paid, shipped…");
  });

  it("splits a word if otherwise less than half would be left", () => {
    expect(cut(`At ${"w".repeat(60)}`, 40)).toBe(`At ${"w".repeat(37)}…`);
    expect(cut("東京都千代田区丸の内", 4)).toBe("東京都千…");
  });

  it("never splits a character", () => {
    expect(cut("😀😀😀", 2)).toBe("😀😀…");
  });
});

describe("truncating highlighted text", () => {
  it("keeps the highlights of a text that fits", () => {
    const marked = [
      { text: "Quinn ", hit: false },
      { text: "Har", hit: true },
      { text: "per", hit: false },
    ];
    expect(cutSegments(marked, 60)).toEqual(marked);
  });

  it("starts shortly before the first highlight if that is beyond the limit", () => {
    const shown = cutSegments(
      [
        { text: "x".repeat(200), hit: false },
        { text: "found", hit: true },
        { text: "y".repeat(200), hit: false },
      ],
      60,
    );
    expect(shown[0]).toEqual({ text: `…${"x".repeat(30)}`, hit: false });
    expect(shown[1]).toEqual({ text: "found", hit: true });
    expect(text(shown).endsWith("y…")).toBe(true);
    expect(Array.from(text(shown))).toHaveLength(62);
  });

  it("starts and ends at word boundaries if possible, and never inside the first highlight", () => {
    const before = "The parcel was signed for at the door of the building and then ";
    const after = " by the buyer, who had kept the goods for more than a month.";
    const shown = cutSegments(
      [
        { text: before, hit: false },
        { text: "disputed", hit: true },
        { text: after, hit: false },
      ],
      60,
    );
    expect(text(shown)).toBe("…door of the building and then disputed by the buyer, who had…");
    const end = cutSegments(
      [
        { text: "Nothing but the ", hit: false },
        { text: "end", hit: true },
        { text: "lessly long words", hit: false },
      ],
      20,
    );
    expect(end).toEqual([
      { text: "Nothing but the ", hit: false },
      { text: "end", hit: true },
      { text: "l", hit: false },
      { text: "…", hit: false },
    ]);
  });

  it("shows at most the given number of characters, in order, and a highlight if there is one", () => {
    fc.assert(
      fc.property(segments, fc.integer({ min: 31, max: 80 }), (marked, length) => {
        const shown = cutSegments(marked, length);
        const whole = text(marked);
        const body = whole.includes(text(shown)) ? text(shown) : text(shown).replace(/^…|…$/g, "");
        expect(whole).toContain(body);
        expect(Array.from(body).length).toBeLessThanOrEqual(length);
        const hasMark = (all: readonly TextSegment[]) => all.some((s) => s.hit && s.text !== "");
        expect(hasMark(shown)).toBe(hasMark(marked));
      }),
    );
  });
});
