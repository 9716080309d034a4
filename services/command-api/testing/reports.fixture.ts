import { expect } from "vitest";
import { sealedPositions } from "#http/position-headers.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import { chargeback, type Fixture } from "./command-api.fixture.ts";

export const SUBMIT = "/prod/api/reports/submit";
export const admin = (id: string, command = "") => `/prod/api/admin/reports/${id}${command}`;

/** Submits a report. @returns its ID. */
export async function submit(
  fixture: Fixture,
  body: object = chargeback,
  key?: string,
): Promise<string> {
  const answer = await fixture.call("POST", SUBMIT, { body, ...(key ? { key } : {}) });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data.id;
}

/** Approves a report as the system, for when it is the admin's own. */
export async function approveBySystem(fixture: Fixture, id: string): Promise<void> {
  const by = newEnvelope(systemCaller(new Date().toISOString()));
  await fixture.api.reports.execute(id, { type: "ApproveReport", body: {} }, by);
}

/** Returns the stored events of a report, in order. */
export async function eventsOf(
  fixture: Fixture,
  id: string,
): Promise<{ type: string; data: object; metadata: object }[]> {
  return fixture.events(`report-${id}`);
}

/** Token of the newest link sent to the reporter. */
export const verificationToken = (fixture: Fixture, id: string): Promise<string> =>
  fixture.linkOf(`report-${id}`, "verify-email");

/** Decrypts the position in a response's header, which callers cannot read. */
export async function positionOf(
  fixture: Fixture,
  { headers }: { headers: Record<string, unknown> },
) {
  const key = await fixture.api.keys.liveKey("positions");
  return sealedPositions(key).open(headers["x-position"] as string)?.position;
}

/** Erases a report immediately, as the operator does. */
export async function eraseReport({ api }: Fixture, id: string): Promise<void> {
  const envelope = newEnvelope(systemCaller(new Date().toISOString()));
  await api.reports.execute(id, { type: "EraseReport", reasonCode: "other" }, envelope);
}

/** Erases only the reporter. */
export async function eraseReporter({ api }: Fixture, id: string): Promise<void> {
  const envelope = newEnvelope(systemCaller(new Date().toISOString()));
  await api.reports.execute(id, { type: "EraseReporter" }, envelope);
}
