import { describe, expect, it } from "vitest";
import { ADMIN_INQUIRIES } from "#contracts/http/admin-inquiries.ts";
import { ADMIN_MAILS } from "#contracts/http/admin-mails.ts";
import { ADMIN_NOTICES } from "#contracts/http/admin-notices.ts";
import { ADMIN_DOCUMENTS, ADMIN_PAYMENTS } from "#contracts/http/documents.ts";
import { afterRow, type KeysetList } from "#contracts/http/keyset.ts";
import { besideRow, PLACE, placeOf } from "#contracts/http/list-place.ts";
import { forFile } from "#test-kit/for-file.ts";
import { formatPlace } from "./sitemap/sitemap.routes.ts";
import { startQueryApi } from "./testing/query-api.fixture.ts";

const ID = "7f3a9c21-b0aa-4111-8111-111111111111";
const TIME = "2026-05-01T10:00:00.123Z";

interface Cursor {
  readonly parameter: string;
  /** Writes one as the list does, for a row with this time. */
  readonly write: (at: string) => string;
}

const after = (list: KeysetList, id = ID): Cursor => ({
  parameter: "after",
  write: (at) => afterRow({ at, id }, list),
});
const beside = (of: string): Cursor => ({
  parameter: PLACE,
  write: (key) => besideRow("after", placeOf({ of, key, id: ID })),
});

/** Lists whose cursors contain a time. */
const TIMED: Readonly<Record<string, Cursor>> = {
  [ADMIN_DOCUMENTS]: after("documents"),
  [ADMIN_INQUIRIES]: after("inquiries"),
  [ADMIN_MAILS]: after("mails", `mail-${ID}`),
  [ADMIN_NOTICES]: after("notices"),
  [ADMIN_PAYMENTS]: after("payments"),
  "/prod/admin/reports": beside("reports created_at"),
  "/prod/admin/users": beside("users created_at"),
  "/prod/api/sitemap/reports": { parameter: "after", write: (at) => formatPlace({ at, id: ID }) },
};
/** The audit log's cursors contain a position. */
const PLACED: Readonly<Record<string, Cursor>> = {
  ...TIMED,
  "/prod/admin/audit-logs": beside("audit-logs timestamp"),
};
/** Lists whose cursors are signed: no one else can create them. */
const SIGNED = [
  "/prod/api/habitual-offenders/all",
  "/prod/api/reports/search",
  "/prod/api/account/reports",
];
const CURSORS = ["after", PLACE, "page"];

const NO_TIMES = [
  "2026-99-01T10:00:00.123Z",
  "2026-02-30T10:00:00.123Z",
  "2026-05-01T25:00:00.123Z",
  "0000-05-01T10:00:00.123Z",
  "275760-05-01T10:00:00.123Z",
  "+275760-05-01T10:00:00.123Z",
];

const service = forFile(() => startQueryApi());

const read = (path: string, parameter: string, cursor: string) =>
  service.get(`${path}?${parameter}=${encodeURIComponent(cursor)}`, { as: "admin" });

async function expectRefused(path: string, parameter: string, cursor: string): Promise<void> {
  const reply = await read(path, parameter, cursor);
  const { code, fields } = reply.json().error ?? {};
  expect([cursor.slice(0, 100), reply.statusCode, code, Object.keys(fields ?? {})]).toEqual([
    cursor.slice(0, 100),
    400,
    "invalid_request",
    [parameter],
  ]);
}

describe("the cursor of a list", () => {
  it("is tested here for each list that has one", async () => {
    const { paths } = (await service.get("/openapi.json")).json();
    type Parameter = { readonly name: string; readonly schema: { readonly type?: string } };
    const found = Object.entries<{ get?: { parameters?: readonly Parameter[] } }>(paths)
      .filter(([, { get }]) =>
        get?.parameters?.some(
          ({ name, schema }) => CURSORS.includes(name) && schema.type === "string",
        ),
      )
      .map(([path]) => path);
    expect(found.toSorted()).toEqual([...Object.keys(PLACED), ...SIGNED].toSorted());
  });

  it.each(Object.entries(TIMED))(
    "is rejected with a time that does not exist: %s",
    async (path, { parameter, write }) => {
      expect((await read(path, parameter, write(TIME))).statusCode).toBe(200);
      for (const at of NO_TIMES) await expectRefused(path, parameter, write(at));
    },
  );

  it.each(Object.entries(PLACED))(
    "is rejected by every other list: %s",
    async (path, { parameter }) => {
      for (const [other, { write }] of Object.entries(PLACED))
        if (other !== path) await expectRefused(path, parameter, write(TIME));
    },
  );

  it.each([
    ...Object.entries(PLACED).map(
      ([path, { parameter, write }]) => [path, parameter, write(TIME)] as const,
    ),
    ...SIGNED.map((path) => [path, "page", "AAAA"] as const),
  ])("is rejected with a NUL, or with 10 kB: %s", async (path, parameter, cursor) => {
    for (const changed of [
      "\0",
      `${cursor}\0`,
      `\0${cursor}`,
      cursor + "x".repeat(10_000),
      "x".repeat(10_000),
    ])
      await expectRefused(path, parameter, changed);
  });

  it("is rejected in another order of the same list", async () => {
    const cursor = besideRow("after", placeOf({ of: "reports amount", key: "5", id: ID }));
    await expectRefused("/prod/admin/reports", PLACE, cursor);
    const sorted = `/prod/admin/reports?sort=${encodeURIComponent('["last_name","ASC"]')}`;
    const reply = await service.get(`${sorted}&${PLACE}=${encodeURIComponent(cursor)}`, {
      as: "admin",
    });
    expect(reply.statusCode).toBe(400);
  });
});
