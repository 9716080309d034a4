import pg from "pg";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type MailKind, mailKinds } from "#contracts/mail/mail-kinds.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { readEpoch } from "#event-store/store-log.ts";
import { forFile } from "#test-kit/for-file.ts";
import type { LeasedMail } from "./leases.ts";
import { OutboxStore } from "./outbox.store.ts";
import { openMailerFixture } from "./testing/mailer.fixture.ts";
import { startSmtpServer } from "./testing/smtp-server.ts";

const soon = { timeout: 50_000, interval: 20 };
const used = { kind: "verification", template: "shipped" } as const;

const fixture = forFile(openMailerFixture);
let outbox: OutboxStore;
let epoch: string;
beforeAll(async () => {
  epoch = String(await readEpoch(fixture.store));
  outbox = new OutboxStore(fixture.db, epoch);
});
beforeEach(async () => {
  await fixture.db.query("delete from outbox.mail");
  await fixture.db.query("delete from outbox.template_use");
});

async function enqueue(count: number, kind: MailKind = "verification"): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { event } = await fixture.report({ reporterEmail: `r${n}@shop.example` });
    ids.push(await fixture.enqueue(event, kind));
  }
  return ids;
}
const leaseAll = (ids: readonly string[]) => Promise.all(ids.map((id) => outbox.lease(id)));
const leased = async (count: number, kind?: MailKind) =>
  (await leaseAll(await enqueue(count, kind))) as LeasedMail[];
const stateOf = async (id: string) => (await fixture.mail(id))?.state;
const uses = async () => {
  const { rows } = await fixture.db.query("select uses::int as uses from outbox.template_use");
  return rows.map((row) => row.uses);
};

/** Counts the statements that `work` runs on the outbox's pool outside transactions. */
async function statements(work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(fixture.db, "query");
  try {
    await work();
    return query.mock.calls.length;
  } finally {
    query.mockRestore();
  }
}

/** Locks an email's row, as a deletion does, until the returned function is called. */
async function lockRow(id: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: fixture.url });
  await client.connect();
  await client.query("begin");
  await client.query("select from outbox.mail where id = $1 for update", [id]);
  const release = () => client.end();
  onTestFinished(release);
  return release;
}

