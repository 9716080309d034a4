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

const setAddress = (support_email: string) =>
  fixture.append("settings", [{ type: "SettingsChanged", data: { content: { support_email } } }]);

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

/** From, Reply-To, and whom the closing names, of a mail that is written now. */
async function addresses(enqueue = verification) {
  const id = await enqueue();
  await expect.poll(async () => (await fixture.mail(id))?.state, soon).toBe("sent");
  const folders = await readdir(folder, { recursive: true });
  const file = folders.find((name) => name.includes(id) && name.endsWith(".eml")) ?? "";
  // Lines that the encoding has broken, whole again (RFC 2045, 6.7).
  const mail = (await readFile(join(folder, file), "utf8")).replaceAll("=\r\n", "");
  const header = (name: string) =>
    new RegExp(`^${name}: .*?([\\w.]+@[\\w.]+)>?\\r$`, "m").exec(mail)?.[1];
  return [header("From"), header("Reply-To"), /Questions: ([\w.]+@[\w.]+)/.exec(mail)?.[1]];
}

it("gets answers at the address that admins have set, and sends from the operator's", async () => {
  const operator = "support@registry.example";
  expect(await addresses()).toEqual([operator, undefined, operator]);
  await setAddress("desk@shop.example");
  const shops = [operator, "desk@shop.example", "desk@shop.example"];
  await expect.poll(() => addresses(), soon).toEqual(shops);
  // Whoever set the address may be no admin at all.
  expect(await addresses(alarm)).toEqual([operator, undefined, operator]);
  await setAddress("");
  await expect.poll(() => addresses(), soon).toEqual([operator, undefined, operator]);
});
