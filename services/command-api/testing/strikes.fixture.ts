import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { chargeback, type Fixture } from "./command-api.fixture.ts";
import { admin, submit, verificationToken } from "./reports.fixture.ts";

const NOTICE = {
  name: "Olive Park",
  email: "olive@owner.example",
  address: "1 Elm Street",
  signature: "Olive Park",
  work: "A photograph",
  material: "The report's page",
  good_faith: "yes",
  accuracy: "yes",
};

/** An address that no other test uses. */
export const someAddress = () => `rae-${randomUUID()}@shop.example`;

/** Sends an admin's command about a notice, which must be accepted. */
export async function decide(fixture: Fixture, id: string, what: string, body: object) {
  const url = `/prod/api/admin/notices/${id}/${what}`;
  const answer = await fixture.call("POST", url, { body, as: "admin" });
  expect(answer.statusCode, answer.body).toBe(200);
}

/** A public report whose reporter has confirmed the address. */
export async function publicReport(fixture: Fixture, email: string): Promise<string> {
  const id = await submit(fixture, { ...chargeback, reporter_email: email });
  const token = await verificationToken(fixture, id);
  const verified = await fixture.call("POST", `/prod/api/verify-email/${token}`, { body: {} });
  expect(verified.statusCode, verified.body).toBe(200);
  await approve(fixture, id);
  return id;
}

export async function approve(fixture: Fixture, id: string): Promise<void> {
  const answer = await fixture.call("POST", admin(id, "/approve"), { as: "admin", body: {} });
  expect(answer.statusCode, answer.body).toBe(200);
}

/** Files a notice that takes these reports down. @returns its ID. */
export async function takenDown(fixture: Fixture, ...reports: string[]): Promise<string> {
  const answer = await fixture.call("POST", "/prod/api/dmca/notices", { body: NOTICE });
  expect(answer.statusCode, answer.body).toBe(200);
  const { rows } = await fixture.db.query<{ id: string }>(
    "select id from command.inquiry where replace(id::text, '-', '') like $1",
    [`${answer.json().data.number.slice(2).replace("-", "").toLowerCase()}%`],
  );
  const id = rows[0]?.id ?? "";
  for (const [revision, report_id] of reports.entries())
    await decide(fixture, id, "link", { report_id, revision });
  await decide(fixture, id, "take-down", { revision: reports.length });
  return id;
}

/** An address whose reports have infringed this many times, with the notices, oldest first. */
export async function infringer(fixture: Fixture, times: number, email = someAddress()) {
  const reports: string[] = [];
  // Submitted before any report is refused.
  for (let n = 0; n < times; n += 1) reports.push(await publicReport(fixture, email));
  const notices: string[] = [];
  for (const report of reports) notices.push(await takenDown(fixture, report));
  return { email, reports, notices };
}
