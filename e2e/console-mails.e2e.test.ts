import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSmtpServer, type TestSmtpServer } from "#services/mailer/testing/smtp-server.ts";
import { signIn } from "./support/account-forms.ts";
import { findChromium, NO_BROWSER } from "./support/browser.ts";
import { faults } from "./support/page-checks.ts";
import { chargeback } from "./support/reports.ts";
import { type Site, startSite } from "./support/site.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const ADMIN = { email: "boss@registry.example", password: "Correct-horse-9" };
const TO = chargeback.reporter_email;

let smtp: TestSmtpServer;
let site: Site;
/** Each test continues where the one before ended. */
let page: Page;

beforeAll(async () => {
  if (!executable) return;
  smtp = await startSmtpServer();
  // The recipient's server knows no such mailbox.
  smtp.onRecipient = () => ({ code: 550 });
  site = await startSite({
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    SAMPLE_DATA: "none",
    SMTP_URL: smtp.url,
  });
  page = await site.openTab();
  const reply = await fetch(site.url("/prod/api/reports/submit"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(chargeback),
  });
  expect(reply.status).toBe(200);
});
afterAll(async () => {
  await site?.close();
  await smtp?.stop();
});

const rows = () => page.getByRole("list", { name: "Mails" }).getByRole("listitem");
/** The mail that confirms the reporter's address. Others tell the admin of the sign-in. */
const mail = () => rows().filter({ hasText: "Confirm a report" });
/** Reads the list until the mail is in the state. */
async function untilListed(state: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.reload();
        await rows()
          .or(page.getByText(/^No mails/))
          .first()
          .waitFor();
        return mail().filter({ hasText: state }).count();
      },
      { timeout: 30_000 },
    )
    .toBe(1);
}

describe("mails in the console", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("has one that the recipient's server refused, to a masked address", async () => {
    await page.goto(site.url("/admin/mails"));
    await signIn(page, ADMIN.email, ADMIN.password);
    await page.getByRole("heading", { level: 1, name: "Mail" }).waitFor();
    await untilListed("Failed");
    expect(await mail().innerText()).not.toContain(TO);
    expect(await faults(page)).toEqual([]);
    expect(smtp.received.filter(({ to }) => to === TO)).toEqual([]);
  });

  it("sends it again, and it arrives", async () => {
    smtp.onRecipient = () => "accept";
    await page.getByRole("button", { name: /^Send again: Confirm a report/ }).click();
    await page.getByText("The email will be sent again").waitFor();
    const arrived = () => smtp.received.filter(({ to }) => to === TO);
    await expect.poll(() => arrived().length, { timeout: 30_000 }).toBe(1);
    expect(arrived()[0]?.text).toContain("/verify-email/");
    await untilListed("Sent");
    expect(
      await mail()
        .getByRole("button", { name: /^Send again/ })
        .count(),
    ).toBe(0);
    expect(await faults(page)).toEqual([]);
    await mail().getByRole("link", { name: "Shipped template" }).click();
    await page.waitForURL(site.url("/admin/templates/verification/shipped"));
    await page.getByRole("heading", { name: "Shipped template" }).waitFor();
    await page.goto(site.url("/admin/mails?state=failed&kind=verification"));
    await page.getByText("No mails match these filters").waitFor();
    await page.goto(site.url("/admin/audit-logs"));
    await page.getByText("Send a failed mail again").first().waitFor();
    expect(site.complaints).toEqual([]);
  });
});
