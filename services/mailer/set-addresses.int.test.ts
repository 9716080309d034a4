import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import type { StoredEvent } from "#event-store/port.ts";
import { accountRegistered, emailConfirmed, link } from "#test-kit/account-events.ts";
import type { Mailer } from "./composition.ts";
import { type MailerFixture, openMailerFixture } from "./testing/mailer.fixture.ts";

const soon = { timeout: 20_000, interval: 50 };

let fixture: MailerFixture;
let folder: string;
let mailer: Mailer;
beforeAll(async () => {
  fixture = await openMailerFixture();
  folder = await mkdtemp(join(tmpdir(), "mailer-"));
  mailer = await fixture.startMailer({ smtpUrl: pathToFileURL(folder).href });
});
afterAll(async () => {
  await mailer?.stop();
  await fixture?.close();
  await rm(folder, { recursive: true, force: true });
});

const set = (content: { support_email: string } | { sales_email: string }) =>
  fixture.append("settings", [{ type: "SettingsChanged", data: { content } }]);
const setAddress = (support_email: string) => set({ support_email });

/** A link to a reporter. */
const verification = async () => fixture.enqueue((await fixture.report()).event, "verification");

/** What an admin is told when settings were changed. */
async function alarm() {
  const events = [
    accountRegistered({ link: link(randomUUID(), "2999-01-01T00:00:00.000Z") }),
    emailConfirmed(false, "link", randomUUID()),
  ];
  const event = (await fixture.append(streams.user(randomUUID()), events)).at(-1) as StoredEvent;
  return fixture.enqueue(event, "settings_changed");
}

/** The email once it is sent, with lines that the encoding has broken whole again (RFC 2045, 6.7). */
async function written(id: string): Promise<string> {
  await expect.poll(async () => (await fixture.mail(id))?.state, soon).toBe("sent");
  const folders = await readdir(folder, { recursive: true });
  const file = folders.find((name) => name.includes(id) && name.endsWith(".eml")) ?? "";
  return (await readFile(join(folder, file), "utf8")).replaceAll("=\r\n", "");
}

/** From, Reply-To, and whom the closing names, of an email that is written now. */
async function addresses(enqueue = verification) {
  const mail = await written(await enqueue());
  const header = (name: string) =>
    new RegExp(`^${name}: .*?([\\w.]+@[\\w.]+)>?\\r$`, "m").exec(mail)?.[1];
  return [header("From"), header("Reply-To"), /Questions: ([\w.]+@[\w.]+)/.exec(mail)?.[1]];
}

/** To whom an email for the desks goes that is written now. */
async function deskOf(enqueue: () => Promise<string>): Promise<string | undefined> {
  const mail = await written(await enqueue());
  return /^To: .*?([\w.]+@[\w.]+)>?\r$/m.exec(mail)?.[1];
}

/** Someone asks for the RESOLVED banner. */
async function resolution() {
  const { stream } = await fixture.report();
  const data = { request_id: randomUUID(), file_id: randomUUID(), terms_version: "1" };
  const fee = { amount_cents: 25_000, currency: "USD" };
  const [event] = await fixture.append(stream, [
    { type: "ResolutionRequested", data: { ...data, ...fee } },
  ]);
  return fixture.enqueue(event as StoredEvent, "resolution_for_desk");
}

/** Someone asks about a plan, or an agency for what a report keeps back. */
const inquiry = (kind: "enterprise" | "law_enforcement") => async () => {
  const sender = { name: "Ann Lee", email: "ann@acme.example", answers: [] };
  const [event] = await fixture.append(streams.inquiry(randomUUID()), [
    { type: "InquiryReceived", data: { kind, sender } },
  ]);
  return fixture.enqueue(event as StoredEvent, "inquiry_for_desk");
};

it("sends what companies ask to the sales address that admins have set, and nothing else", async () => {
  const [company, agency] = [inquiry("enterprise"), inquiry("law_enforcement")];
  expect(await deskOf(company)).toBe("support@registry.example");
  await set({ sales_email: "sell@shop.example" });
  await expect.poll(() => deskOf(company), soon).toBe("sell@shop.example");
  expect(await deskOf(agency)).toBe("support@registry.example");
  // Without one of its own, sales has the address for everyone.
  await set({ sales_email: "" });
  await setAddress("desk@shop.example");
  await expect.poll(() => deskOf(company), soon).toBe("desk@shop.example");
  await setAddress("");
  await expect.poll(() => deskOf(company), soon).toBe("support@registry.example");
});

it("sends what is for the desk to the address that admins have set", async () => {
  expect(await deskOf(resolution)).toBe("support@registry.example");
  await setAddress("desk@shop.example");
  await expect.poll(() => deskOf(resolution), soon).toBe("desk@shop.example");
  await setAddress("");
  await expect.poll(() => deskOf(resolution), soon).toBe("support@registry.example");
});

it("gets answers at the address that admins have set, and sends from the operator's", async () => {
  const operator = "support@registry.example";
  expect(await addresses()).toEqual([operator, undefined, operator]);
  await setAddress("desk@shop.example");
  const shops = [operator, "desk@shop.example", "desk@shop.example"];
  await expect.poll(() => addresses(), soon).toEqual(shops);
  // Anyone who set the address may be no admin at all.
  expect(await addresses(alarm)).toEqual([operator, undefined, operator]);
  await setAddress("");
  await expect.poll(() => addresses(), soon).toEqual([operator, undefined, operator]);
});
