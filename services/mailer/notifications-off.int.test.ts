import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { StoredEvent } from "#event-store/port.ts";
import { forFile } from "#test-kit/for-file.ts";
import type { Mailer } from "./composition.ts";
import { openMailerFixture } from "./testing/mailer.fixture.ts";

const soon = { timeout: 20_000, interval: 50 };

const fixture = forFile(openMailerFixture);
let folder: string;
let mailer: Mailer;

const notify = (email_notifications: boolean) =>
  fixture.append("settings", [{ type: "SettingsChanged", data: { email_notifications } }]);

beforeAll(async () => {
  await notify(false);
  folder = await mkdtemp(join(tmpdir(), "mailer-"));
  mailer = await fixture.startMailer({ smtpUrl: pathToFileURL(folder).href });
});
afterAll(async () => {
  await mailer?.stop();
  await rm(folder, { recursive: true, force: true });
});

const end = async (id: string) => {
  await expect.poll(async () => (await fixture.mail(id))?.state, soon).not.toBe("queued");
  const { state, dropped_reason } = (await fixture.mail(id)) ?? {};
  return [state, dropped_reason];
};

/** Creates a confirmed and approved report. Both events ask for an email. */
async function approved() {
  const { stream, linkId, event } = await fixture.report();
  const [, decision] = await fixture.append(stream, [
    { type: "ReportVerifiedByLink", data: { link_id: linkId } },
    { type: "ReportApproved", data: { from: "pending", verified: true } },
  ]);
  return { event, decision: decision as StoredEvent };
}
const decisionMail = async () =>
  end(await fixture.enqueue((await approved()).decision, "approved"));

it("drops notifications while they are off, and sends requested emails", async () => {
  const { event } = await fixture.report();
  expect(await end(await fixture.enqueue(event, "verification"))).toEqual(["sent", null]);
  expect(await decisionMail()).toEqual(["dropped", "notifications_off"]);
});

it("sends them again in the same process once they are on", async () => {
  await notify(true);
  await expect.poll(decisionMail, soon).toEqual(["sent", null]);
});
