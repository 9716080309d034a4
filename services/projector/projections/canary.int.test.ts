import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { visibility } from "#contracts/report/derive/visibility.ts";
import { eventually } from "#test-kit/reached-position.ts";
import {
  reportApproved,
  reportDeleted,
  reportEdited,
  reportRejected,
  reportSubmitted,
  verificationResent,
} from "#test-kit/report-events.ts";
import { rebuild } from "../rebuild.ts";
import { openFixture, type ProjectorFixture } from "../testing/projector.fixture.ts";

let fixture: ProjectorFixture;

beforeAll(async () => {
  fixture = await openFixture();
  await (await fixture.start()).ready();
});
afterAll(() => fixture.close());

const ID = randomUUID();

/** A word that stands nowhere else; of letters only, so that no mask lets a part of it through. */
function canary(field: string): string {
  return `Canary${[...field.replace(/[^a-z]/g, "")].toReversed().join("")}Qzx`;
}

/**
 * Digits that stand nowhere else, for fields that are masked as numbers. A few digits, as a card
 * has them, also turn up in random ids and keys: those fields hold words.
 */
const DIGITS: Record<string, string> = {
  phone: "+1 303 777 1357",
  bank_routing: "918273645",
  bank_account: "564738291024",
  check_number: "83746519",
  zip: "83746-1928",
  ip_address: "203.0.113.77",
  reporter_phone: "+1 212 888 2468",
};

const PERSONAL = [
  "first_name",
  "last_name",
  "title",
  "description",
  "email",
  "phone",
  "item_purchased",
  "tracking_number",
  "ip_address",
  "street_address",
  "city",
  "zip",
  "notes",
  "first_6",
  "last_4",
  "check_number",
  "bank_name",
  "bank_routing",
  "bank_account",
];
const REPORTER = [
  "reporter_first_name",
  "reporter_last_name",
  "reporter_email",
  "reporter_phone",
  "reporter_company_name",
  "public_username",
];

function wordOf(field: string): string {
  if (field.endsWith("email")) return `${canary(field)}@${canary(field)}.example`;
  return DIGITS[field] ?? canary(field);
}

const valuesOf = (fields: readonly string[]) =>
  Object.fromEntries(fields.map((field) => [field, wordOf(field)]));

/** Values of what stands inside the additional chargebacks, and of what is nobody's field. */
const BESIDE = ["CanaryOrderIdQzx", "CanaryItemNotesQzx", "198.51.100.23", "CanaryAgentQzx/1.0"];

/** Every value of every table of the database, but for the log and the keys. */
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

const shown = (field: string) => visibility[field as keyof typeof visibility].moderator === "clear";

describe("what is kept back", () => {
  it("stands in no table, whatever happens to the report", async () => {
    for (const field of [...PERSONAL, ...REPORTER]) expect(visibility).toHaveProperty(field);
    const client = { ip: BESIDE[2] ?? "", user_agent: BESIDE[3] ?? "" };
    const submitted = reportSubmitted({
      clear: { chargebacks: [{ amount_cents: 1 }] },
      personal: {
        ...valuesOf(PERSONAL),
        chargebacks: [{ order_id: BESIDE[0] ?? "", notes: BESIDE[1] ?? "" }],
      },
      reporter: valuesOf(REPORTER),
      blind: { email: ["keyed-hash"] },
    });
    await fixture.report(ID, [submitted], { client });
    await fixture.report(ID, [verificationResent()], { client });
    // The same values once more, as an edit.
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
    // The search sees what it should: what is shown is there.
    expect((await found(open)).toSorted()).toEqual(open.toSorted());
    expect(await found(kept)).toEqual([]);
    for (const line of fixture.logged)
      for (const value of [...open, ...kept]) expect(line).not.toContain(value);
  });

  it("is gone with the report, shown or not, and no rebuild brings it back", async () => {
    const everywhere = [
      ...[...PERSONAL, ...REPORTER].map(wordOf),
      ...BESIDE,
      "CanaryReasonQzx",
      "canary-slug",
      "keyed-hash",
    ];
    expect((await found(everywhere)).length).toBeGreaterThan(5);
    await fixture.reached(await fixture.report(ID, [reportDeleted()]));
    expect(await found(everywhere)).toEqual([]);
    await eventually("the keys are destroyed", async () => {
      const keys = await fixture.stores.keys.get([`personal-${ID}`, `reporter-${ID}`]);
      return [...keys.values()].every(({ state }) => state === "destroyed");
    });
    const { stores, log } = fixture;
    const rebuildable = stores.projections.filter((projection) => projection.rebuild);
    await rebuild({ ...stores, log }, rebuildable);
    expect(await found(everywhere)).toEqual([]);
    expect(await fixture.rows("select 1 from reports.deleted_report")).toHaveLength(1);
    expect(
      await fixture.rows("select count(*)::int as n from audit.entry where stream = $1", [
        streams.report(ID),
      ]),
    ).toEqual([{ n: 6 }]);
  });
});
