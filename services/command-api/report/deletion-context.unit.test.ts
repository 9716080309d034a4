import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { DELETIONS_MS, ERASE_HOURS } from "#contracts/report/reporter-rules.ts";
import { systemCaller } from "../kernel/envelope.ts";
import { type DeletionContextDeps, readDeletionContext } from "./deletion-quota.ts";

const NOW = "2026-11-28T12:00:00.000Z";
const [first, second] = [randomUUID(), randomUUID()];
const WAITS = { deletion: null, deletion_requested: "spam" } as ReportState;
const FREE = { deletion: null, deletion_requested: null } as ReportState;

/** What `deletionStanding` returns for `by` if `first` requested the deletion `agoMs` ago. */
function contextFor(
  by: string,
  {
    state = WAITS,
    agoMs = 0,
    admins = [first],
    hasQuota = true,
    shouldNotify = true,
  }: {
    state?: ReportState;
    agoMs?: number;
    admins?: string[];
    hasQuota?: boolean;
    shouldNotify?: boolean;
  } = {},
) {
  const time = new Date(Date.parse(NOW) - agoMs).toISOString();
  const handler = {
    lastOf: async () => ({ metadata: { actor: { id: first, role: "admin" }, time } }),
    history: async () => [],
  } as unknown as DeletionContextDeps["handler"];
  const caller = { ...systemCaller(NOW), actor: { id: by, role: "admin" } } as const;
  return readDeletionContext(randomUUID(), state, caller, {
    handler,
    quota: { take: async () => hasQuota, shouldNotify: async () => shouldNotify },
    settings: () => ({ eraseHours: ERASE_HOURS.default }) as never,
    admins: async () => admins,
  });
}

describe("a requested deletion", () => {
  it("waits for another admin, however long that takes", async () => {
    const admins = [first, second];
    expect(await contextFor(first, { admins, agoMs: 100 * DELETIONS_MS })).toMatchObject({
      isSecond: false,
      mayDeleteAlone: false,
      // They were emailed when it was requested.
      told: [],
    });
    expect(await contextFor(second, { admins })).toMatchObject({ isSecond: true });
  });

  it("waits an hour if there is no other admin", async () => {
    expect(await contextFor(first, { agoMs: DELETIONS_MS - 1 })).toMatchObject({
      mayDeleteAlone: false,
    });
    expect(await contextFor(first, { agoMs: DELETIONS_MS })).toMatchObject({
      mayDeleteAlone: true,
    });
    const late = { agoMs: DELETIONS_MS, hasQuota: false };
    expect(await contextFor(first, late)).toMatchObject({ mayDeleteAlone: false });
  });
});

it("a deletion within the quota needs no other admin", async () => {
  const state = FREE;
  expect(await contextFor(first, { state })).toMatchObject({ mayDeleteAlone: true });
  expect(await contextFor(first, { state })).toMatchObject({ told: [] });
  const over = { state, hasQuota: false, admins: [first, second] };
  expect(await contextFor(first, over)).toMatchObject({
    mayDeleteAlone: false,
    told: [first, second],
  });
  expect(await contextFor(first, { ...over, shouldNotify: false })).toMatchObject({ told: [] });
});
