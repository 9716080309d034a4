import { describe, expect, it } from "vitest";
import { type AddressChange, foldAddresses, type SlugRow } from "./address-book.ts";

const ID = "11111111-1111-4111-8111-111111111111";
const EPOCH = "now";

type Step = { [K in AddressChange as K["kind"]]: Omit<K, "report_id" | "position" | "at"> }[
  | "given"
  | "approved"
  | "withdrawn"
  | "hidden"
  | "shown"
  | "retired"];

const changesOf = (steps: readonly Step[]) =>
  steps.map((step, i) => ({
    ...step,
    report_id: ID,
    position: String(i + 1).padStart(3, "0"),
    at: `day ${i + 1}`,
  })) as AddressChange[];

/** The rows after the steps, each written in its own batch. */
function fold(
  steps: readonly Step[],
  loaded: readonly SlugRow[] = [],
  epoch = EPOCH,
): Map<string, SlugRow> {
  const rows = new Map(loaded.map((row) => [row.slug_hash, row]));
  for (const change of changesOf(steps)) {
    const result = foldAddresses([...rows.values()], [change], epoch);
    for (const row of result.rows) rows.set(row.slug_hash, row);
    for (const row of result.removed) rows.delete(row.slug_hash);
  }
  return rows;
}

/** What the public sees: which addresses are pages, and which answer 410. */
const shown = (rows: Map<string, SlugRow>) =>
  Object.fromEntries(
    [...rows.values()]
      .filter(({ published }) => published)
      .map(({ slug_hash, gone_at, is_live }) => [
        slug_hash,
        gone_at !== null ? "gone" : is_live ? "page" : "kept",
      ]),
  );

const given = (slug_hash: string): Step => ({ kind: "given", slug_hash });
const approved = (slug_hash?: string): Step => ({
  kind: "approved",
  ...(slug_hash ? { slug_hash } : {}),
});
const withdrawn: Step = { kind: "withdrawn" };
const retired: Step = { kind: "retired" };
const hidden: Step = { kind: "hidden" };
const back = (is_live: boolean): Step => ({ kind: "shown", is_live });

describe("the addresses of a report", () => {
  it.each([
    ["is a page once it is approved", [approved("a")], { a: "page" }],
    ["is kept while the report is not public", [approved("a"), withdrawn], { a: "kept" }],
    ["is gone with the report", [approved("a"), retired], { a: "gone" }],
    ["is gone while the report is deleted", [approved("a"), hidden], { a: "gone" }],
    [
      "is a page again when the deletion is undone",
      [approved("a"), hidden, back(true)],
      { a: "page" },
    ],
    [
      "is the last one when a deletion is undone",
      [approved("a"), given("b"), hidden, back(true)],
      { a: "gone", b: "page" },
    ],
    [
      "is kept when the deletion of a report that is not public is undone",
      [approved("a"), withdrawn, hidden, back(false), approved()],
      { a: "page" },
    ],
    [
      "stays as it is when only a request is taken back",
      [approved("a"), given("b"), back(true)],
      { a: "gone", b: "page" },
    ],
    ["is gone once the deleted report is erased", [approved("a"), hidden, retired], { a: "gone" }],
    [
      "that was only held is held after an undone deletion",
      [given("a"), hidden, back(false), approved()],
      { a: "page" },
    ],
    ["is gone when another takes its place", [approved("a"), given("b")], { a: "gone", b: "page" }],
    ["that was only held is a page with the approval", [given("a"), approved()], { a: "page" }],
    ["that was only held goes without a trace", [given("a"), given("b"), retired], {}],
    ["that was held under a former name is no page", [given("a"), approved("b")], { b: "page" }],
    [
      "that was held before another is no page",
      [given("a"), given("b"), approved()],
      { b: "page" },
    ],
    [
      "of a name that never was public leaves no trace",
      [approved("a"), withdrawn, given("b"), retired],
      { a: "gone" },
    ],
    [
      "may be the report's again",
      [approved("a"), given("b"), given("a")],
      { a: "page", b: "gone" },
    ],
  ] as const)("%s", (_, steps, expected) => {
    expect(shown(fold(steps))).toEqual(expected);
    const whole = foldAddresses([], changesOf(steps), EPOCH);
    const rows = new Map(whole.rows.map((row) => [row.slug_hash, row]));
    expect(shown(rows)).toEqual(expected);
    // A rebuild reads the events again.
    const again = foldAddresses([...rows.values()], changesOf(steps), EPOCH);
    for (const row of again.rows) rows.set(row.slug_hash, row);
    for (const row of again.removed) rows.delete(row.slug_hash);
    expect(shown(rows)).toEqual(expected);
  });

  it("leave no row behind when none of them was public", () => {
    expect(fold([given("a"), given("b"), retired]).size).toBe(0);
    expect(
      fold([given("a"), approved("b"), retired])
        .keys()
        .toArray(),
    ).toEqual(["b"]);
  });

  it("are the same after a rebuild, which cannot read what is erased", () => {
    const live = fold([given("held"), approved("a"), given("b"), retired]);
    const blind: Step[] = [given("held"), retired, withdrawn, retired];
    expect(shown(fold(blind, [...live.values()]))).toEqual({ a: "gone", b: "gone" });
    expect(shown(fold(blind))).toEqual({});
  });

  it("of a restored log are older than each of its events", () => {
    const before = fold([withdrawn, withdrawn, withdrawn, withdrawn, approved("a")], [], "before");
    expect(shown(fold([retired], [...before.values()]))).toEqual({ a: "gone" });
  });
});
