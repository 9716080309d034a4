import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
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

/** From, Reply-To, and whom the closing names, of a mail that is written now. */
async function addresses() {
  const { event } = await fixture.report();
  const id = await fixture.enqueue(event, "verification");
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
  await expect.poll(addresses, soon).toEqual([operator, "desk@shop.example", "desk@shop.example"]);
  await setAddress("");
  await expect.poll(addresses, soon).toEqual([operator, undefined, operator]);
});
