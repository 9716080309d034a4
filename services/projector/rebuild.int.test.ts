import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { followLog, type LogSource } from "#event-store/follow-log.ts";
import { type EventStore, type StoredEvent, StoreUnavailable } from "#event-store/port.ts";
import { PROCESSORS } from "#read-model/tables/processor.ts";
import { forTest } from "#test-kit/for-file.ts";
import { eventually } from "#test-kit/reached-position.ts";
import {
  reportApproved,
  reportDeleted,
  reportErased,
  reportSubmitted,
} from "#test-kit/report-events.ts";
import type { Projection } from "./daemon/projection.ts";
import { rebuild } from "./rebuild.ts";
import { RebuildFailed } from "./rebuild-failed.ts";
import { expectRowsOfTheLog, foldLog, readTables } from "./testing/oracle.ts";
import { openFixture } from "./testing/projector.fixture.ts";

const fixture = forTest(openFixture);

async function schemas(): Promise<string[]> {
  const rows = await fixture.rows<{ name: string }>(
    `select nspname as name from pg_namespace where nspname ~ '_(next|old)$' order by 1`,
  );
  return rows.map(({ name }) => name);
}

const fill = (count: number) => fixture.fill(count, 7);

describe("a rebuild", () => {
  it("that is interrupted leaves the live tables unchanged, and can be restarted", async () => {
    const projector = await fixture.start();
    await fixture.reached(await fill(60));
    const before = await readTables((text) => fixture.rows(text));
    const cut = new Error("cut off");
    const attempt = fixture.rebuild(undefined, {
      batchSize: 20,
      onProgress: ({ events }) => {
        if (events < 60) return;
        // As with SIGKILL: the connections end and nothing is cleaned up.
        void fixture.rows(
          `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and application_name = 'projector rebuild'`,
        );
        throw cut;
      },
    });
    await expect(attempt).rejects.toThrow(cut);
    await fixture.rows("create schema if not exists reports_next");
    await fixture.rows("create table reports_next.leftover (x int)");
    await fixture.rows("create schema audit_old");
    expect(await readTables((text) => fixture.rows(text))).toEqual(before);
    expect(projector.health().every(({ state }) => state === "live")).toBe(true);
    await fixture.rebuild();
    expect(await readTables((text) => fixture.rows(text))).toEqual(before);
    expect(await schemas()).toEqual([]);
  });

  it("creates all indexes concurrently, without a time limit and without the pool's connections", async () => {
    const projector = await fixture.start();
    await fixture.reached(await fill(30));
    await projector.stop();
    const { stores, log } = fixture;
    const { pool } = stores;
    const rebuildable = stores.projections.filter((projection) => projection.rebuild);
    const names = rebuildable.map(({ name }) => name);
    const preparing: string[] = [];
    const limits: unknown[] = [];
    const allPreparing = Promise.withResolvers<void>();
    const held = allPreparing.promise.then(() =>
      Promise.all(Array.from({ length: pool.options.max }, () => pool.connect())),
    );
    const projections = rebuildable.map(
      (projection): Projection => ({
        ...projection,
        async rebuild(given) {
          const tables = await (projection.rebuild as NonNullable<Projection["rebuild"]>)(given);
          return {
            ...tables,
            async prepare(client) {
              preparing.push(projection.name);
              if (preparing.length === names.length) allPreparing.resolve();
              await held;
              await tables.prepare(client);
              const { rows } = await client.query<{ limit: string }>(
                "select current_setting('statement_timeout') as limit",
              );
              limits.push(rows[0]?.limit);
              if (limits.length === names.length) for (const each of await held) each.release();
            },
          };
        },
      }),
    );
    await rebuild({ ...stores, log }, projections);
    expect(preparing.toSorted()).toEqual(names.toSorted());
    expect(new Set(limits)).toEqual(new Set(["0"]));
    await expectRowsOfTheLog(fixture);
  });

  it("gives up on a log that is down for too long, and leaves the live tables unchanged", async () => {
    await fixture.start();
    await fixture.reached(await fill(30));
    const before = await readTables((text) => fixture.rows(text));
    const all = fixture.stores.store;
    let isAway = false;
    const source: LogSource = {
      async readAfter(position, limit) {
        if (isAway) throw new StoreUnavailable("the log is away");
        const read = { events: [] as StoredEvent[], position, caughtUp: false };
        for await (const event of all.readAll(position)) {
          if (event.position === position) continue;
          if (read.events.length === limit) return read;
          read.events.push(event);
          read.position = event.position;
        }
        return { ...read, caughtUp: true };
      },
      waitBeyond: async () => undefined,
    };
    const store: EventStore = {
      positions: all.positions,
      append: (...given) => all.append(...given),
      readStream: (...given) => all.readStream(...given),
      readAll: (...given) => all.readAll(...given),
      head: () => all.head(),
      close: () => all.close(),
      subscribeAll: (from, _filter, options) => followLog(source, from, options),
    };
    const warnings: string[] = [];
    const attempt = fixture.rebuild(undefined, {
      store,
      batchSize: 20,
      onProgress: () => {
        isAway = true;
      },
      warn: (sentence) => warnings.push(sentence),
      logWait: { warnAfterMs: 50, limitMs: 2_000 },
    });
    const failure = await attempt.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RebuildFailed);
    expect((failure as RebuildFailed).message).toMatch(
      /^no response from the event log for 2 seconds; .*EVENT_STORE_URL.* run the rebuild again$/,
    );
    expect(warnings[0]).toMatch(/^The event log is not responding. The rebuild will wait/);
    expect(await schemas()).toEqual([]);
    expect(await readTables((text) => fixture.rows(text))).toEqual(before);
    await fixture.rebuild();
    expect(await readTables((text) => fixture.rows(text))).toEqual(before);
  });

  it("keeps memory bounded with large events", async () => {
    const description = "x".repeat(600_000);
    for (let i = 0; i < 16; i += 1)
      await fixture.report(randomUUID(), [reportSubmitted({ personal: { description } })]);
    const seen: number[] = [];
    const onProgress = ({ events }: { events: number }) => seen.push(events);
    const { events } = await fixture.rebuild(["reports"], { onProgress });
    // The log is read in pages of four mebibytes, so there is more than one chunk.
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.at(-1)).toBe(events);
  });

  it("that loses its lock gives up, and leaves alone tables that may be another's", async () => {
    await fixture.start();
    await fixture.reached(await fill(60));
    const ended: Promise<unknown>[] = [];
    const attempt = fixture.rebuild(undefined, {
      batchSize: 20,
      onProgress: () => {
        if (ended.length === 0)
          ended.push(
            fixture.rows(
              `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
                   and (classid::bigint << 32) | objid::bigint = hashtextextended('rebuild:reports', 0)
                   and database = (select oid from pg_database where datname = current_database())`,
            ),
          );
      },
    });
    await expect(attempt).rejects.toThrow();
    expect(await Promise.all(ended)).toEqual([[{ pg_terminate_backend: true }]]);
    expect(await schemas()).toContain("reports_next");
    await fixture.rebuild();
    expect(await schemas()).toEqual([]);
  });

  it("leaves nothing that the projector's next start does not drop", async () => {
    await fixture.rows("create schema reports_next create table leftover (x int)");
    await fixture.rows("create schema search_old");
    const projector = await fixture.start();
    await projector.ready();
    await eventually("leftovers are dropped", async () => (await schemas()).length === 0);
  });

  it("of one processor does not affect the others", async () => {
    await fixture.start();
    await fixture.reached(await fill(5));
    await fixture.rows("delete from offenders.person");
    const { stores } = fixture;
    const report = await fixture.rebuild(["offenders"]);
    expect(report).toMatchObject({ processors: ["offenders"], events: 16 });
    expect(
      await fixture.rows(
        "select generation from processor.checkpoint where processor <> 'offenders'",
      ),
    ).toEqual(PROCESSORS.slice(1).map(() => ({ generation: 0 })));
    const expected = await foldLog(stores.store, stores.keys);
    expect(await fixture.rows("select * from offenders.person order by id")).toEqual(
      expected.persons,
    );
  });

  it("applies what was parked", async () => {
    await fixture.start();
    await fixture.rows("alter table reports.report add constraint poison check (title <> 'P')");
    await fixture.reached(
      await fixture.report(randomUUID(), [reportSubmitted({ personal: { title: "P" } })]),
    );
    expect(await fixture.rows("select 1 from processor.parked_stream")).toHaveLength(1);
    await fixture.rebuild(["reports"]);
    expect(await fixture.rows("select title from reports.report")).toEqual([{ title: "P" }]);
    expect(await fixture.rows("select 1 from processor.parked_stream")).toEqual([]);
    expect(await fixture.rows("select 1 from processor.parked_event")).toEqual([]);
  });

  it("fails on an event that cannot be applied, names it, and changes nothing", async () => {
    await fixture.start();
    await fixture.reached(await fill(3));
    const before = await readTables((text) => fixture.rows(text));
    const id = randomUUID();
    const position = await fixture.report(id, [reportSubmitted()]);
    await fixture.reached(position);
    await fixture.rows("alter table event_log.event disable trigger user");
    await fixture.rows(
      `update event_log.event
       set data = jsonb_set(data::jsonb, '{personal,box}', '"AAAA"')::text::json
       where stream = $1`,
      [streams.report(id)],
    );
    await expect(fixture.rebuild()).rejects.toThrow(
      `the event at ${position} of ${streams.report(id)} cannot be applied: SealBroken`,
    );
    expect(await schemas()).toEqual([]);
    expect((await readTables((text) => fixture.rows(text))).persons).toEqual(before.persons);
  });

  it("fails on a missing key, and parks nothing", async () => {
    const id = randomUUID();
    await fixture.report(id, [reportSubmitted()]);
    await fixture.rows("delete from keys.subject_key where subject = $1", [subjects.personal(id)]);
    await expect(fixture.rebuild()).rejects.toThrow(`the key ${subjects.personal(id)} is missing`);
    expect(await schemas()).toEqual([]);
  });

  it("needs the keys of accounts and failed sign-ins for the users' tables alone", async () => {
    const account = randomUUID();
    const blind = { email: "keyed hash" };
    const names = { email: "a@b.example", first_name: "A", last_name: "B", blind };
    await fixture.writer.append(streams.user(account), [
      { type: "AccountAdded", data: { role: "user", account: names } },
    ]);
    await fixture.writer.append(streams.security(randomUUID()), [
      { type: "SignInFailed", data: { cause: "unknown_account", security: { email: "x" } } },
    ]);
    await fixture.report(randomUUID(), [reportSubmitted()]);
    const lost = [subjects.account(account), subjects.security("2026-11")];
    const { length } = await fixture.rows(
      "delete from keys.subject_key where subject = any($1) returning 1",
      [lost],
    );
    expect(length).toBe(2);
    await expect(fixture.rebuild(["users"])).rejects.toThrow(
      `the key ${subjects.account(account)} is missing`,
    );
    await fixture.rebuild(PROCESSORS.filter((name) => name !== "users" && name !== "outbox"));
    const types = await fixture.rows("select event_type from audit.entry order by position");
    expect(types.map(({ event_type }: { event_type?: string }) => event_type)).toEqual(
      expect.arrayContaining(["AccountAdded", "SignInFailed", "ReportSubmitted"]),
    );
  });

  it("allows one run at a time, and refuses what cannot be rebuilt", async () => {
    await fixture.start();
    await fixture.reached(await fill(20));
    const results = await Promise.allSettled([
      fixture.rebuild(undefined, { batchSize: 5 }),
      fixture.rebuild(["reports", "audit"], { batchSize: 5 }),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await expect(fixture.rebuild(["outbox"])).rejects.toThrow("outbox cannot be rebuilt");
    expect(await fixture.rows("select count(*)::int as n from outbox.mail")).toEqual([{ n: 40 }]);
  });

  it("applies a deletion that happens while it runs", async () => {
    const id = randomUUID();
    await fixture.start();
    await fixture.report(id, [reportSubmitted(), reportApproved()]);
    await fixture.reached(await fill(30));
    let deletion: Promise<string> | undefined;
    await fixture.rebuild(undefined, {
      batchSize: 10,
      onProgress: () => {
        deletion ??= fixture.report(id, [reportDeleted(), reportErased()]);
      },
    });
    await fixture.reached((await deletion) ?? "");
    expect(await fixture.rows("select 1 from reports.report where id = $1", [id])).toEqual([]);
    expect(await fixture.rows("select 1 from search.documents where id = $1", [id])).toEqual([]);
    await expectRowsOfTheLog(fixture);
  });
});
