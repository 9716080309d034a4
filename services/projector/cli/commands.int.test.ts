import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { openEventStore } from "#event-store/open-event-store.ts";
import { EventWriter } from "#test-kit/event-writer.ts";
import { forTest } from "#test-kit/for-file.ts";
import { startOwnServer } from "#test-kit/own-server.ts";
import { eventually } from "#test-kit/reached-position.ts";
import {
  reportApproved,
  reportDeleted,
  reportErased,
  reportRejected,
  reportSubmitted,
} from "#test-kit/report-events.ts";
import { openFixture } from "../testing/projector.fixture.ts";
import {
  type OperatorCommand,
  type OperatorContext,
  parkedCommand,
  reactionsReleaseCommand,
  rebuildCommand,
  runAfterRestore,
} from "./operator.ts";

const fixture = forTest(openFixture);
let lines: string[];
let warnings: string[];
let context: OperatorContext;

beforeEach(async () => {
  lines = [];
  warnings = [];
  const { config, log } = fixture;
  context = {
    config,
    log,
    print: (line) => lines.push(line),
    warn: (line) => warnings.push(line),
  };
});

async function run<Given>(command: OperatorCommand<Given>, args: readonly string[]) {
  return command.run(command.parse(args), context);
}

describe("npm run rebuild", () => {
  it("rebuilds what is named, and reports the number of events and the rate", async () => {
    await fixture.report(randomUUID(), [reportSubmitted(), reportApproved()]);
    expect(await run(rebuildCommand, ["reports", "audit"])).toBe(0);
    expect(lines.join("\n")).toMatch(/^Rebuilt audit, reports from 3 events in [\d.]+ s:\n/);
    expect(await fixture.rows("select status from reports.report")).toEqual([
      { status: "approved" },
    ]);
    expect(await fixture.rows("select 1 from search.documents")).toEqual([]);
    expect(await run(rebuildCommand, ["all"])).toBe(0);
    expect(await fixture.rows("select 1 as n from search.documents")).toEqual([{ n: 1 }]);
    expect(await fixture.rows("select 1 from outbox.mail")).toEqual([]);
  });

  it("reports that it waits for a log that is down, and resumes when it is back", async () => {
    const server = await startOwnServer();
    onTestFinished(() => server.dispose());
    const eventStoreUrl = server.url;
    const { keys } = fixture.stores;
    const store = await openEventStore(eventStoreUrl);
    onTestFinished(() => store.close());
    const writer = new EventWriter(store, keys);
    await writer.startLog();
    await writer.append(streams.report(randomUUID()), [reportSubmitted()]);
    // Blocks the rebuild after it has found the log and before it reads further.
    const holder = await fixture.pool.connect();
    await holder.query("begin");
    await holder.query("create schema reports_next");
    context = { ...context, config: { ...context.config, eventStoreUrl } };
    const rebuilding = run(rebuildCommand, ["reports"]);
    rebuilding.catch(() => undefined);
    try {
      await eventually("the rebuild is held up", async () => {
        const waiting = `select 1 from pg_stat_activity where datname = current_database()
          and wait_event_type = 'Lock'`;
        return (await fixture.rows(waiting)).length > 0;
      });
      await server.kill();
    } finally {
      await holder.query("rollback");
      holder.release();
    }
    await eventually("it is told of", () => warnings.length > 0, 60_000);
    expect(warnings[0]).toMatch(
      /^The event log is not responding. The rebuild will wait .*5 minutes/,
    );
    await server.start();
    expect(await rebuilding).toBe(0);
    expect(warnings).toContain("The event log is back: the rebuild continues.");
    expect(lines).toContainEqual(expect.stringMatching(/^Rebuilt reports from 2 events/));
  }, 180_000);
});

describe("npm run parked", () => {
  it("lists what is parked and why, and retries it", async () => {
    expect(await run(parkedCommand, [])).toBe(0);
    expect(lines).toEqual(["Nothing is parked."]);
    await fixture.rows("alter table reports.report add constraint poison check (title <> 'P')");
    const projector = await fixture.start();
    const id = randomUUID();
    await fixture.reached(
      await fixture.report(id, [reportSubmitted({ personal: { title: "P" } })]),
    );
    await fixture.reached(await fixture.report(id, [reportApproved()]));
    lines.length = 0;
    expect(await run(parkedCommand, ["list"])).toBe(0);
    expect(lines[0]).toMatch(new RegExp(`^reports  ${streams.report(id)}  since 20`));
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(/^ {2}ReportSubmitted at \d+, tried 3 times:$/),
      "  the database refuses the rows (SQLSTATE 23514, report poison)",
      "  1 later events are waiting behind it",
    ]);
    lines.length = 0;
    expect(await run(parkedCommand, ["retry"])).toBe(1);
    expect(lines[0]).toContain("applied 0 events, 2 still waiting: the database refuses the rows");
    await fixture.rows("alter table reports.report drop constraint poison");
    lines.length = 0;
    expect(await run(parkedCommand, ["retry", "reports", streams.report(id)])).toBe(0);
    expect(lines[0]).toContain("applied 2 events: no longer parked");
    await projector.stop();
  });
});

