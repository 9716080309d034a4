import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { streams, type UserEvent } from "#contracts/events/index.ts";
import { DECISION_MAIL_WAITS_MS } from "#contracts/report/reporter-rules.ts";
import { accountRegistered, emailConfirmed, link } from "#test-kit/account-events.ts";
import { forFile } from "#test-kit/for-file.ts";
import {
  decisionUndone,
  reportApproved,
  reportDeleted,
  reportErased,
  reportRejected,
  reportSubmitted,
} from "#test-kit/report-events.ts";
import { openFixture, type ProjectorFixture } from "../../testing/projector.fixture.ts";
import { addWeeklySummaries, lastWeekOf, notifyOfFurtherReports } from "./notices.ts";

const soon = { timeout: 20_000, interval: 20 };
const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

const fixture = forFile(() => openFixture());
let person: string;
beforeAll(async () => {
  await fixture.start();
});
beforeEach(() => {
  person = randomUUID();
});

type Setting = "same_person" | "weekly_summary";

/** Creates an account that wants these emails, or none. */
async function account(...wanted: Setting[]): Promise<string> {
  const id = randomUUID();
  const settings = Object.fromEntries(wanted.map((name) => [name, true]));
  const set: UserEvent = { type: "NotificationsSet", data: { by: "owner", ...settings } };
  const asked = link(randomUUID());
  const events = [
    accountRegistered({ link: asked }),
    emailConfirmed(false, "link", asked.link_id),
    ...(wanted.length > 0 ? [set] : []),
  ];
  await fixture.writer.append(streams.user(id), events);
  return id;
}

interface Submitted {
  /** Undefined for a visitor. */
  readonly by?: string;
  /** The reporter's address. */
  readonly reporter?: string;
  readonly origin?: "live" | "sample";
}

/** Submits a report on the test's person, which awaits a decision. */
async function submit({
  by,
  reporter = randomUUID(),
  origin = "live",
}: Submitted): Promise<string> {
  const id = randomUUID();
  const submitted = reportSubmitted({ blind: { email: [person] } });
  if (submitted.type !== "ReportSubmitted" || !submitted.data.reporter)
    throw new Error("no report");
  const written = {
    ...submitted,
    data: {
      ...submitted.data,
      reporter: { ...submitted.data.reporter, blind: { email: reporter } },
    },
  };
  const actor = by ? { actor: { id: by, role: "user" as const } } : {};
  await fixture.report(id, [written], { ...actor, origin });
  return id;
}

/** So long ago that the decision can't be undone, since no one is told before that. */
const decidedAt = () => new Date(Date.now() - 2 * DECISION_MAIL_WAITS_MS).toISOString();
const append = (id: string, ...events: Parameters<ProjectorFixture["report"]>[1]) =>
  fixture.report(id, events, { time: decidedAt() });

async function approved(parts: Submitted): Promise<string> {
  const id = await submit(parts);
  await append(id, reportApproved());
  return id;
}

/** Waits until every approval so far is handled. */
async function noted(): Promise<void> {
  await fixture.reached(await fixture.stores.store.head());
  await expect.poll(() => fixture.rows("select from outbox.approval"), soon).toEqual([]);
}

interface Told {
  readonly to: string;
  readonly own: string;
  readonly further: string;
}

async function told(): Promise<Told[]> {
  await noted();
  return fixture.rows<Told>(
    `select account_id as to, own_report_id as own, further_report_id as further
     from outbox.mail where kind = 'same_person' and
       further_report_id in (select id from reports.report where blind->'email' ? $1)
     order by created_at, account_id`,
    [person],
  );
}

