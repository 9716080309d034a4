import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { CANARIES } from "#test-kit/canaries.ts";
import { forFile } from "#test-kit/for-file.ts";
import { canarySubmission } from "../testing/canary-report.ts";
import { startQueryApi } from "../testing/query-api.fixture.ts";

const service = forFile(() => startQueryApi());
const reportId = randomUUID();
let events: StoredEvent[];
beforeAll(async () => {
  await service.moveTo(5);
  events = await service.append(streams.report(reportId), [
    { command: "SubmitReport", role: "user", event: canarySubmission("chargeback") },
    {
      command: "ApproveReport",
      role: "admin",
      event: { type: "ReportApproved", data: { from: "pending", verified: false } },
    },
  ]);
  for (const event of events) await service.addEntry(event);
});

const read = (id = "", as: "admin" | "auditor" = "auditor") =>
  service.get(`/prod/api/admin/audit-logs/${id}/event`, { as });
const found = async (event: StoredEvent | undefined) => (await read(event?.id)).json().data;

describe("the event behind an audit log entry", () => {
  it("is shown with its position, its plain-text fields, and its chain", async () => {
    const [submitted, approved] = events;
    expect(await found(approved)).toEqual({
      entry: expect.objectContaining({ id: approved?.id, action: "ApproveReport" }),
      type: "ReportApproved",
      version: approved?.metadata.schemaVersion,
      revision: 1,
      position: approved?.position,
      origin: "live",
      correlation_id: approved?.metadata.correlationId,
      fields: expect.arrayContaining([
        { name: "from", value: "pending" },
        { name: "verified", value: "false" },
      ]),
      composed: [],
      sealed: [],
      previous_hash: submitted?.metadata.hash,
      hash: approved?.metadata.hash,
      chain: "fits",
    });
  });

  it("lists encrypted parts without revealing their contents", async () => {
    const { body } = await read(events[0]?.id, "admin");
    const { data } = JSON.parse(body);
    expect(data).toMatchObject({
      type: "ReportSubmitted",
      revision: 0,
      previous_hash: "0".repeat(64),
      chain: "fits",
    });
    expect(data.sealed).toContainEqual({ part: "personal", erased: false });
    expect(data.composed).toContain("report");
    for (const [name, canary] of Object.entries(CANARIES)) expect(body, name).not.toContain(canary);
    expect(body).not.toContain('"box"');
  });

  it("marks erased parts", async () => {
    const erased = randomUUID();
    const [event] = await service.append(streams.report(erased), [
      { command: "SubmitReport", role: "visitor", event: canarySubmission("chargeback") },
    ]);
    await service.addEntry(event as StoredEvent);
    await service.keys.destroy([subjects.personal(erased)], new Date().toISOString());
    const { sealed, chain } = await found(event);
    expect(sealed).toContainEqual({ part: "personal", erased: true });
    expect(sealed).toContainEqual({ part: "reporter", erased: false });
    // The stored event is unchanged.
    expect(chain).toBe("fits");
  });

  it("reports that it was changed, or that the preceding event is missing", async () => {
    const id = randomUUID();
    const signedOut = { command: "SignOut", role: "system" } as const;
    const [first, second] = await service.append(streams.user(id), [
      { ...signedOut, event: { type: "AccountUnbanned", data: { by: "end" } } },
      { ...signedOut, event: { type: "SessionsEnded", data: { cause: "signed_out" } } },
    ]);
    for (const event of [first, second]) await service.addEntry(event as StoredEvent);
    await service.db.query("alter table event_log.event disable trigger append_only");
    await service.db.query(
      `update event_log.event set data = replace(data::text, 'signed_', 'gone_')::json where id = $1`,
      [second?.id],
    );
    expect((await found(second)).chain).toBe("wrong_hash");
    expect((await found(first)).chain).toBe("fits");
    await service.db.query("delete from event_log.event where id = $1", [first?.id]);
    await service.db.query("alter table event_log.event enable always trigger append_only");
    expect((await found(second)).chain).toBe("wrong_revision");
    expect((await read(first?.id)).statusCode).toBe(404);
  });

  it("is not found for an ID without an entry", async () => {
    expect((await read(randomUUID())).statusCode).toBe(404);
    expect((await read("x")).statusCode).toBe(400);
  });
});
