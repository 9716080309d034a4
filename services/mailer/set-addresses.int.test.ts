import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { accountRegistered, emailConfirmed, link } from "#test-kit/account-events.ts";
import { forFile } from "#test-kit/for-file.ts";
import type { Mailer } from "./composition.ts";
import { openMailerFixture } from "./testing/mailer.fixture.ts";

const soon = { timeout: 20_000, interval: 50 };

const fixture = forFile(openMailerFixture);
let folder: string;
let mailer: Mailer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mailer-"));
  mailer = await fixture.startMailer({ smtpUrl: pathToFileURL(folder).href });
});
afterAll(async () => {
  await mailer?.stop();
  await rm(folder, { recursive: true, force: true });
});

const set = (content: { support_email: string } | { sales_email: string }) =>
  fixture.append("settings", [{ type: "SettingsChanged", data: { content } }]);
const setAddress = (support_email: string) => set({ support_email });

/** Enqueues a verification email to a reporter. */
const verification = async () => fixture.enqueue((await fixture.report()).event, "verification");

/** Enqueues an admin's alert that settings were changed. */
async function alarm() {
  const events = [
    accountRegistered({ link: link(randomUUID(), "2999-01-01T00:00:00.000Z") }),
    emailConfirmed(false, "link", randomUUID()),
  ];
  const event = (await fixture.append(streams.user(randomUUID()), events)).at(-1) as StoredEvent;
  return fixture.enqueue(event, "settings_changed");
}

/** Returns the email once it is sent, without the soft line breaks of its encoding (RFC 2045, 6.7). */
async function written(id: string): Promise<string> {
  await expect.poll(async () => (await fixture.mail(id))?.state, soon).toBe("sent");
  const folders = await readdir(folder, { recursive: true });
  const file = folders.find((name) => name.includes(id) && name.endsWith(".eml")) ?? "";
  return (await readFile(join(folder, file), "utf8")).replaceAll("=\r\n", "");
}

/** Returns From, Reply-To and the address in the closing of an email written now. */
async function addresses(enqueue = verification) {
  const mail = await written(await enqueue());
  const header = (name: string) =>
    new RegExp(`^${name}: .*?([\\w.]+@[\\w.]+)>?\\r$`, "m").exec(mail)?.[1];
  return [header("From"), header("Reply-To"), /Questions: ([\w.]+@[\w.]+)/.exec(mail)?.[1]];
}

/** Returns the recipient of an inbox email written now. */
async function inboxOf(enqueue: () => Promise<string>): Promise<string | undefined> {
  const mail = await written(await enqueue());
  return /^To: .*?([\w.]+@[\w.]+)>?\r$/m.exec(mail)?.[1];
}

/** Enqueues the email about a request for the RESOLVED banner. */
async function resolution() {
  const { stream } = await fixture.report();
  const data = { request_id: randomUUID(), file_id: randomUUID(), terms_version: "1" };
  const fee = { amount_cents: 25_000, currency: "USD" };
  const [event] = await fixture.append(stream, [
    { type: "ResolutionRequested", data: { ...data, ...fee } },
  ]);
  return fixture.enqueue(event as StoredEvent, "resolution_for_inbox");
}

/** Enqueues the email about an inquiry: a company's about a plan, or an agency's about hidden data. */
const inquiry = (kind: "enterprise" | "law_enforcement") => async () => {
  const sender = { name: "Ann Lee", email: "ann@acme.example", answers: [] };
  const [event] = await fixture.append(streams.inquiry(randomUUID()), [
    { type: "InquiryReceived", data: { kind, sender } },
  ]);
  return fixture.enqueue(event as StoredEvent, "inquiry_for_inbox");
};

it("sends companies' inquiries to the sales address that admins have set, and nothing else", async () => {
  const [company, agency] = [inquiry("enterprise"), inquiry("law_enforcement")];
  expect(await inboxOf(company)).toBe("support@registry.example");
  await set({ sales_email: "sell@shop.example" });
  await expect.poll(() => inboxOf(company), soon).toBe("sell@shop.example");
  expect(await inboxOf(agency)).toBe("support@registry.example");
  // Without its own address, sales uses the general one.
  await set({ sales_email: "" });
  await setAddress("desk@shop.example");
  await expect.poll(() => inboxOf(company), soon).toBe("desk@shop.example");
  await setAddress("");
  await expect.poll(() => inboxOf(company), soon).toBe("support@registry.example");
});

it("sends inbox emails to the address that admins have set", async () => {
  expect(await inboxOf(resolution)).toBe("support@registry.example");
  await setAddress("desk@shop.example");
  await expect.poll(() => inboxOf(resolution), soon).toBe("desk@shop.example");
  await setAddress("");
  await expect.poll(() => inboxOf(resolution), soon).toBe("support@registry.example");
});

it("gets replies at the address that admins have set, and sends from the operator's", async () => {
  const operator = "support@registry.example";
  expect(await addresses()).toEqual([operator, undefined, operator]);
  await setAddress("desk@shop.example");
  const shops = [operator, "desk@shop.example", "desk@shop.example"];
  await expect.poll(() => addresses(), soon).toEqual(shops);
  // Whoever set the address may not be an admin at all.
  expect(await addresses(alarm)).toEqual([operator, undefined, operator]);
  await setAddress("");
  await expect.poll(() => addresses(), soon).toEqual([operator, undefined, operator]);
});
