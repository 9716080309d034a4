import { describe, expect, it } from "vitest";
import { type Facet, idRange, rangesOf } from "./audit-sources.ts";

const ID = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

const facet = (command: string, actor_role: string, stream_kind = "report"): Facet => ({
  event_type: `${command}d`,
  command,
  actor_role,
  status: "success",
  stream_kind,
  entries: 1,
});
const submit = facet("SubmitReport", "visitor");
const approve = facet("ApproveReport", "admin");
const reject = facet("RejectReport", "admin");
const start = facet("StartLog", "system", "log");

const NAMES: Readonly<Record<string, string[]>> = { dana: ["a", "b"], ruiz: ["b"], app: ["c"] };
const found = (...words: string[]) =>
  rangesOf([submit, approve, reject, start], words, (word) => NAMES[word] ?? []);

describe("IDs in an audit log search", () => {
  it("are complete or at least eight digits, in any case, with or without the stream's kind", () => {
    expect(idRange(ID.toUpperCase())).toEqual({ first: ID, last: ID });
    expect(idRange("1b9d6bcd-bb")).toEqual({
      first: "1b9d6bcd-bb00-0000-0000-000000000000",
      last: "1b9d6bcd-bbff-ffff-ffff-ffffffffffff",
    });
    expect(idRange(`Report-${ID}`)).toEqual({ kind: "report", first: ID, last: ID });
  });

  it.each([
    "",
    "1b9d6bc",
    "report-",
    "report-1b9d6bc",
    "reports-1b9d6bcd",
    "1b9d6bcdbbfd",
    "1b9d6bcd-bbfd4",
    `${ID}0`,
    "1b9d6bcx",
    "%",
  ])("are not %j", (word) => {
    expect(idRange(word)).toBeUndefined();
  });
});

describe("ranges of an audit log search", () => {
  it("are the facets that contain every word, in any case", () => {
    expect(found()).toHaveLength(4);
    expect(found("REPORT")).toEqual([submit, approve, reject].map((of) => ({ facet: of })));
    expect(found("report", "visit")).toEqual([{ facet: submit }]);
    expect(found("report-")).toHaveLength(3);
    expect(found("log", "system")).toEqual([{ facet: start }]);
    expect(found("log-")).toEqual([]);
    expect(found("%")).toEqual([]);
  });

  it("are limited to the accounts named by every word that the facet lacks", () => {
    expect(found("dana")).toEqual(
      [approve, reject].flatMap((of) => ["a", "b"].map((actor_id) => ({ facet: of, actor_id }))),
    );
    expect(found("dana", "ruiz", "reject")).toEqual([{ facet: reject, actor_id: "b" }]);
    expect(found("dana", "app")).toEqual([
      { facet: approve, actor_id: "a" },
      { facet: approve, actor_id: "b" },
    ]);
  });

  it("are empty for a name combined with an action that person cannot perform", () => {
    expect(found("dana", "submit")).toEqual([]);
  });
});
