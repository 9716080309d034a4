import { beforeAll, describe, expect, it } from "vitest";
import { SEARCH_SORTS } from "#contracts/http/search-messages.ts";
import { REPORT_FIELDS } from "#contracts/report/derive/fields.ts";
import { visibility } from "#contracts/report/derive/visibility.ts";
import { CANARIES, ITEM_CANARIES } from "#test-kit/canaries.ts";
import { forFile } from "#test-kit/for-file.ts";
import {
  badCheckWithCanaries,
  chargebackWithCanaries,
  found,
  hiddenCanaries,
} from "./support/canaries.ts";
import { type Role, startSystem } from "./support/in-process.ts";
import { chargeback, submit } from "./support/reports.ts";

const HIDDEN = REPORT_FIELDS.filter((field) => visibility[field].public !== "clear");
/** Values that the public sees masked or not at all, as submitted. */
const VALUES = [
  ...HIDDEN.flatMap((field) => CANARIES[field] ?? []),
  ...Object.values(ITEM_CANARIES),
  chargeback.zip,
];
const READERS = ["visitor", "user"] as const;

const system = forFile(() => startSystem());
beforeAll(async () => {
  await publish({ ...chargebackWithCanaries, first_name: "Quinn", last_name: "Ames" });
  await publish({ ...badCheckWithCanaries, first_name: "Quinn", last_name: "Ames" });
});

async function publish(report: object): Promise<string> {
  const id = await submit(system, report);
  const url = `/prod/api/admin/reports/${id}/approve`;
  expect((await system.call("POST", url, { as: "admin", body: {} })).statusCode).toBe(200);
  return id;
}

const search = (query: Readonly<Record<string, string>>, as: Role) =>
  system.read(`/prod/api/reports/search?${new URLSearchParams(query)}`, as);

/** Returns a value whole, in parts, with operators of other search languages, and beside the name it belongs to. */
function guesses(value: string): string[] {
  const words = value.split(/[^\w]+/).filter((word) => word.length > 1);
  const digits = digitsOf(value);
  const parts = [value, value.slice(0, -1), value.slice(1), value.slice(0, value.length / 2)];
  const signs = [`${value}*`, `%${value}%`, `"${value}"`, `email:${value}`];
  return [
    ...new Set([
      ...parts,
      ...words,
      ...signs,
      ...(digits.length > 3 ? [digits, digits.slice(-4)] : []),
    ]),
  ].flatMap((guess) => [guess, `Quinn Ames ${guess}`]);
}

const digitsOf = (text: string) => text.replace(/\D/g, "");
/**
 * Whether a confirmed account, whose searches are counted, may search by it: a full email address or phone number
 * of the reported person. Beside a name, the name is found whatever the contact is.
 */
function isAllowed(q: string): boolean {
  const isContact = /@.+\./.test(q) || digitsOf(q).length > 8;
  if (isContact && q.startsWith("Quinn Ames")) return true;
  const phone = digitsOf(CANARIES.phone);
  return q.includes(CANARIES.email) || [phone, phone.slice(1)].includes(digitsOf(q));
}

describe("a masked or hidden value of a public report", () => {
  it.each(READERS)("can't be found by a %s, whole or in part", async (as) => {
    // Proves that a search by public values finds the reports.
    expect((await search({ q: "Quinn Ames" }, as)).json().data.total).toBe(2);
    const said: string[] = [];
    const tried = [...new Set(VALUES.flatMap(guesses))];
    const tryOne = async (q: string) => {
      if (as === "user" && isAllowed(q)) return;
      const answer = await search({ q }, as);
      if (answer.json().data?.total !== 0 && answer.statusCode !== 403)
        said.push(`${q}: ${answer.body}`);
    };
    // A busy machine does not answer all of them concurrently.
    while (tried.length > 0) await Promise.all(tried.splice(0, 20).map(tryOne));
    expect(said).toEqual([]);
  });

  it("affects neither the order of the results nor the content of a page token", async () => {
    const low = {
      email: "a@a.example",
      phone: "(201) 555-0100",
      zip: "00001",
      street_address: "A",
    };
    const high = {
      email: "z@z.example",
      phone: "(989) 555-0199",
      zip: "99999",
      street_address: "Z",
    };
    const ids: string[] = [];
    for (const [last_name, hidden] of [
      ["Tieone", low],
      ["Tieone", high],
      ["Tietwo", high],
      ["Tietwo", low],
    ] as const)
      ids.push(await publish({ ...chargeback, last_name, ...hidden }));
    for (const sort of Object.keys(SEARCH_SORTS)) {
      const order = async (q: string) =>
        (await search({ q, sort }, "visitor"))
          .json()
          .data.reports.map(({ id }: { id: string }) => ids.indexOf(id) % 2);
      const [one, two] = [await order("Tieone"), await order("Tietwo")];
      expect([sort, one]).toEqual([sort, two]);
      expect(one).toHaveLength(2);
    }
    for (const sort of Object.keys(SEARCH_SORTS)) {
      const { next } = (await search({ q: "Quinn", sort, size: "1" }, "visitor")).json().data;
      expect(found(Buffer.from(next, "base64url").toString("latin1"), hiddenCanaries)).toEqual([]);
    }
  });
});
