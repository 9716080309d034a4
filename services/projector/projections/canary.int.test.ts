import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import type { ReportField } from "#contracts/report/catalogue.ts";
import { fieldsWhere } from "#contracts/report/derive/fields.ts";
import { visibility } from "#contracts/report/derive/visibility.ts";
import { CANARIES, canaryWord, ITEM_CANARIES } from "#test-kit/canaries.ts";
import { forFile } from "#test-kit/for-file.ts";
import { eventually } from "#test-kit/reached-position.ts";
import {
  reportApproved,
  reportDeleted,
  reportEdited,
  reportErased,
  reportRejected,
  reportSubmitted,
  verificationResent,
} from "#test-kit/report-events.ts";
import { openFixture } from "../testing/projector.fixture.ts";

const fixture = forFile(() => openFixture());

beforeAll(async () => {
  await (await fixture.start()).ready();
});

const ID = randomUUID();

/** Fields of a part whose values are typed. */
const typed = (part: "personal" | "reporter") =>
  fieldsWhere((row) => row.part === part && row.kind !== "choice");
const PERSONAL = typed("personal");
const REPORTER = typed("reporter");

/** A few digits, such as those of a card, can also occur in random ids and keys, so a word replaces them. */
const wordOf = (field: ReportField) => CANARIES[field] ?? canaryWord(field);
const valuesOf = (fields: readonly ReportField[]) =>
  Object.fromEntries(fields.map((field) => [field, wordOf(field)]));

/** Values inside the additional chargebacks, and values that belong to no field. */
const BESIDE = [...Object.values(ITEM_CANARIES), "198.51.100.23", "CanaryAgentQzx/1.0"];

/** Reads every value of every table in the database, except those of the log and the keys. */
async function everything(): Promise<string> {
  const tables = await fixture.rows<{ name: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema', 'event_log', 'keys')`,
  );
  expect(tables.length).toBeGreaterThan(12);
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await fixture.rows<{ text: string }>(`select t::text as text from ${name} t`);
    texts.push(...rows.map(({ text }) => `${name} ${text}`));
  }
  return texts.join("\n").toLowerCase();
}

async function found(values: readonly string[]): Promise<string[]> {
  const text = await everything();
  return values.filter((value) => text.includes(value.toLowerCase()));
}

const shown = (field: ReportField) => visibility[field].moderator === "clear";

describe("hidden data", () => {
  it("is in no table, whatever happens to the report", async () => {
    const client = { ip: "198.51.100.23", user_agent: "CanaryAgentQzx/1.0" };
    const submitted = reportSubmitted({
      clear: { chargebacks: [{ amount_cents: 1 }] },
      personal: {
        ...valuesOf(PERSONAL),
        chargebacks: [ITEM_CANARIES],
      },
      reporter: valuesOf(REPORTER),
      blind: { email: ["keyed-hash"] },
    });
    await fixture.report(ID, [submitted], { client });
    await fixture.report(ID, [verificationResent()], { client });
    // The same values again, in an edit.
    const edit = reportEdited({
      personal: { set: valuesOf(PERSONAL), slug: "canary-slug", blind: { email: ["keyed-hash"] } },
      reporter: { set: valuesOf(REPORTER) },
    });
    await fixture.report(ID, [reportRejected("CanaryReasonQzx")], { client });
    await fixture.report(ID, [reportApproved("rejected")], { client });
    const position = await fixture.report(ID, [edit], { client });
    await fixture.reached(position);

    const all = [...PERSONAL, ...REPORTER];
    const open = all.filter(shown).map(wordOf);
    const kept = [...all.filter((field) => !shown(field)).map(wordOf), ...BESIDE];
    expect(kept.length).toBeGreaterThan(15);
    // The search finds public values, so the test would notice if it found hidden ones.
    expect((await found(open)).toSorted()).toEqual(open.toSorted());
    expect(await found(kept)).toEqual([]);
    for (const line of fixture.logged)
      for (const value of [...open, ...kept]) expect(line).not.toContain(value);
  });

  it("is gone with the report, and no rebuild restores it", async () => {
    const everywhere = [
      ...[...PERSONAL, ...REPORTER].map(wordOf),
      ...BESIDE,
      "CanaryReasonQzx",
      "canary-slug",
      "keyed-hash",
    ];
    expect((await found(everywhere)).length).toBeGreaterThan(5);
    await fixture.reached(await fixture.report(ID, [reportDeleted(), reportErased()]));
    expect(await found(everywhere)).toEqual([]);
    await eventually("the keys are destroyed", async () => {
      const keys = await fixture.stores.keys.get([`personal-${ID}`, `reporter-${ID}`]);
      return [...keys.values()].every(({ state }) => state === "destroyed");
    });
    await fixture.rebuild();
    expect(await found(everywhere)).toEqual([]);
    expect(await fixture.rows("select 1 from reports.deleted_report")).toHaveLength(1);
    expect(
      await fixture.rows("select count(*)::int as n from audit.entry where stream = $1", [
        streams.report(ID),
      ]),
    ).toEqual([{ n: 7 }]);
  });
});
