import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { forTest } from "#test-kit/for-file.ts";
import { eventually } from "#test-kit/reached-position.ts";
import {
  reportApproved,
  reportDeleted,
  reportEdited,
  reportErased,
  reportSubmitted,
  verifiedByLink,
} from "#test-kit/report-events.ts";
import { openFixture } from "../testing/projector.fixture.ts";
import { retryParked } from "./retry-parked.ts";

const fixture = forTest(openFixture);

describe("an event that cannot be applied", () => {
  /** Makes the database refuse rows with this title. */
  async function poison(title: string): Promise<void> {
    await fixture.rows(
      `alter table reports.report add constraint poison check (title <> '${title}')`,
    );
  }

  it("parks only its stream, with the cause, in a batch of many", async () => {
    await poison("Poisoned");
    const [bad, ...good] = Array.from({ length: 30 }, () => randomUUID());
    for (const [i, id] of good.entries()) {
      await fixture.report(id, [reportSubmitted()]);
      if (i === 10)
        await fixture.report(bad ?? "", [reportSubmitted({ personal: { title: "Poisoned" } })]);
    }
    const position = await fixture.report(bad ?? "", [verifiedByLink(), reportApproved()]);
    const projector = await fixture.start();
    await fixture.reached(position);
    expect(await fixture.rows("select count(*) as n from reports.report")).toEqual([{ n: 29 }]);
    const parked = await fixture.rows<{ cause: string }>(
      "select processor, event_type, cause, attempts from processor.parked_event order by position",
    );
    expect(parked).toEqual([
      {
        processor: "reports",
        event_type: "ReportSubmitted",
        cause: "the database refuses the rows (SQLSTATE 23514, report poison)",
        attempts: 3,
      },
      { processor: "reports", event_type: "ReportVerifiedByLink", cause: null, attempts: 0 },
      { processor: "reports", event_type: "ReportApproved", cause: null, attempts: 0 },
    ]);
    expect(await fixture.rows("select processor, stream from processor.parked_stream")).toEqual([
      { processor: "reports", stream: streams.report(bad ?? "") },
    ]);
    await eventually("the health check says so", async () => {
      const { checks } = await projector.readiness();
      return checks.reports?.detail?.parkedStreams === 1 && checks.reports.ok;
    });
    // The other processors have applied it.
    expect(await fixture.rows("select 1 as n from search.documents where id = $1", [bad])).toEqual([
      { n: 1 },
    ]);
  });

  it("is retried, and not parked if it can be applied by then", async () => {
    // A sequence keeps counting through rollbacks.
    await fixture.rows("create sequence reports.tries");
    await fixture.rows(
      "alter table reports.report add constraint passing check (nextval('reports.tries') > 2)",
    );
    const id = randomUUID();
    await fixture.start();
    await fixture.reached(await fixture.report(id, [reportSubmitted()]));
    expect(await fixture.rows("select id from reports.report")).toEqual([{ id }]);
    expect(await fixture.rows("select 1 from processor.parked_event")).toEqual([]);
  });

  it("is applied by a retry, in order with what waits behind it, while the processor runs", async () => {
    await poison("Poisoned");
    await fixture.start();
    const id = randomUUID();
    await fixture.report(id, [reportSubmitted({ personal: { title: "Poisoned" } })]);
    await fixture.reached(await fixture.report(id, [verifiedByLink(), reportApproved()]));
    const failing = await retryParked(fixture.stores);
    expect(failing).toMatchObject([{ processor: "reports", applied: 0, left: 3 }]);
    await fixture.rows("alter table reports.report drop constraint poison");
    const other = fixture.report(randomUUID(), [reportSubmitted()]);
    expect(await retryParked(fixture.stores)).toEqual([
      {
        processor: "reports",
        stream: streams.report(id),
        applied: 3,
        left: 0,
        cause: undefined,
      },
    ]);
    expect(
      await fixture.rows("select status, verified from reports.report where id = $1", [id]),
    ).toEqual([{ status: "approved", verified: true }]);
    expect(await fixture.rows("select 1 from processor.parked_event")).toEqual([]);
    expect(await fixture.rows("select 1 from processor.parked_stream")).toEqual([]);
    await fixture.reached(await other);
    const next = await fixture.report(id, [reportEdited({ set: { amount_cents: 1 } })]);
    await fixture.reached(next);
    expect(
      await fixture.rows("select amount_cents, revision from reports.report where id = $1", [id]),
    ).toEqual([{ amount_cents: 1, revision: 3 }]);
  });

  it("is retried as far as possible, and the rest is reported", async () => {
    await poison("Poisoned");
    await fixture.start();
    const id = randomUUID();
    // One event at a time: if a whole batch were folded at once, its intermediate rows would not be written.
    await fixture.reached(
      await fixture.report(id, [reportSubmitted({ personal: { title: "Poisoned" } })]),
    );
    await fixture.report(id, [reportApproved()]);
    const edit = reportEdited({ personal: { set: { title: "Poisoned too" } } });
    await fixture.reached(await fixture.report(id, [edit, verifiedByLink()]));
    await fixture.rows("alter table reports.report drop constraint poison");
    await poison("Poisoned too");
    expect(await retryParked(fixture.stores)).toMatchObject([{ applied: 2, left: 2 }]);
    const [stream] = await fixture.rows<{ position: string }>(
      "select position from processor.parked_stream",
    );
    expect(
      await fixture.rows(
        "select event_type, attempts from processor.parked_event where position = $1",
        [stream?.position],
      ),
    ).toEqual([{ event_type: "ReportEdited", attempts: 1 }]);
  });

  it("does not block a deletion: rows are removed even if the stream is parked, and stay removed", async () => {
    const id = randomUUID();
    const projector = await fixture.start();
    await fixture.reached(await fixture.report(id, [reportSubmitted(), reportApproved()]));
    await poison("Poisoned");
    await fixture.reached(
      await fixture.report(id, [reportEdited({ personal: { set: { title: "Poisoned" } } })]),
    );
    expect(await fixture.rows("select title from reports.report")).toEqual([
      { title: "Disputed a delivered order" },
    ]);
    await fixture.reached(await fixture.report(id, [reportDeleted(), reportErased()]));
    expect(await fixture.rows("select 1 from reports.report")).toEqual([]);
    expect(await fixture.rows("select count(*) as n from reports.deleted_report")).toEqual([
      { n: 1 },
    ]);
    expect(projector.health().every(({ state }) => state === "live")).toBe(true);
    await fixture.rows("alter table reports.report drop constraint poison");
    await retryParked(fixture.stores);
    expect(await fixture.rows("select 1 from reports.report")).toEqual([]);
    expect(await fixture.rows("select 1 from processor.parked_stream")).toEqual([]);
  });

  it("is parked when an encrypted part was changed, and its cause reveals nothing", async () => {
    const id = randomUUID();
    await fixture.report(id, [reportSubmitted()]);
    // Simulates a damaged byte on disk. The store itself cannot change an event.
    await fixture.rows("alter table event_log.event disable trigger user");
    await fixture.rows(
      `update event_log.event
       set data = jsonb_set(data::jsonb, '{personal,box}', '"AAAA"')::text::json
       where stream = $1`,
      [streams.report(id)],
    );
    const other = await fixture.report(randomUUID(), [reportSubmitted()]);
    await fixture.start();
    await fixture.reached(other);
    const parked = await fixture.rows<{ processor: string; cause: string }>(
      "select processor, cause from processor.parked_event order by processor",
    );
    expect(parked.map(({ processor }) => processor)).toEqual(["offenders", "reports", "search"]);
    for (const { cause } of parked) expect(cause).toMatch(/^SealBroken: /);
    expect(await fixture.rows("select count(*) as n from reports.report")).toEqual([{ n: 1 }]);
  });
});
