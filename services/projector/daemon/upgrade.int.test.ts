import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { chainEvents } from "#event-store/batch.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { PROCESSORS } from "#read-model/tables/processor.ts";
import { forTest } from "#test-kit/for-file.ts";
import { eventually } from "#test-kit/reached-position.ts";
import {
  reportDeleted,
  reportErased,
  reportSubmitted,
  verifiedByLink,
} from "#test-kit/report-events.ts";
import type { RegistryCodec, SealedEvent } from "#vault/sealing/event-codec.ts";
import type { Projector } from "../composition.ts";
import { rebuild, rebuildLock } from "../rebuild.ts";
import { expectRowsOfTheLog } from "../testing/oracle.ts";
import { FAST, openFixture } from "../testing/projector.fixture.ts";
import { LayoutUpgrade } from "./layout-upgrade.ts";
import { Processor } from "./processor.ts";

const fixture = forTest(openFixture);

const fill = (count: number) => fixture.fill(count, 3);

/** Makes the report tables and the search index look like those of an earlier version. */
async function setBack(): Promise<void> {
  await fixture.rows("comment on schema reports is 'layout 0'");
  await fixture.rows("alter table reports.report drop column title cascade");
  await fixture.rows("update search.meta set matching_version = 0");
}

const rebuilt = () =>
  fixture.logged.flatMap((line) => {
    const { msg, processor } = JSON.parse(line);
    return msg === "new tables are live" ? [processor] : [];
  });

const stateOf = (projector: Projector, name: string) =>
  projector.health().find(({ processor }) => processor === name)?.state;

describe("tables of an earlier version", () => {
  it("are rebuilt automatically by one of two processes, while the other waits", async () => {
    const before = await fixture.start();
    await fixture.reached(await fill(12));
    await before.stop();
    await setBack();
    const both = await Promise.all([fixture.start(), fixture.start()]);
    await Promise.all(both.map((projector) => projector.ready()));
    await fixture.reached(await fill(1));
    await expectRowsOfTheLog(fixture);
    expect(rebuilt().toSorted()).toEqual(["reports", "search"]);
  });

  it("are not rebuilt again by a process that checked before another one was done", async () => {
    const { stores, log } = fixture;
    const before = await fixture.start();
    await fixture.reached(await fill(1));
    await before.stop();
    await fixture.rows("comment on schema reports is 'layout 0'");
    const projections = stores.projections.filter(({ name }) => name === "reports");
    const overtaken = projections.map((projection) => ({
      ...projection,
      async isOfEarlierVersion(sql: Parameters<typeof projection.isOfEarlierVersion>[0]) {
        const found = await projection.isOfEarlierVersion(sql);
        if (found) await rebuild({ ...stores, log }, projections);
        return found;
      },
    }));
    await new LayoutUpgrade({ ...stores, projections: overtaken, log }).run();
    expect(rebuilt()).toEqual(["reports"]);
  });

  it("are rebuilt while another process still writes to them, which then uses the new ones", async () => {
    const before = await fixture.start();
    await fixture.reached(await fill(5));
    await fixture.rows("comment on schema reports is 'layout 0'");
    const after = await fixture.start();
    await eventually("new tables", async () => rebuilt().includes("reports"));
    await after.ready();
    await before.ready();
    await fixture.reached(await fill(1));
    await expectRowsOfTheLog(fixture);
  });

  it("are reported by the health check until they are rebuilt", async () => {
    await fixture.rows("comment on schema reports is 'layout 0'");
    const client = await fixture.pool.connect();
    try {
      await client.query("select pg_advisory_lock(hashtextextended($1, 0))", [
        rebuildLock("reports"),
      ]);
      const projector = await fixture.start();
      await eventually("rebuilding", async () => stateOf(projector, "reports") === "rebuilding");
      const { status, checks } = await projector.readiness();
      expect(status).toBe("not_ready");
      expect(checks.reports).toMatchObject({ ok: false, detail: { state: "rebuilding" } });
      await client.query("select pg_advisory_unlock_all()");
      await eventually("live", async () => stateOf(projector, "reports") === "live");
    } finally {
      client.release();
    }
  });

  it("are rebuilt even if an event is damaged: its stream stays parked, the rest is served", async () => {
    const [damaged, deleted] = [randomUUID(), randomUUID()];
    for (const id of [damaged, deleted]) await fixture.report(id, [reportSubmitted()]);
    await fill(4);
    await fixture.rows("alter table event_log.event disable trigger user");
    await fixture.rows(
      `update event_log.event
       set data = jsonb_set(data::jsonb, '{personal,box}', '"AAAA"')::text::json
       where stream = any($1)`,
      [[damaged, deleted].map(streams.report)],
    );
    await fixture.report(damaged, [verifiedByLink()]);
    const position = await fixture.report(deleted, [reportDeleted(), reportErased()]);
    const before = await fixture.start();
    await fixture.reached(position);
    const found = async () => ({
      parked: await fixture.rows(
        `select s.processor, e.stream, e.position, e.event_type, e.cause from processor.parked_stream s
         join processor.parked_event e using (processor, stream) order by 1, e.position`,
      ),
      shown: await fixture.rows("select id, verified from reports.report order by id"),
      deleted: await fixture.rows("select report_id from reports.deleted_report"),
    });
    const kept = await found();
    expect(kept.shown).toHaveLength(4);
    expect(kept.deleted).toEqual([{ report_id: deleted }]);
    await before.stop();
    await setBack();
    const after = await fixture.start();
    await after.ready();
    expect(rebuilt().toSorted()).toEqual(["reports", "search"]);
    expect(await found()).toEqual(kept);
    for (const processor of ["reports", "search"]) {
      const rows = kept.parked.filter(
        (row) => (row as { processor: string }).processor === processor,
      );
      expect(rows).toHaveLength(2);
    }
    const { stores, log } = fixture;
    const reports = stores.projections.filter(({ name }) => name === "reports");
    await expect(rebuild({ ...stores, log }, reports)).rejects.toThrow("cannot be applied");
  });

  it("are left alone if they are from a newer version", async () => {
    await fixture.rows("comment on schema reports is 'layout 99'");
    await fixture.rows("update search.meta set matching_version = 99");
    const projector = await fixture.start();
    for (const name of ["reports", "search"])
      await eventually(`${name} stopped`, async () => {
        const found = projector.health().find(({ processor }) => processor === name);
        return found?.stop?.code === "newer_version";
      });
    await fixture.reached(await fill(1), ["audit", "offenders", "outbox"]);
    expect(rebuilt()).toEqual([]);
  });
});

