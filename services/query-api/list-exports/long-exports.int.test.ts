import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { Type } from "typebox";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LIST_EXPORT_ROWS, X_EXPORT_TICKET } from "#contracts/http/list-exports.ts";
import { TOKEN_LIFE, type TokenSubject } from "#http/auth.ts";
import type { ServiceInstance } from "#http/service.ts";
import { createTestService, type TestAccounts } from "#http/testing/test-service.ts";
import { type ListExportSeals, listExportSeals } from "#vault/links/list-export.ts";
import { createMemoryKeyStore } from "#vault/testing/memory-key-store.ts";
import { type ExportedList, serveExports } from "./list-exports.routes.ts";

const HANGS = "/hangs";
const subject: TokenSubject = {
  id: "6f1c2d34-1111-4222-8333-444455556666",
  role: "admin",
  tokenVersion: 3,
  sessionId: "6f1c2d34-5555-4666-8777-888899990000",
};

/** A list of two pages with one row each, which a test releases. */
class SlowList implements ExportedList {
  readonly columns = ["id"];
  /** Cursors of the requested pages. */
  readonly asked: (string | undefined)[] = [];
  readonly #released = Promise.withResolvers<void>();

  release(): void {
    this.#released.resolve();
  }
  async count() {
    return { rows: 2, first: "first" };
  }
  async page(_filter: unknown, { from }: { from: string | undefined }) {
    this.asked.push(from);
    await this.#released.promise;
    return from === "first"
      ? { rows: [{ id: "row-1" }], next: "second" }
      : { rows: [{ id: "row-2" }] };
  }
}

let app: ServiceInstance;
let accounts: TestAccounts;
let seals: ListExportSeals;
let list: SlowList;
let origin: string;
beforeEach(async () => {
  ({ app, accounts } = await createTestService({ handlerTimeoutMs: 100 }));
  seals = listExportSeals(await createMemoryKeyStore().liveKey("positions"));
  list = new SlowList();
  const lists = { reports: list, users: list, audit: list, analytics: list };
  const freshness = { waitFor: () => async () => undefined };
  serveExports(app, lists, { seals, freshness, accounts });
  const config = { roles: ["visitor"], limit: "read" } as const;
  const schema = { tags: ["system"], summary: "Never answers", response: { 200: Type.Any() } };
  app.get(HANGS, { config, schema }, () => new Promise<never>(() => undefined));
  accounts.rows.set(subject.id, { ...subject, active: true });
  await app.listen({ port: 0, host: "127.0.0.1" });
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  vi.useRealTimers();
  list.release();
  await app.close();
});

/** Starts an export whose first page is requested but not yet available. */
async function begin() {
  const ticket = seals.ticket.seal({
    accountId: subject.id,
    list: "users",
    filter: {},
    rows: 2,
    first: "first",
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
    exportId: randomUUID(),
    format: "csv",
  });
  const { token } = app.tokens.issue(subject);
  const headers = { authorization: `Bearer ${token}`, [X_EXPORT_TICKET]: ticket };
  const response = await fetch(origin + LIST_EXPORT_ROWS, { headers });
  expect(response.status).toBe(200);
  await expect.poll(() => list.asked).toEqual(["first"]);
  return response;
}

/** Reads until the end. `isWhole` is whether the export itself ended it. */
async function readAll(response: Response): Promise<{ text: string; isWhole: boolean }> {
  let text = "";
  try {
    for await (const bytes of response.body ?? []) text += Buffer.from(bytes).toString();
    return { text, isWhole: true };
  } catch {
    return { text, isWhole: false };
  }
}

it("completes even though it takes longer than other requests may", async () => {
  const response = await begin();
  // It started later, and has already timed out.
  expect((await fetch(origin + HANGS)).status).toBe(503);
  list.release();
  expect(await readAll(response)).toEqual({
    text: "\u{feff}id\r\nrow-1\r\nrow-2\r\n",
    isWhole: true,
  });
});

it.each<[string, Partial<TokenSubject & { active: boolean }>]>([
  ["is banned", { active: false }],
  ["gets another role", { role: "auditor" }],
  ["has all its sessions ended", { tokenVersion: 4 }],
  ["is signed out", { sessionId: randomUUID() }],
])("breaks off before the next page if its account %s", async (_what, change) => {
  const response = await begin();
  accounts.rows.set(subject.id, { ...subject, active: true, ...change });
  list.release();
  const { text, isWhole } = await readAll(response);
  expect(isWhole).toBe(false);
  expect(text).not.toContain("row-2");
  expect(list.asked).toEqual(["first"]);
});

it("continues after its token expires", async () => {
  const response = await begin();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + (TOKEN_LIFE + 1) * 1000 });
  list.release();
  expect(await readAll(response)).toMatchObject({ isWhole: true });
});