describe("after a restore of the log", () => {
  it("says what to do, and releases the reaction with or without the earlier emails", async () => {
    const [waits, sample, deleted] = [randomUUID(), randomUUID(), randomUUID()];
    const first = await fixture.start();
    await fixture.report(waits, [reportSubmitted()]);
    await fixture.reached(await fixture.report(deleted, [reportSubmitted()]));
    await first.stop();
    await fixture.report(sample, [reportSubmitted()], { origin: "sample" });
    await fixture.report(deleted, [reportDeleted(), reportErased()]);
    await fixture.writer.append(streams.log, [{ type: "LogRestored", data: {} }]);
    expect(await runAfterRestore(context)).toBe(0);
    expect(lines).toEqual([
      "reports belongs to the log from before the restore: npm run rebuild -- reports",
      "offenders belongs to the log from before the restore: npm run rebuild -- offenders",
      "audit belongs to the log from before the restore: npm run rebuild -- audit",
      "accounts belongs to the log from before the restore: npm run rebuild -- accounts",
      "content belongs to the log from before the restore: npm run rebuild -- content",
      "settings belongs to the log from before the restore: npm run rebuild -- settings",
      "users belongs to the log from before the restore: npm run rebuild -- users",
      "inquiries belongs to the log from before the restore: npm run rebuild -- inquiries",
      "search belongs to the log from before the restore: npm run rebuild -- search",
      "outbox belongs to the log from before the restore: npm run reactions:release",
    ]);
    expect(await run(reactionsReleaseCommand, ["--send"])).toBe(0);
    expect(lines.at(-1)).toBe("1 unsent emails from before the restore will be sent now.");
    const { epoch } =
      (await fixture.rows<{ epoch: string }>("select epoch from outbox.mail"))[0] ?? {};
    expect(epoch).not.toBe(fixture.epoch);
    expect(await run(rebuildCommand, ["all"])).toBe(0);
    lines.length = 0;
    await runAfterRestore(context);
    expect(lines).toEqual(["Every processor belongs to this log."]);

    // Later events ask for emails again, but never for a sample's.
    const second = await fixture.start();
    await fixture.report(sample, [reportApproved()]);
    await fixture.reached(await fixture.report(waits, [reportRejected()]));
    await second.stop();
    expect(await fixture.rows("select kind, report_id from outbox.mail order by position")).toEqual(
      [
        { kind: "verification", report_id: waits },
        { kind: "rejected", report_id: waits },
      ],
    );

    await fixture.writer.append(streams.log, [{ type: "LogRestored", data: {} }]);
    expect(await run(reactionsReleaseCommand, ["--drop"])).toBe(0);
    expect(lines.at(-1)).toBe("2 unsent emails from before the restore were dropped.");
    expect(await fixture.rows("select distinct state, dropped_reason from outbox.mail")).toEqual([
      { state: "dropped", dropped_reason: "restored" },
    ]);

    // A failed email that was to be resent before a restore stays as it is afterward.
    const [failed] = await fixture.rows<{ id: string; kind: string }>(
      `update outbox.mail set dropped_reason = 'undeliverable' where kind = 'rejected' returning id, kind`,
    );
    const { id = "", kind = "" } = failed ?? {};
    const resent = { type: "MailResent", data: { mail_id: id, kind } } as const;
    await fixture.writer.append(streams.mail(randomUUID()), [resent]);
    await fixture.writer.append(streams.log, [{ type: "LogRestored", data: {} }]);
    expect(await run(reactionsReleaseCommand, ["--send"])).toBe(0);
    expect(await run(rebuildCommand, ["all"])).toBe(0);
    const third = await fixture.start();
    await fixture.reached(await fixture.report(randomUUID(), [reportSubmitted()]));
    await third.stop();
    expect(
      await fixture.rows(`select state, attempts from outbox.mail where id = '${id}'`),
    ).toEqual([{ state: "dropped", attempts: 0 }]);
  });
});