describe("an event of a newer version", () => {
  /** Appends an event in a version that only a newer codec knows. */
  async function appendNewer(stream: string): Promise<string> {
    const { stores, writer } = fixture;
    const sealed = await writer.seal(stream, [verifiedByLink()]);
    const newer = sealed.map((event) => ({
      ...event,
      metadata: { ...event.metadata, schemaVersion: NEWER },
    }));
    let last: StoredEvent | undefined;
    for await (const event of stores.store.readStream(stream)) last = event;
    if (!last) throw new Error("the stream is empty");
    const { revision, metadata } = last;
    const chained = chainEvents(stream, revision + 1, metadata.hash, newer);
    return (await stores.store.append(stream, chained, revision)).position;
  }
  const NEWER = 99;

  /** A codec that knows the version from {@link appendNewer}. */
  function newerCodec(codec: RegistryCodec): RegistryCodec {
    const known = (event: SealedEvent): SealedEvent =>
      event.metadata.schemaVersion === NEWER
        ? { ...event, metadata: { ...event.metadata, schemaVersion: 1 } }
        : event;
    return {
      ...codec,
      openEvent: (event, keys) => codec.openEvent(known(event), keys),
      subjectsOf: (events) => codec.subjectsOf([...events].map(known)),
    };
  }

  it("stops an older process, parks nothing, and lets a newer one take over", async () => {
    const projector = await fixture.start();
    const id = randomUUID();
    await fixture.reached(await fixture.report(id, [reportSubmitted()]));
    const position = await appendNewer(streams.report(id));
    // These processors read no reports' streams, so nothing stops them.
    const others = ["accounts", "content", "settings", "users", "inquiries"];
    const readers = () => projector.health().filter(({ processor }) => !others.includes(processor));
    await eventually("all stopped", async () =>
      readers().every(({ stop }) => stop?.code === "newer_version"),
    );
    const { status, checks } = await projector.readiness();
    expect(status).toBe("not_ready");
    expect(checks.outbox?.detail?.cause).toContain("a newer version has written to these stores");
    const { stores, log } = fixture;
    const codec = newerCodec(stores.codec);
    const upgrade = new LayoutUpgrade({ ...stores, codec, log });
    const newer = stores.projections.map(
      (projection) => new Processor({ ...stores, codec, projection, upgrade, log }, FAST),
    );
    for (const processor of newer) processor.start();
    await fixture.reached(position);
    for (const processor of newer) await processor.stop();
    expect(await fixture.rows("select 1 from processor.parked_stream")).toEqual([]);
    expect(await fixture.rows("select verified from reports.report")).toEqual([{ verified: true }]);
  });

  it("that an earlier version parked is applied only by a version that knows it", async () => {
    await fixture.rows("alter table reports.report add constraint poison check (title <> 'Bad')");
    const before = await fixture.start();
    const [unknown, damaged] = [randomUUID(), randomUUID()];
    const bad = reportSubmitted({ personal: { title: "Bad" } });
    await fixture.report(damaged, [bad]);
    await fixture.reached(await fixture.report(unknown, [bad, verifiedByLink()]));
    await before.stop();
    await fixture.rows("alter table reports.report drop constraint poison");
    await fixture.rows(
      `update processor.parked_event set cause = 'UnknownEvent: no event is called so'
       where cause is not null and stream = '${streams.report(unknown)}'`,
    );
    const after = await fixture.start();
    await after.ready();
    await fixture.reached(await fill(1), PROCESSORS);
    expect(await fixture.rows("select stream from processor.parked_stream")).toEqual([
      { stream: streams.report(damaged) },
    ]);
    expect(
      await fixture.rows(`select verified from reports.report where id = '${unknown}'`),
    ).toEqual([{ verified: true }]);
  });
});
