import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { createOneTimeLinks } from "#kit/links/one-time-link.ts";
import type { Mailer } from "./composition.ts";
import { type MailerFixture, NOW, openMailerFixture } from "./testing/mailer.fixture.ts";

let fixture: MailerFixture;
let folder: string;
let smtpUrl: string;
let mailer: Mailer;

beforeAll(async () => {
  fixture = await openMailerFixture();
  folder = await mkdtemp(join(tmpdir(), "mailer-"));
  smtpUrl = pathToFileURL(folder).href;
  mailer = await fixture.startMailer({ smtpUrl });
});
afterAll(async () => {
  await mailer?.stop();
  await fixture?.close();
  await rm(folder, { recursive: true, force: true });
});

const settled = (id: string) =>
  expect.poll(async () => (await fixture.mail(id))?.state, { timeout: 15_000 });

async function mailOf(reportId: string) {
  const names = (await readdir(folder)).filter((name) => name.startsWith(reportId));
  return Promise.all(
    names.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))),
  );
}

describe("the mailer", () => {
  it("sends the verification link, which no table held, and marks the mail", async () => {
    const { id, linkId, event } = await fixture.report();
    const mail = await fixture.enqueue(event, "verification");
    await settled(mail).toBe("sent");
    const [sent] = await mailOf(id);
    expect(sent?.to).toEqual([{ name: "", address: "rae@shop.example" }]);
    const token = /verify-email\/([\w-]{96})/.exec(sent?.text ?? "")?.[1] ?? "";
    const links = createOneTimeLinks(await fixture.keys.serviceKey("links"));
    expect(links.readToken(token, "verify-email", NOW)).toMatchObject({ aggregateId: id, linkId });
    const { rows } = await fixture.db.query("select * from outbox.mail where id = $1", [mail]);
    expect(JSON.stringify(rows)).not.toMatch(/rae@|Rae|Quinn/);
  });

  it("escapes what strangers wrote", async () => {
    const { id, event } = await fixture.report();
    await settled(await fixture.enqueue(event, "verification")).toBe("sent");
    const [sent] = await mailOf(id);
    expect(sent?.html).not.toContain("<b>");
    expect(sent?.text).toContain('Disputed <b>"twice"</b>');
  });

  it("leaves a link in a title out until the address is confirmed", async () => {
    const { id, stream, linkId } = await fixture.report({ title: "Win at evil.example" });
    const rejected = { type: "ReportRejected", data: { from: "pending", verified: false } };
    const [first] = await fixture.append(stream, [rejected]);
    await settled(await fixture.enqueue(first as StoredEvent, "rejected")).toBe("sent");
    const [, approved] = await fixture.append(stream, [
      { type: "ReportVerifiedByLink", data: { link_id: linkId } },
      { type: "ReportApproved", data: { from: "rejected", verified: true } },
    ]);
    await settled(await fixture.enqueue(approved as StoredEvent, "approved")).toBe("sent");
    const named = (await mailOf(id)).map(({ subject, text }) => [
      subject?.endsWith("is published"),
      text?.includes("Win at evil.example"),
    ]);
    expect(named.sort()).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  it("names the reason of a rejection", async () => {
    const { id, stream } = await fixture.report();
    const reason = "Please describe the transaction";
    const [rejected] = await fixture.append(stream, [
      { type: "ReportRejected", data: { from: "pending", verified: false, personal: { reason } } },
    ]);
    await settled(await fixture.enqueue(rejected as StoredEvent, "rejected")).toBe("sent");
    expect((await mailOf(id))[0]?.text).toContain(reason);
  });

  it("drops a link that a later one voided, and mails of an erased reporter", async () => {
    const { stream, event } = await fixture.report();
    const verification = { link_id: randomUUID(), expires_at: "2026-11-23T10:00:00.000Z" };
    await fixture.append(stream, [{ type: "ReportVerificationResent", data: { verification } }]);
    const superseded = await fixture.enqueue(event, "verification");
    await settled(superseded).toBe("dropped");
    expect((await fixture.mail(superseded))?.dropped_reason).toBe("superseded");

    const other = await fixture.report();
    await fixture.keys.destroy([subjects.reporter(other.id)], NOW);
    const erased = await fixture.enqueue(other.event, "verification");
    await settled(erased).toBe("dropped");
    expect((await fixture.mail(erased))?.dropped_reason).toBe("erased");
  });

  it("removes a deleted report's mails, and sends none after", async () => {
    const { id, stream, event } = await fixture.report();
    await settled(await fixture.enqueue(event, "verification")).toBe("sent");
    const [approved] = await fixture.append(stream, [
      { type: "ReportApproved", data: { from: "pending", verified: false } },
      { type: "ReportDeleted", data: { from: "approved", reason_code: "other" } },
    ]);
    await expect.poll(async () => (await mailOf(id)).length, { timeout: 15_000 }).toBe(0);
    const late = await fixture.enqueue(approved as StoredEvent, "approved");
    await settled(late).toBe("dropped");
    expect((await fixture.mail(late))?.dropped_reason).toBe("deleted");
    expect(await mailOf(id)).toEqual([]);
  });

  it("sends each mail once with two mailers at work", async () => {
    const second = await fixture.startMailer({ smtpUrl });
    const reports = await Promise.all(Array.from({ length: 20 }, () => fixture.report()));
    const mails = await Promise.all(
      reports.map(({ event }) => fixture.enqueue(event, "verification")),
    );
    for (const mail of mails) await settled(mail).toBe("sent");
    const { rows } = await fixture.db.query(
      "select sum(attempts)::int as attempts from outbox.mail where id = any($1)",
      [mails],
    );
    expect(rows[0].attempts).toBe(20);
    await second.stop();
  }, 40_000);

  it("leaves mails of another epoch to an operator, and says so", async () => {
    const { event } = await fixture.report();
    const mail = await fixture.enqueue(event, "verification", randomUUID());
    const later = await fixture.report();
    await settled(await fixture.enqueue(later.event, "verification")).toBe("sent");
    expect((await fixture.mail(mail))?.state).toBe("queued");
    expect((await mailer.checks.mails()).detail?.otherEpoch).toBe(1);
  });
});
