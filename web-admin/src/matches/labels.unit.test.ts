import { describe, expect, it } from "vitest";
import type { NameDifference } from "#contracts/http/report-view.ts";
import { comparedRows, namesText, sharedText, strengthOf } from "./labels.ts";

const names = (first: NameDifference, last: NameDifference) =>
  namesText({ first_name_differs: first, last_name_differs: last } as never);

describe("a possible match", () => {
  it("lists what is shared", () => {
    expect(sharedText(["email", "phone", "street and ZIP"])).toBe(
      "email, phone, and street with ZIP",
    );
  });

  it("is never shown as stronger than one that the server ranks before it", () => {
    const all = ["email", "phone", "card", "bank account", "street and ZIP"];
    const of = (shares: number, kind: NameDifference["kind"], differs: string[] = []) =>
      strengthOf({
        shares: all.slice(0, shares),
        differs,
        first_name_differs: { kind },
        last_name_differs: { kind },
      } as never);
    const nearestFirst = ["same", "nickname", "sounds_alike", "letters", "different"] as const;
    const bars = [5, 4, 3, 2, 1].flatMap((shares) => nearestFirst.map((kind) => of(shares, kind)));
    expect(bars).toEqual(bars.toSorted((a, b) => b - a));
    expect(new Set(bars).size).toBe(21);
    expect(of(5, "same")).toBe(1);
    expect(of(1, "different", ["card"])).toBe(of(1, "different"));
  });

  it.each<[NameDifference, NameDifference, string]>([
    [{ kind: "same" }, { kind: "same" }, "Same name"],
    [{ kind: "different" }, { kind: "different" }, "Different name"],
    [
      { kind: "nickname" },
      { kind: "letters", letters: 1 },
      "First name may be a nickname, last name 1 letter apart",
    ],
    [
      { kind: "same" },
      { kind: "sounds_alike", letters: 2 },
      "First name the same, last name sounds alike (2 letters apart)",
    ],
    [
      { kind: "different" },
      { kind: "sounds_alike" },
      "First name different, last name sounds alike",
    ],
  ])("describes how names differ: %o, %o", (first, last, text) => {
    expect(names(first, last)).toBe(text);
  });
});

describe("two reports side by side", () => {
  it("are compared by visible values, and by the index for masked ones", () => {
    const base = { report_type: "chargeback", last_name: "Ames", email: "q***@***" };
    const rows = comparedRows(
      { ...base, first_name: "Quinn", phone: "(***) ***-****", city: "Reno" },
      { ...base, first_name: "Quin", phone: "(***) ***-****", public_username: "Otter" },
      ["email", "phone"],
    );
    expect(new Map(rows.map(({ label, mark }) => [label, mark]))).toEqual(
      new Map([
        ["Name", "differs"],
        ["Email", "same"],
        ["Phone", "same"],
        ["Place", "unknown"],
        ["Report type", "same"],
        ["Public company name", "unknown"],
      ]),
    );
  });
});
