import { describe, expect, it } from "vitest";
import { type AddressChange, foldAddresses, type SlugRow } from "./address-book.ts";

const ID = "11111111-1111-4111-8111-111111111111";
const EPOCH = "now";

type Step = { [K in AddressChange as K["kind"]]: Omit<K, "report_id" | "position" | "at"> }[
  | "given"
  | "gone"
  | "back"];

const changesOf = (steps: readonly Step[]) =>
  steps.map((step, i) => ({
    ...step,
    report_id: ID,
    position: String(i + 1).padStart(3, "0"),
    at: `day ${i + 1}`,
  })) as AddressChange[];

/** Returns the rows after the steps, each written in its own batch. */
function fold(
  steps: readonly Step[],
  loaded: readonly SlugRow[] = [],
  epoch = EPOCH,
): Map<string, SlugRow> {
  const rows = new Map(loaded.map((row) => [row.slug_hash, row]));
  for (const change of changesOf(steps))
    for (const row of foldAddresses([...rows.values()], [change], epoch))
      rows.set(row.slug_hash, row);
  return rows;
}

/** Which addresses are the report's, and which answer 410. */
const shown = (rows: Map<string, SlugRow>) =>
  Object.fromEntries(
    [...rows.values()].map(({ slug_hash, gone_at }) => [slug_hash, gone_at ? "gone" : "kept"]),
  );

const given = (slug_hash: string): Step => ({ kind: "given", slug_hash });
const gone: Step = { kind: "gone" };
const back: Step = { kind: "back" };

describe("the addresses of a report", () => {
  it.each([
    ["is the report's once it is given", [given("a")], { a: "kept" }],
    ["is gone with the report", [given("a"), gone], { a: "gone" }],
    ["is the report's again when the deletion is undone", [given("a"), gone, back], { a: "kept" }],
    [
      "is the last one when a deletion is undone",
      [given("a"), given("b"), gone, back],
      { a: "gone", b: "kept" },
    ],
    [
      "stays as it is when only a request is taken back",
      [given("a"), given("b"), back],
      { a: "gone", b: "kept" },
    ],
    ["is gone once the deleted report is erased", [given("a"), gone, gone], { a: "gone" }],
    ["is gone when another takes its place", [given("a"), given("b")], { a: "gone", b: "kept" }],
    ["may be the report's again", [given("a"), given("b"), given("a")], { a: "kept", b: "gone" }],
  ] as const)("%s", (_, steps, expected) => {
    expect(shown(fold(steps))).toEqual(expected);
    const rows = new Map(
      foldAddresses([], changesOf(steps), EPOCH).map((row) => [row.slug_hash, row]),
    );
    expect(shown(rows)).toEqual(expected);
    // A rebuild reads the events again.
    for (const row of foldAddresses([...rows.values()], changesOf(steps), EPOCH))
      rows.set(row.slug_hash, row);
    expect(shown(rows)).toEqual(expected);
  });

  it("are the same after a rebuild, which cannot read what was erased", () => {
    const live = fold([given("a"), given("b"), gone]);
    const blind = [gone, gone, gone];
    expect(shown(fold(blind, [...live.values()]))).toEqual({ a: "gone", b: "gone" });
    expect(shown(fold(blind))).toEqual({});
  });

  it("from before a restore are older than every event since", () => {
    const before = fold([given("b"), given("b"), given("a")], [], "before");
    expect(shown(fold([gone], [...before.values()]))).toEqual({ a: "gone", b: "gone" });
  });
});
