import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { TERMS_VERSION } from "#contracts/report/words.ts";
import { subjects } from "#contracts/sealed.ts";
import { forFile } from "#test-kit/for-file.ts";
import { chargeback, startCommandApi } from "../testing/command-api.fixture.ts";
import { admin, eraseReport, eventsOf, SUBMIT, submit } from "../testing/reports.fixture.ts";
import { resolutionCalls } from "../testing/resolutions.fixture.ts";
import { named, storedFiles, upload } from "../testing/uploads.fixture.ts";

const fixture = forFile(() => startCommandApi());

const calls = resolutionCalls(() => fixture);
const typesOf = async (id: string) => (await eventsOf(fixture, id)).map(({ type }) => type);
const keyOf = (id: string) => fixture.keyState(subjects.file(id));
const isStored = async (id: string) =>
  (await storedFiles(fixture)).some((name) => name.includes(id));
const open = (id: string) =>
  fixture.call("POST", `/prod/api/account/reports/${id}/open`, { body: {}, as: "user" });
const decide = (id: string, path: string, body: object, as: "admin" | "user" = "admin") =>
  fixture.call("POST", admin(id, path), { body, as });
const codeOf = (answer: { json(): { error?: { code: string } } }) => answer.json().error?.code;

describe("requesting the RESOLVED banner", () => {
  it("stores the letter encrypted, and shows the owner the request's status", async () => {
    const [id, letter] = [await calls.ownReport(), await upload(fixture)];
    const answer = await calls.send(id, await calls.body(letter), "user");
    expect(answer.statusCode, answer.body).toBe(200);
    const { resolution } = answer.json().data;
    expect(resolution).toEqual({
      request_id: expect.any(String),
      stage: "requested",
      fee: { currency: "USD", amount: 250 },
    });
    expect((await open(id)).json().data.resolution).toEqual(resolution);
    const events = (await eventsOf(fixture, id)).slice(-2);
    expect(events.map(({ type }) => type)).toEqual(["EvidenceAdded", "ResolutionRequested"]);
    expect(events[0]?.data).toMatchObject({ file_id: letter.id, kind: "letter" });
    for (const secret of ["Quinn's letter", letter.secret])
      expect(JSON.stringify(events)).not.toContain(secret);
    expect(await keyOf(letter.id)).toBe("present");
  });

  it("gets the same reply for anyone else's report as for a missing one", async () => {
    const others = await submit(fixture);
    const published = await submit(fixture);
    await calls.staff(published, "/approve", {});
    const deleted = await calls.ownReport();
    await fixture.call("DELETE", admin(deleted), { as: "admin" });
    const body = await calls.body();
    const answers = await Promise.all(
      [others, published, deleted, randomUUID()].map((id) => calls.send(id, body, "user")),
    );
    for (const answer of answers) {
      expect(answer.statusCode).toBe(404);
      expect(answer.body).toBe(answers[0]?.body);
    }
    const own = await calls.ownReport();
    const stranger = await calls.send(own, await calls.body());
    expect(stranger.statusCode).toBe(401);
    expect(await typesOf(own)).toEqual(["ReportSubmitted", "ReportApproved"]);
  });

  it("is refused while the report isn't public, and then claims no letter", async () => {
    const id = await calls.ownReport("pending");
    const letter = await upload(fixture);
    expect(codeOf(await calls.send(id, await calls.body(letter), "user"))).toBe(
      "report_not_public",
    );
    await calls.staff(id, "/approve", {});
    await calls.staff(id, "/status", { status: "under_review" });
    expect(codeOf(await calls.send(id, await calls.body(letter), "user"))).toBe(
      "report_not_public",
    );
    await calls.ask(await calls.ownReport(), letter);
  });

  it("is done once, however many concurrent requests there are", async () => {
    const id = await calls.ownReport();
    const answers = await Promise.all(
      [1, 2, 3].map(async () => calls.send(id, await calls.body(), "user")),
    );
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409]);
    expect((await typesOf(id)).filter((type) => type === "ResolutionRequested")).toHaveLength(1);
  });

  it("gets the first reply for a retry with its key", async () => {
    const id = await calls.ownReport();
    const [body, key] = [await calls.body(), randomUUID()];
    const first = await calls.send(id, body, "user", key);
    const again = await calls.send(id, body, "user", key);
    expect(again.json().data).toEqual(first.json().data);
    expect(await typesOf(id)).toHaveLength(4);
  });

  it("accepts no file of another report, and no evidence of this one", async () => {
    const file = await upload(fixture);
    const sent = await fixture.call("POST", SUBMIT, {
      body: { ...chargeback, evidence: [named(file)] },
      as: "user",
    });
    const { id } = sent.json().data;
    await calls.staff(id, "/approve", {});
    for (const report of [id, await calls.ownReport()]) {
      const answer = await calls.send(report, await calls.body(file), "user");
      expect(answer.statusCode, answer.body).toBe(409);
      expect(answer.json().error).toMatchObject({
        code: "upload_used",
        fields: { letter: expect.any(String) },
      });
    }
    const guessed = { ...(await calls.body()).letter, secret: file.secret };
    const wrong = await calls.send(id, { ...(await calls.body()), letter: guessed }, "user");
    expect(wrong.json().error).toMatchObject({ fields: { letter: expect.any(String) } });
  });
});

