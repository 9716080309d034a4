import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noHaproxy } from "#deploy/testing/haproxy.fixture.ts";
import { verifyLog } from "#event-store/audit-verify.ts";
import { openEventStore } from "#event-store/open-event-store.ts";
import { type EmptyEventStoreDB, emptyEventStoreDB } from "./support/event-store.ts";
import { expectCleanEnds, loseOneOfEach } from "./support/lose-one-of-each.ts";
import { type ManyProcesses, startManyProcesses } from "./support/many-processes.ts";
import { createRegistryClient, type RegistryClient } from "./support/registry-client.ts";
import { skipWhere } from "./support/skip-where.ts";

let log: EmptyEventStoreDB;
let registry: ManyProcesses;
let client: RegistryClient;

beforeAll(async () => {
  if (noHaproxy) return;
  log = await emptyEventStoreDB();
  registry = await startManyProcesses({ eventStoreUrl: log.url, openSearch: false });
  client = createRegistryClient(registry);
  console.log(`  EventStoreDB: ${log.name}; Redis: ${registry.servers.redis}`);
}, 600_000);
afterAll(async () => {
  await registry?.close();
  await log?.close();
});

describe("two processes of each service with their log in EventStoreDB", {
  timeout: 480_000,
}, () => {
  skipWhere(noHaproxy);
  const reports: string[] = [];

  it("process a report from its submission to its deletion", async () => {
    const id = await client.submitAndConfirm("rae@first.example");
    await client.signIn();
    const approved = await client.call("POST", `/prod/api/admin/reports/${id}/approve`, {
      body: {},
    });
    expect(approved.status).toBe(200);
    await client.finds("quin aimes", 1);
    const deleted = await client.call("DELETE", `/prod/api/admin/reports/${id}`, {
      body: { reason_code: "court_order" },
    });
    expect(deleted.status).toBe(200);
    await client.finds("ames", 0);
    reports.push(id);
  });

  it("lose one of each pair under load, but nothing they acknowledged", async () => {
    reports.push(...(await loseOneOfEach(registry, client)));
  });

  it("keep working with the survivors, which stop cleanly on a signal", async () => {
    // A busy machine may be late to report that the survivors are ready.
    await expect.poll(async () => (await fetch(`${registry.url}/readyz`)).status).toBe(200);
    await expectCleanEnds(registry, 5);
  });

  it("leave an intact log with each report in it exactly once", async () => {
    const store = await openEventStore(registry.eventStoreUrl);
    try {
      const { fault, events } = await verifyLog(store);
      expect(fault).toBeUndefined();
      expect(events).toBeGreaterThan(reports.length);
      const streams: string[] = [];
      for await (const { stream } of store.readAll(undefined, { types: ["ReportSubmitted"] }))
        streams.push(stream);
      expect(streams.toSorted()).toEqual(reports.map((id) => `report-${id}`).toSorted());
    } finally {
      await store.close();
    }
  });
});
