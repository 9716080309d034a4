import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { chargeback, registration, startCommandApi } from "../testing/command-api.fixture.ts";
import { eventsOf, SUBMIT, verificationToken } from "../testing/reports.fixture.ts";

const fixture = forFile(() => startCommandApi());

/** An account whose address is confirmed by default. */
async function member(isConfirmed = true) {
  if (isConfirmed) return fixture.member();
  const email = `${randomUUID()}@shop.example`;
  const body = registration(email);
  const reply = await fixture.call("POST", "/prod/api/auth/register", { body });
  return { email, token: String(reply.json().data.token) };
}

/** Submits a report with this reporter address. @returns the reply's data and the report's events. */
async function submit(reporter_email: string, headers: Record<string, string>) {
  const payload = { ...chargeback, reporter_email };
  const reply = await fixture.api.app.inject({ method: "POST", url: SUBMIT, headers, payload });
  expect(reply.statusCode, reply.body).toBe(200);
  const { data } = reply.json();
  return { data, events: await eventsOf(fixture, data.id) };
}
const as = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });
const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type);

describe("a report from the submitting account's confirmed address", () => {
  it("counts as confirmed immediately, without a link, however the address is spelled", async () => {
    const ann = await member();
    const headers = { ...as(ann), "idempotency-key": randomUUID() };
    const { data, events } = await submit(ann.email.toUpperCase(), headers);
    expect(typesOf(events)).toEqual(["ReportSubmitted", "ReportVerifiedByAccount"]);
    expect(events[0]?.data).not.toHaveProperty("link");
    expect(data).toMatchObject({ status: "pending", confirmed: true });
    expect(data).not.toHaveProperty("correction_token");
    // Requesting an unneeded link appends nothing.
    const body = { email: ann.email };
    await fixture.call("POST", `/prod/api/reports/${data.id}/resend-verification`, { body });
    const again = await submit(ann.email.toUpperCase(), headers);
    expect(again.data).toMatchObject({ id: data.id, confirmed: true, repeated: true });
    expect(typesOf(again.events)).toEqual(["ReportSubmitted", "ReportVerifiedByAccount"]);
  });

  it("is the only kind that gets no link", async () => {
    const [ann, bea, pending] = [await member(), await member(), await member(false)];
    for (const { data, events } of [
      await submit(bea.email, as(ann)),
      await submit(pending.email, as(pending)),
      await submit(ann.email, {}),
    ]) {
      expect(typesOf(events)).toEqual(["ReportSubmitted"]);
      expect(data).not.toHaveProperty("confirmed");
      expect(data).toHaveProperty("correction_token");
      expect(await verificationToken(fixture, data.id)).toBeTruthy();
    }
  });
});
