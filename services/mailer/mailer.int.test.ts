import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { subjects } from "#contracts/sealed.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { forFile } from "#test-kit/for-file.ts";
import { createOneTimeLinks } from "#vault/links/one-time-link.ts";
import type { Mailer } from "./composition.ts";
import { NOW, openMailerFixture } from "./testing/mailer.fixture.ts";

const fixture = forFile(openMailerFixture);
let folder: string;
let smtpUrl: string;
let mailer: Mailer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mailer-"));
  smtpUrl = pathToFileURL(folder).href;
  mailer = await fixture.startMailer({ smtpUrl });
});
afterAll(async () => {
  await mailer?.stop();
  await rm(folder, { recursive: true, force: true });
});

const settled = (id: string) => expect.poll(async () => (await fixture.mail(id))?.state);

async function mailOf(reportId: string) {
  const ofReport = join(folder, reportId);
  const names = await readdir(ofReport).catch(() => []);
  return Promise.all(
    names.map(async (name) => PostalMime.parse(await readFile(join(ofReport, name)))),
  );
}

describe("the mailer", () => {
  it("sends the verification link, which no table holds, and marks the email", async () => {
    const { id, linkId, event } = await fixture.report();
    const mail = await fixture.enqueue(event, "verification");
    await settled(mail).toBe("sent");
    const [sent] = await mailOf(id);
    expect(sent?.to).toEqual([{ name: "", address: "rae@shop.example" }]);
    const token = /verify-email\/([\w-]{96})/.exec(sent?.text ?? "")?.[1] ?? "";
    const links = createOneTimeLinks(await fixture.keys.liveKey("links"));
    expect(links.readToken(token, "verify-email", NOW)).toMatchObject({ aggregateId: id, linkId });
    const { rows } = await fixture.db.query("select * from outbox.mail where id = $1", [mail]);
    expect(JSON.stringify(rows)).not.toMatch(/rae@|Rae|Quinn/);
  });

  it("sends a sign-in link to the account's address unless it was used or the account erased", async () => {
    const id = randomUUID();
    const stream = `user-${id}`;
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const ask = (link_id: string) => ({
      type: "DeviceConfirmationRequested",
      data: { link: { link_id, expires_at } },
    });
    const [first, opened, past] = [randomUUID(), randomUUID(), randomUUID()];
    const account = { email: "noor@registry.example", first_name: "Noor", last_name: "Oz" };
    const blind = { email: "keyed hash" };
    const events = await fixture.append(stream, [
      { type: "AccountAdded", data: { role: "admin", account: { ...account, blind } } },
      ask(first),
      ask(opened),
      { type: "DeviceConfirmed", data: { link_id: opened } },
      { type: "DeviceConfirmationRequested", data: { link: { link_id: past, expires_at: NOW } } },
    ]);
    const enqueue = (n: number) => fixture.enqueue(events[n] as StoredEvent, "sign_in_link");
    const mail = await enqueue(1);
    await settled(mail).toBe("sent");
    const [sent, ...more] = await mailOf(id);
    expect(more).toEqual([]);
    expect(sent?.to).toEqual([{ name: "", address: "noor@registry.example" }]);
    const token = /\/sign-in-link\/([\w-]{96})/.exec(sent?.text ?? "")?.[1] ?? "";
    const links = createOneTimeLinks(await fixture.keys.liveKey("links"));
    const content = { aggregateId: id, linkId: first, expiresAt: expires_at };
    expect(links.readToken(token, "sign-in", new Date())).toEqual(content);
    for (const n of [2, 4]) {
      const dropped = await enqueue(n);
      await settled(dropped).toBe("dropped");
      expect((await fixture.mail(dropped))?.dropped_reason).toBe("superseded");
    }
    const [last] = await fixture.append(stream, [ask(randomUUID())]);
    await fixture.append(stream, [{ type: "AccountErased", data: {} }]);
    await expect.poll(() => mailOf(id)).toEqual([]);
    const late = await fixture.enqueue(last as StoredEvent, "sign_in_link");
    await settled(late).toBe("dropped");
    expect((await fixture.mail(late))?.dropped_reason).toBe("erased");
  });

  it("quotes the reporter, escaped, once the address is confirmed", async () => {
    const { id, stream, linkId, event } = await fixture.report();
    await settled(await fixture.enqueue(event, "verification")).toBe("sent");
    const [, approved] = await fixture.append(stream, [
      { type: "ReportVerifiedByLink", data: { link_id: linkId } },
      { type: "ReportApproved", data: { from: "pending", verified: true } },
    ]);
    await settled(await fixture.enqueue(approved as StoredEvent, "approved")).toBe("sent");
    const mails = await mailOf(id);
    const [asked] = mails.filter(({ subject }) => subject?.startsWith("Confirm"));
    const [told] = mails.filter(({ subject }) => subject?.endsWith("is published"));
    expect(asked?.text).not.toMatch(/Hello Rae|Disputed/);
    expect(told?.text).toContain("Hello Rae,");
    expect(told?.text).toContain('report "Disputed <b>"twice"</b>"');
    expect(told?.html).not.toContain("<b>");
  });

  it("keeps an email whose report has events of a newer version, and counts no attempt", async () => {
    const { id, stream, event } = await fixture.report();
    const version = (n: number) =>
      fixture.db.query(
        `begin; alter table event_log.event disable trigger all;
         update event_log.event set metadata = jsonb_set(metadata::jsonb, '{schemaVersion}', '${n}')
         where stream = '${stream}'; commit`,
      );
    const { rows } = await fixture.db.query(
      "select metadata->>'schemaVersion' as known from event_log.event where stream = $1",
      [stream],
    );
    await version(99);
    const mail = await fixture.enqueue(event, "verification");
    // As after many attempts: the next failure would be the last.
    await fixture.db.query("update outbox.mail set attempts = 13 where id = $1", [mail]);
    await expect.poll(async () => (await fixture.mail(mail))?.last_error).toBe("UnknownEvent");
    expect(await fixture.mail(mail)).toMatchObject({ state: "queued", attempts: 13 });
    await version(Number(rows[0].known));
    await fixture.db.query("update outbox.mail set next_attempt_at = now() where id = $1", [mail]);
    // A mailer whose version knows the event.
    const newer = await fixture.startMailer({ smtpUrl });
    await settled(mail).toBe("sent");
    await newer.stop();
    expect(await mailOf(id)).toHaveLength(1);
  });

  it("drops the link of a verified report, and an erased reporter's emails", async () => {
    const { stream, event } = await fixture.report();
    await fixture.append(stream, [{ type: "ReportVerifiedByHand", data: {} }]);
    const superseded = await fixture.enqueue(event, "verification");
    await settled(superseded).toBe("dropped");
    expect((await fixture.mail(superseded))?.dropped_reason).toBe("superseded");

    const other = await fixture.report();
    await fixture.keys.destroy([subjects.reporter(other.id)], NOW);
    const erased = await fixture.enqueue(other.event, "verification");
    await settled(erased).toBe("dropped");
    expect((await fixture.mail(erased))?.dropped_reason).toBe("erased");
  });

  it("removes an erased reporter's emails, and sends none afterward", async () => {
    const { id, stream, event } = await fixture.report();
    await settled(await fixture.enqueue(event, "verification")).toBe("sent");
    const [approved] = await fixture
      .append(stream, [
        { type: "ReporterErased", data: {} },
        { type: "ReportApproved", data: { from: "pending", verified: false } },
      ])
      .then((events) => events.slice(1));
    await expect.poll(() => mailOf(id)).toEqual([]);
    const told = await fixture.enqueue(approved as StoredEvent, "approved");
    await settled(told).toBe("dropped");
    expect((await fixture.mail(told))?.dropped_reason).toBe("erased");
  });

  it("sends no emails about a hidden report, and removes earlier ones once it is erased", async () => {
    const { id, stream, event } = await fixture.report();
    await settled(await fixture.enqueue(event, "verification")).toBe("sent");
    const [approved] = await fixture.append(stream, [
      { type: "ReportApproved", data: { from: "pending", verified: false } },
      {
        type: "ReportDeleted",
        data: { from: "approved", reason_code: "other", erase_at: "2026-11-29T12:00:00.000Z" },
      },
    ]);
    const late = await fixture.enqueue(approved as StoredEvent, "approved");
    await settled(late).toBe("dropped");
    expect((await fixture.mail(late))?.dropped_reason).toBe("deleted");
    expect(await mailOf(id)).toHaveLength(1);
    await fixture.append(stream, [{ type: "ReportErased", data: {} }]);
    await expect.poll(() => mailOf(id)).toEqual([]);
  });

  it("leaves emails of another epoch to an operator, and reports them", async () => {
    const { event } = await fixture.report();
    const mail = await fixture.enqueue(event, "verification", randomUUID());
    const later = await fixture.report();
    await settled(await fixture.enqueue(later.event, "verification")).toBe("sent");
    expect((await fixture.mail(mail))?.state).toBe("queued");
    expect((await mailer.checks.mails()).detail?.otherEpoch).toBe(1);
  });
});
