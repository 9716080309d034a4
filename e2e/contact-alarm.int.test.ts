import { beforeAll, expect, it } from "vitest";
import { MAX_CONTACTS_FOUND } from "#contracts/account/contact-alarm.ts";
import { systemCaller } from "#services/command-api/kernel/envelope.ts";
import { forFile } from "#test-kit/for-file.ts";
import { startSystem } from "./support/in-process.ts";
import { approve, chargeback, submit } from "./support/reports.ts";
import { mailsIn } from "./support/traces.ts";

const EMAIL = "ottilie.quast@mail-host.example";

const system = forFile(() => startSystem());
beforeAll(async () => {
  const names = { firstName: "Ida", lastName: "Nyberg", password: "Correct-horse-9" };
  const account = { email: "ida@registry.example", role: "admin", ...names } as const;
  await system.commandApi.accounts.add(account, systemCaller(now()));
});

const now = () => new Date().toISOString();
/** Two processes turn the observations into events concurrently. */
const record = () =>
  Promise.all([system.commandApi.observed.record(now()), system.commandApi.observed.record(now())]);

async function alarms() {
  const { rows } = await system.db.query(
    "select data from event_log.event where type = 'ContactAlarmRaised'",
  );
  return rows.map(({ data }) => data);
}

async function search(times: number, as: "admin" | "auditor"): Promise<void> {
  const url = `/prod/api/reports/search?q=${EMAIL}`;
  const answers = await Promise.all(Array.from({ length: times }, () => system.read(url, as)));
  expect(new Set(answers.map((answer) => answer.json().data.total))).toEqual(new Set([1]));
}

it("emails all admins once a day when all accounts together have found many contacts", async () => {
  const id = await submit(system, { ...chargeback, email: EMAIL });
  await approve(system, id);
  const first = Math.floor(MAX_CONTACTS_FOUND / 2);
  await search(first, "admin");
  await search(MAX_CONTACTS_FOUND - first - 1, "auditor");
  await record();
  expect(await alarms()).toEqual([]);

  await search(1, "admin");
  await record();
  const admins = await system.db.query(
    "select id from command.account where role = 'admin' order by created_at",
  );
  expect(admins.rows).toHaveLength(2);
  const alarm = { found: MAX_CONTACTS_FOUND, accounts: 2, told: admins.rows.map(({ id }) => id) };
  expect(await alarms()).toEqual([alarm]);
  await expect
    .poll(async () => mailsIn(system.mailFolder), { timeout: 10_000 })
    .toContain("Subject: Unusually many searches by email or phone on The Registry");

  await search(MAX_CONTACTS_FOUND, "admin");
  await record();
  expect(await alarms()).toEqual([alarm]);
  const { rows } = await system.db.query(
    "select account_id from outbox.mail where kind = 'contacts_found'",
  );
  expect(rows.map(({ account_id }) => account_id).sort()).toEqual(alarm.told.sort());
});