describe("concurrent emails", { timeout: 60_000 }, () => {
  it("are leased by one statement, each to one caller", async () => {
    const ids = await enqueue(20);
    let leases: unknown[] = [];
    const count = await statements(async () => {
      leases = await leaseAll(ids);
    });
    expect(count).toBe(1);
    expect(leases).toMatchObject(ids.map((id) => ({ id, attempts: 1, isTakenOver: false })));
    const again = await enqueue(1);
    const asked = await leaseAll([...again, ...again, ...again]);
    expect(asked.filter((each) => each !== undefined)).toHaveLength(1);
  });

  it("are leased one at a time per report, however many are due", async () => {
    const { event, stream } = await fixture.report();
    const [next] = await fixture.append(stream, [
      { type: "ReportApproved", data: { from: "pending", verified: false } },
    ]);
    const first = await fixture.enqueue(event, "verification");
    const second = await fixture.enqueue(next as StoredEvent, "approved");
    const others = await enqueue(5);
    const leases = await leaseAll([second, ...others, first]);
    expect(leases[0]).toBe("held_up");
    expect(leases.slice(1)).toMatchObject([...others, first].map((id) => ({ id })));
  });

  it("are leased, admitted and marked while one of them is locked", async () => {
    const ids = await enqueue(4);
    const [locked = "", ...others] = ids;
    const release = await lockRow(locked);
    const late = outbox.lease(locked);
    const free = (await leaseAll(others)) as LeasedMail[];
    expect(free).toMatchObject(others.map((id) => ({ id })));
    await release();
    const mail = (await late) as LeasedMail;
    expect(mail).toMatchObject({ id: locked, attempts: 1 });

    const releaseAdmission = await lockRow(locked);
    const admission = outbox.admit(mail, "ann");
    const admissions = free.map((each) => outbox.admit(each, "bob"));
    expect(await Promise.all(admissions)).toEqual(free.map(() => "admitted"));
    await releaseAdmission();
    expect(await admission).toBe("admitted");

    const releaseMark = await lockRow(locked);
    const mark = outbox.sent(mail, used);
    await Promise.all(free.map((each) => outbox.sent(each, used)));
    expect(await Promise.all(others.map(stateOf))).toEqual(others.map(() => "sent"));
    await releaseMark();
    await mark;
    expect(await stateOf(locked)).toBe("sent");
    expect(await uses()).toEqual([4]);
  });

  it("are marked by one statement, but not by a previous holder of the lease", async () => {
    const mails = await leased(10);
    const [lost] = mails as [LeasedMail];
    await fixture.db.query(
      "update outbox.mail set leased_until = now() - interval '1 ms' where id = $1",
      [lost.id],
    );
    await outbox.lease(lost.id);
    const rest = mails.slice(1);
    expect(await statements(() => Promise.all(rest.map((mail) => outbox.sent(mail, used))))).toBe(
      1,
    );
    await Promise.all([...rest, lost].map((mail) => outbox.sent(mail, used)));
    expect(await Promise.all(rest.map(({ id }) => stateOf(id)))).toEqual(rest.map(() => "sent"));
    expect(await stateOf(lost.id)).toBe("queued");
    const templates = await fixture.db.query(
      "select distinct template from outbox.mail where id = any($1)",
      [rest.map(({ id }) => id)],
    );
    expect(templates.rows).toEqual([{ template: "shipped" }]);
    // Marking an email again does not count its template as used again.
    expect(await uses()).toEqual([9]);
    const more = await leased(3);
    await Promise.all(more.map((mail) => outbox.sent(mail, used)));
    expect(await uses()).toEqual([12]);
  });

  it("are marked even if the database refuses to mark one of them", async () => {
    const mails = await leased(5);
    const [refused] = mails as [LeasedMail];
    await fixture.db.query(`
      create function outbox.refuse_one() returns trigger language plpgsql
        as $$ begin raise exception 'not now'; end $$;
      create trigger refuse_one before update on outbox.mail for each row
        when (new.state = 'sent' and new.id = '${refused.id}')
        execute function outbox.refuse_one();`);
    onTestFinished(async () => {
      await fixture.db.query("drop function outbox.refuse_one cascade");
    });
    const marks = await Promise.allSettled(mails.map((mail) => outbox.sent(mail, used)));
    expect(marks.map(({ status }) => status)).toEqual([
      "rejected",
      ...mails.slice(1).map(() => "fulfilled"),
    ]);
    expect(await uses()).toEqual([4]);
  });

  it("to one recipient are admitted up to its caps, alongside others", async () => {
    const cap = mailKinds.verification.capADay;
    const mails = await leased(cap + 3);
    const [other] = (await leased(1)) as [LeasedMail];
    const found = await Promise.all([
      ...mails.map((mail) => outbox.admit(mail, "ann")),
      outbox.admit(other, "bob"),
    ]);
    const expected = mails.map((_, n) => (n < cap ? "admitted" : "kind_cap"));
    expect(found).toEqual([...expected, "admitted"]);
    // On a retry, those already admitted count once.
    const again = await Promise.all(mails.slice(0, cap).map((mail) => outbox.admit(mail, "ann")));
    expect(again).toEqual(again.map(() => "admitted"));
    // Requested emails do not count, and release what they counted before.
    const [one, two] = mails as [LeasedMail, LeasedMail];
    const late = mails.at(-1) as LeasedMail;
    expect(await outbox.admit(one, undefined)).toBe("admitted");
    const refilled = await Promise.all([outbox.admit(late, "ann"), outbox.admit(two, "ann")]);
    expect(refilled).toEqual(["admitted", "admitted"]);
  });

  it("are admitted by two mailers in opposite order, up to the same caps", async () => {
    const cap = mailKinds.verification.capADay;
    const pools = [0, 1].map(() => new pg.Pool({ connectionString: fixture.url, max: 2 }));
    onTestFinished(async () => {
      for (const pool of pools) await pool.end();
    });
    for (let round = 0; round < 5; round += 1) {
      const names = Array.from({ length: 5 }, (_, n) => `${round}-${n}`);
      const mails = await leased(2 * cap * names.length);
      const stores = pools.map((pool) => new OutboxStore(pool, epoch));
      const found = await Promise.all(
        mails.map(async (mail, n) => {
          const isSecond = n % 2 === 1;
          const place = Math.floor(n / 2) % names.length;
          const name = names[isSecond ? names.length - 1 - place : place] ?? "";
          const store = stores[isSecond ? 1 : 0] as OutboxStore;
          return [name, await store.admit(mail, name)] as const;
        }),
      );
      for (const name of names) {
        const admitted = found.filter(([to, how]) => to === name && how === "admitted");
        expect(admitted).toHaveLength(cap);
      }
      await fixture.db.query("delete from outbox.mail");
    }
  });
});

it("a mailer processes as many emails at once as configured, each over its own connection", {
  timeout: 60_000,
}, async () => {
  const smtp = await startSmtpServer();
  const full = Promise.withResolvers<void>();
  let inProgress = 0;
  let most = 0;
  smtp.onRecipient = async () => {
    inProgress += 1;
    most = Math.max(most, inProgress);
    if (inProgress === 3) full.resolve();
    await full.promise;
    return "accept" as const;
  };
  let mostLeased = 0;
  smtp.onMessage = async () => {
    inProgress -= 1;
    const { rows } = await fixture.db.query("select count(lease)::int as leased from outbox.mail");
    mostLeased = Math.max(mostLeased, rows[0].leased);
    return "accept" as const;
  };
  const ids = await enqueue(12);
  const mailer = await fixture.startMailer({ smtpUrl: smtp.url, mailsAtOnce: 3 });
  try {
    await expect.poll(() => Promise.all(ids.map(stateOf)), soon).toEqual(ids.map(() => "sent"));
  } finally {
    full.resolve();
    await mailer.stop();
    await smtp.stop();
  }
  expect({ most, mostLeased }).toEqual({ most: 3, mostLeased: 3 });
  expect(smtp.received).toHaveLength(12);
});
