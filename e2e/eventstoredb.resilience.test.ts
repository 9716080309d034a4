import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyLog } from "#event-store/audit-verify.ts";
import { StandInServer } from "#event-store/eventstoredb/testing/stand-in-server.ts";
import { createLogger } from "#runtime/log.ts";
import { composeCommandApi } from "#services/command-api/composition.ts";
import { composeProjector } from "#services/projector/composition.ts";
import { freshDatabase } from "#test-kit/database.ts";
import { IN_PROCESS } from "./support/config.ts";
import { type System, startSystem } from "./support/in-process.ts";
import { approve, chargeback, submit } from "./support/reports.ts";

/** The services with their log behind the EventStoreDB adapter, on a stand-in for the server. */
describe("the registry with its log in EventStoreDB", { timeout: 60_000 }, () => {
  const server = new StandInServer();
  let system: System;
  beforeAll(async () => {
    await server.start();
    system = await startSystem({ eventStoreUrl: server.url });
  }, 120_000);
  afterAll(async () => {
    await system?.close();
    server.kill();
  });

  const search = async (name: string) => {
    const answer = await system.read(`/prod/api/reports/search?q=${encodeURIComponent(name)}`);
    return answer.json().data.total;
  };

  it("processes a report from its submission to its deletion", async () => {
    const id = await submit(system);
    expect(await search("Quinn Ames")).toBe(0);
    const admin = { as: "admin" } as const;
    const verified = await system.call("POST", `/prod/api/admin/reports/${id}/verify`, {
      ...admin,
      body: {},
    });
    expect(verified.statusCode).toBe(200);
    await approve(system, id);
    expect(await search("Quinn Ames")).toBe(1);
    const history = await system.read(`/prod/api/admin/reports/${id}/history`, "auditor");
    const { events } = history.json().data;
    expect(events.map((event: { revision: number }) => event.revision)).toEqual([0, 1, 2]);
    const positions = events.map((event: { position: string }) => event.position);
    expect(positions).toEqual(positions.toSorted());

    const deleted = await system.call("DELETE", `/prod/api/admin/reports/${id}`, {
      ...admin,
      body: { reason_code: "other" },
    });
    expect(deleted.statusCode).toBe(200);
    expect(await search("Quinn Ames")).toBe(0);
  });

  it("rebuilds its read models, and verifies its log", async () => {
    const id = await submit(system, { ...chargeback, last_name: "Amesbury" });
    await approve(system, id);
    expect(await search("Quinn Amesbury")).toBe(1);
    await system.rebuild();
    expect(await search("Quinn Amesbury")).toBe(1);
    const { fault, events } = await verifyLog(system.commandApi.store);
    expect(fault).toBeUndefined();
    expect(events).toBeGreaterThan(8);
  });

  it("resumes after a server outage: everything acknowledged is stored exactly once", async () => {
    const before = await submit(system, { ...chargeback, last_name: "Before" });
    server.kill();
    const headers = { "idempotency-key": "submitted-while-the-server-was-away" };
    const body = { ...chargeback, last_name: "During" };
    const away = await system.call("POST", "/prod/api/reports/submit", { body, headers });
    expect(away.statusCode).toBe(503);
    await server.start();
    const again = async () => system.call("POST", "/prod/api/reports/submit", { body, headers });
    let answer = await again();
    while (answer.statusCode === 503) answer = await again();
    const during = answer.json().data.id;
    expect((await again()).json().data.id).toBe(during);
    for (const id of [before, during]) await approve(system, id);
    for (const name of ["Quinn Before", "Quinn During"]) expect(await search(name)).toBe(1);
    const created = server.log.records.filter(({ type }) => type === "ReportSubmitted");
    expect(created.map(({ stream }) => stream)).toContain(`report-${during}`);
    expect(new Set(created.map(({ stream }) => stream)).size).toBe(created.length);
  });

  it("stops processors whose checkpoints belong to another log, and says why", async () => {
    const [one, other] = [new StandInServer(), new StandInServer()];
    const database = await freshDatabase();
    const log = createLogger({ name: "test", level: "silent" });
    const onLog = (eventStoreUrl: string) => ({
      ...IN_PROCESS,
      databaseUrl: database.url,
      eventStoreUrl,
      keysUrl: database.url,
      searchUrl: database.url,
      masterKeys: [system.masterKey],
      filesUrl: "file:///nothing/is/stored",
    });
    try {
      for (const { server, state } of [
        { server: one, state: "live" },
        { server: other, state: "stopped" },
      ] as const) {
        await server.start();
        const config = onLog(server.url);
        // command-api starts the log.
        const commandApi = await composeCommandApi(config, log);
        const projector = await composeProjector(config, { log });
        await projector.start();
        while (!projector.health().every((processor) => processor.state === state))
          await new Promise((resolve) => setImmediate(resolve));
        const codes = new Set(projector.health().map(({ stop }) => stop?.code));
        expect([...codes]).toEqual([state === "live" ? undefined : "epoch"]);
        await projector.stop();
        await commandApi.stop();
      }
    } finally {
      for (const each of [one, other]) each.kill();
      await database.drop();
    }
  });
});