describe("the email about another report on the same person", () => {
  it("goes once to the author of an approved report, however often the other one is approved", async () => {
    const author = await account("same_person");
    const own = await approved({ by: author });
    await approved({ by: author });
    expect(await told()).toEqual([]);
    const further = await approved({});
    expect(await told()).toEqual([{ to: author, own, further }]);
    await append(further, reportRejected("x", "approved"), reportApproved("rejected"));
    await fixture.pool.query("delete from outbox.mail where kind = 'same_person'");
    expect(await told()).toEqual([]);
    const third = await approved({});
    expect(await told()).toEqual([{ to: author, own, further: third }]);
  });

  it("mentions no report that is not approved, and does not go to the author of one", async () => {
    const [waiting, author] = [await account("same_person"), await account("same_person")];
    await submit({ by: waiting });
    await approved({ by: author });
    const pending = await submit({});
    expect(await told()).toEqual([]);
    await append(pending, reportApproved());
    expect((await told()).map(({ to }) => to)).toEqual([author]);
  });

  it("goes to no one who did not ask for it, whose report came later, or who sent both", async () => {
    const [quiet, author, later] = [
      await account(),
      await account("same_person"),
      await account("same_person"),
    ];
    const reporter = randomUUID();
    await approved({ by: quiet });
    await approved({ by: author, reporter });
    await approved({ by: author });
    // Not signed in, from the author's own address.
    await approved({ reporter });
    await approved({ by: later });
    // To the author, `later` is someone else; to `later`, the author is not.
    expect((await told()).map(({ to }) => to)).toEqual([author]);
  });

  it("waits until the approval can no longer be undone, and is not sent for one that was", async () => {
    const author = await account("same_person");
    const own = await approved({ by: author });
    const [fresh, undone] = [await submit({}), await submit({})];
    await append(undone, reportApproved(), decisionUndone(1));
    const position = await fixture.report(fresh, [reportApproved()]);
    await fixture.reached(position);
    const { pool } = fixture;
    const waiting = () => fixture.rows("select report_id from outbox.approval");
    await expect.poll(waiting, soon).toEqual([{ report_id: fresh }]);
    expect(await notifyOfFurtherReports(pool)).toBe(0);
    // The minute has passed.
    await pool.query("update outbox.approval set created_at = now() - interval '2 minutes'");
    expect(await told()).toEqual([{ to: author, own, further: fresh }]);
  });

  it("goes to no one for a sample or a report on someone else", async () => {
    const author = await account("same_person");
    await approved({ by: author });
    await append(await submit({ origin: "sample" }), reportApproved());
    const other = await submit({});
    person = randomUUID();
    await approved({});
    expect(await told()).toEqual([]);
    await append(other, reportDeleted(), reportErased());
  });

  it("is removed with either report and with its account, as is the record that it was sent", async () => {
    const [author, second] = [await account("same_person"), await account("same_person")];
    const own = await approved({ by: author });
    await approved({ by: second });
    const further = await approved({});
    expect((await told()).length).toBe(3);
    await append(own, reportDeleted(), reportErased());
    expect((await told()).map(({ to }) => to)).toEqual([second]);
    await fixture.writer.append(streams.user(second), [{ type: "AccountErased", data: {} }]);
    await append(further, reportDeleted(), reportErased());
    await noted();
    const left = "select from outbox.told where account_id = $2 or report_id = $1";
    expect(await fixture.rows(left, [further, second])).toEqual([]);
    expect(await told()).toEqual([]);
  });

  it("waits while a table is behind, and is sent once when two processes check", async () => {
    const author = await account("same_person");
    await approved({ by: author });
    await noted();
    const client = await fixture.pool.connect();
    try {
      await client.query("begin");
      await client.query(
        "select from processor.checkpoint where processor = 'offenders' for update",
      );
      const further = await approved({});
      const isNoted = () =>
        fixture.rows("select from outbox.approval where report_id = $1", [further]);
      await expect.poll(isNoted, soon).toHaveLength(1);
      const { pool } = fixture;
      expect(
        await Promise.all([notifyOfFurtherReports(pool), notifyOfFurtherReports(pool)]),
      ).toEqual([0, 0]);
      expect(await isNoted()).toHaveLength(1);
    } finally {
      await client.query("rollback");
      client.release();
    }
    expect(await told()).toHaveLength(1);
  });
});

describe("the weekly summary", () => {
  /** In the week after the current one. */
  const next = () => Date.now() + WEEK_MS + 7 * HOUR_MS;
  const summarise = async (nowMs: number) => {
    await noted();
    const deps = { pool: fixture.pool, store: fixture.stores.store };
    // Another process may be doing the same.
    return Promise.all([addWeeklySummaries(deps, nowMs), addWeeklySummaries(deps, nowMs)]);
  };
  const figuresOf = (id: string) =>
    fixture.rows<{ figures: object }>(
      "select figures from outbox.mail where kind = 'weekly_summary' and account_id = $1",
      [id],
    );

  it("is about the previous week, from Monday at seven on", () => {
    const of = (time: string) => lastWeekOf(Date.parse(time));
    expect(of("2026-11-23T07:00:00Z")).toBe("2026-11-16");
    expect(of("2026-11-29T23:00:00Z")).toBe("2026-11-16");
    expect(of("2026-11-30T06:59:59Z")).toBe("2026-11-16");
    expect(of("2026-11-30T07:00:00Z")).toBe("2026-11-23");
  });

  it("is sent for no week before the registry counted, and once per account with news", async () => {
    const [reader, idle, quiet] = [
      await account("weekly_summary"),
      await account("weekly_summary"),
      await account(),
    ];
    const own = await approved({ by: reader });
    await append(await submit({ by: reader }), reportRejected("x"));
    await approved({});
    await submit({ by: idle });
    await approved({ by: quiet });
    const week = lastWeekOf(next());
    const count = (days: number, views: number) =>
      fixture.pool.query(
        "insert into views.report_week (report_id, week, views) values ($1, $2::date - $3::int, $4)",
        [own, week, days, views],
      );
    await count(0, 12);
    await count(7, 40);
    // The projector's own first run counted as the registry's first.
    await expect
      .poll(() => fixture.rows("select week::text from outbox.summary_week"), soon)
      .toEqual([{ week: lastWeekOf(Date.now()) }]);
    expect(await summarise(Date.now())).toEqual(["done", "done"]);
    expect(await figuresOf(reader)).toEqual([]);

    expect(await summarise(next())).toEqual(["done", "done"]);
    const figures = { week, views: 12, approved: 1, rejected: 1, further: 2 };
    expect(await figuresOf(reader)).toEqual([{ figures }]);
    expect([await figuresOf(idle), await figuresOf(quiet)]).toEqual([[], []]);

    // As if a process was killed before it recorded that the week was done.
    await fixture.pool.query("delete from outbox.summary_week where week = $1", [week]);
    expect(await summarise(next())).toEqual(["done", "done"]);
    expect(await figuresOf(reader)).toHaveLength(1);
    // Its emails may have been swept by then; the week stays done.
    await fixture.pool.query("delete from outbox.mail where kind = 'weekly_summary'");
    expect(await summarise(next())).toEqual(["done", "done"]);
    expect(await figuresOf(reader)).toEqual([]);
    // As in a registry that was just upgraded to this version.
    await fixture.pool.query("delete from outbox.summary_week");
    expect(await summarise(next())).toEqual(["done", "done"]);
    expect(await figuresOf(reader)).toEqual([]);
  });

  it("waits while the tables are behind the log", async () => {
    await noted();
    const store = { head: async () => "9".repeat(30) };
    expect(await addWeeklySummaries({ pool: fixture.pool, store }, next() + WEEK_MS)).toBe("waits");
  });
});