describe("withdrawing the request", () => {
  it("destroys the letter, and lets the owner request it again", async () => {
    const [id, letter] = [await calls.ownReport(), await upload(fixture)];
    const request = await calls.ask(id, letter);
    expect((await calls.withdraw(id, request, "admin")).statusCode).toBe(404);
    const answer = await calls.withdraw(id, request);
    expect(answer.json().data.resolution.stage).toBe("withdrawn");
    expect(await keyOf(letter.id)).toBe("destroyed");
    expect(await isStored(letter.id)).toBe(false);
    expect(codeOf(await calls.withdraw(id, request))).toBe("resolution_closed");
    await calls.ask(id);
  });
});

describe("staff", () => {
  it("check the letter first, then record the payment, which adds the banner to the report", async () => {
    const { id, request_id } = await calls.accepted();
    const paid = await decide(id, "/resolution/payment", calls.payment(request_id));
    expect(paid.statusCode, paid.body).toBe(200);
    const events = await eventsOf(fixture, id);
    expect(events.map(({ type }) => type).slice(-3)).toEqual([
      "ResolutionLetterAccepted",
      "PaymentAccepted",
      "ReportResolved",
    ]);
    const { data } = events.at(-2) as { data: { told: string[]; personal: object } };
    expect(data).toMatchObject({ method: "bank_transfer", amount_cents: 25_000, currency: "USD" });
    expect(data.told).toHaveLength(1);
    expect(JSON.stringify(events)).not.toContain("Transfer 118");
    expect((await fixture.api.reports.load(id))?.resolved).toBe(true);
    expect(codeOf(await calls.send(id, await calls.body(), "user"))).toBe("resolution_open");
  });

  it("open the letter like any file, logged first", async () => {
    const letter = await upload(fixture);
    const id = await calls.ownReport();
    await calls.ask(id, letter);
    const answer = await decide(id, `/evidence/${letter.id}`, {});
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/pdf");
    const { rows } = await fixture.db.query(
      "select data from event_log.event where type = 'EvidenceViewed'",
    );
    expect(rows.at(-1)?.data).toEqual({ report_id: id, file_id: letter.id });
    const reveal = await decide(id, "/reveal", {});
    expect(reveal.body).not.toContain(letter.id);
  });
});

describe("erasing a report with an open request", () => {
  it("erases the letter too, and ends the request for both sides", async () => {
    const letter = await upload(fixture);
    const { id, request_id } = await calls.accepted(letter);
    await eraseReport(fixture, id);
    expect(await keyOf(letter.id)).toBe("destroyed");
    expect(await isStored(letter.id)).toBe(false);
    const pay = await decide(id, "/resolution/payment", calls.payment(request_id));
    expect(pay.statusCode).toBe(410);
    expect((await calls.withdraw(id, request_id)).statusCode).toBe(404);
  });
});

it("requests for the banner are limited to twenty a day per account, from any number of networks", async () => {
  const limited = await startCommandApi({ limits: "on" });
  onTestFinished(() => limited.close());
  const body = {
    letter: { id: randomUUID(), secret: "x".repeat(43), name: "letter.pdf" },
    terms_version: TERMS_VERSION,
  };
  const send = (as: "user" | "admin") => {
    const url = `/prod/api/account/reports/${randomUUID()}/resolution`;
    return limited.call("POST", url, { body, as });
  };
  for (let n = 0; n < 20; n += 1) expect(codeOf(await send("user"))).toBe("report_not_found");
  const over = await send("user");
  expect([over.statusCode, codeOf(over)]).toEqual([429, "too_many_requests"]);
  expect(codeOf(await send("admin"))).toBe("report_not_found");
});
