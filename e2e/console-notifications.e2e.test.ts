import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { REVEAL_MS } from "#contracts/http/admin-reports.ts";
import { startSmtpServer, type TestSmtpServer } from "#services/mailer/testing/smtp-server.ts";
import { signIn } from "./support/account-forms.ts";
import { onDatabase } from "./support/database.ts";
import { violations } from "./support/page-checks.ts";
import { chargeback } from "./support/reports.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, startSite } from "./support/site.ts";

const PASSWORD = "Correct-horse-9";
const ADMIN = "boss@registry.example";
const REPORTER = chargeback.reporter_email;

let smtp: TestSmtpServer;
let site: Site;
/** The admin's console. Each test continues where the one before ended. */
let page: Page;

beforeAllInBrowser(async () => {
  smtp = await startSmtpServer();
  // The reporter's server rejects the mailbox as unknown.
  smtp.onRecipient = (address) => (address === REPORTER ? { code: 550 } : "accept");
  const env = { ADMIN_EMAIL: ADMIN, ADMIN_PASSWORD: PASSWORD, SMTP_URL: smtp.url };
  site = await startSite(env);
});
afterAll(async () => {
  await site?.close();
  await smtp?.stop();
});

async function signedIn(email: string, route: string): Promise<Page> {
  const opened = await site.openTab();
  await opened.goto(site.url(route));
  await signIn(opened, email, PASSWORD);
  return opened;
}

const bell = () => page.getByRole("button", { name: /^Notifications/ });
const list = () => page.getByRole("dialog", { name: "Notifications" });
/** Reloads the page until the bell has this name. */
async function untilCalled(name: string): Promise<void> {
  const look = async () => {
    await page.reload();
    await page.getByRole("button", { name: /^Notifications:/ }).waitFor();
    return bell().getAttribute("aria-label");
  };
  await expect.poll(look, { timeout: 30_000 }).toBe(name);
}

describe("the console's bell", () => {
  it("says that nothing needs attention while nothing does", async () => {
    page = await signedIn(ADMIN, "/admin/inquiries");
    await page.getByRole("button", { name: "Notifications: nothing needs attention" }).click();
    await list().getByText("Nothing needs attention now.").waitFor();
    await page.keyboard.press("Escape");
    await list().waitFor({ state: "detached" });
  });

  it("counts an inquiry, a failed email, and a report that has waited longer than a day", async () => {
    await site.post("/law-enforcement/requests", {
      agency: "Denver Police",
      name: "Det. Ann Lee",
      email: "ann@police.example",
      legal_basis: "Subpoena 12",
      cases: "Quinn Ames",
    });
    const { id } = await site.post("/reports/submit", chargeback);
    await untilCalled("Notifications: 2 items need attention");
    const { rowCount } = await onDatabase(site.dataDir, (client) =>
      client.query(
        `update reports.report set verified = true, created_at = created_at - interval '2 days',
           waiting_since = waiting_since - interval '2 days' where id = $1`,
        [id],
      ),
    );
    expect(rowCount).toBe(1);
    await untilCalled("Notifications: 3 items need attention");
    const sections = page.getByRole("navigation", { name: "Sections" });
    for (const name of [/^Queue 1/, /^Inquiries 1/, /^Emails 1/])
      await sections.getByRole("link", { name }).waitFor();
    expect(await sections.getByRole("link", { name: /1 ?, 1 late$/ }).count()).toBe(1);
  });

  it("works by keyboard, and leads to where each item is handled", async () => {
    await bell().focus();
    await page.keyboard.press("Enter");
    await list().getByRole("link").first().waitFor();
    const names = await list().getByRole("link").allInnerTexts();
    expect(names.map((name) => name.split("\n")[0])).toEqual([
      "Reports waiting more than a day",
      "Inquiries without an answer",
      "Emails that failed in the last 7 days",
    ]);
    await page.keyboard.press("Escape");
    await list().waitFor({ state: "detached" });
    expect(await bell().evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    for (const _ of ["reports", "inquiries", "mails"]) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/admin\/mails\?.*failed/);
    await page.getByRole("button", { name: /^Resend: Confirm a report/ }).waitFor();
    await bell().click();
    await list()
      .getByRole("link", { name: /^Inquiries/ })
      .click();
    await page.getByRole("heading", { level: 1, name: "Inquiries" }).waitFor();
    await bell().click();
    await list()
      .getByRole("link", { name: /^Reports/ })
      .click();
    await page.getByRole("heading", { level: 1, name: "Reports Management" }).waitFor();
    await page
      .getByRole("status")
      .filter({ hasText: /^1 report$/ })
      .waitFor();
    expect(await page.getByRole("combobox", { name: "Waiting" }).innerText()).toBe(
      "Longer than a day",
    );
  });

  it("says what could not be loaded, and tries again", async () => {
    await page.route("**/prod/api/admin/notifications*", async (route) => {
      const answer = await route.fetch();
      const { data } = await answer.json();
      const kept = data.notifications.filter(
        ({ kind }: { kind: string }) => kind !== "failed_mails",
      );
      await route.fulfill({
        response: answer,
        json: { success: true, data: { ...data, notifications: kept, failed: ["failed_mails"] } },
      });
    });
    await page.reload();
    await page
      .getByRole("button", {
        name: "Notifications: 2 items need attention, couldn't load some",
      })
      .click();
    await list().getByText("Couldn't load: Emails that failed in the last 7 days").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await list().getByRole("button", { name: "Try again" }).click();
    await list()
      .getByRole("link", { name: /^Emails/ })
      .waitFor();
  });
});

const rows = () => page.getByRole("table", { name: "Emails" }).getByRole("row");
/** The email that confirms the reporter's address. */
const mail = () => rows().filter({ hasText: "Confirm a report" });
/** Reloads the list until the email is in this state. */
async function untilListed(state: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.reload();
        await rows()
          .or(page.getByText(/^No emails/))
          .first()
          .waitFor();
        return mail().filter({ hasText: state }).count();
      },
      { timeout: 30_000 },
    )
    .toBe(1);
}

describe("emails in the console", () => {
  it("include one that the recipient's server rejected, with the address masked", async () => {
    await page.goto(site.url("/admin/mails"));
    await page.getByRole("heading", { level: 1, name: "Emails" }).waitFor();
    await untilListed("Failed");
    expect(await mail().innerText()).not.toContain(REPORTER);
    expect(smtp.received.filter(({ to }) => to === REPORTER)).toEqual([]);
  });

  it("are resent and arrive, and can be read, and found by their full address", async () => {
    smtp.onRecipient = () => "accept";
    await page.getByRole("button", { name: /^Resend: Confirm a report/ }).click();
    await page.getByText("The email will be sent again").waitFor();
    const arrived = () => smtp.received.filter(({ to }) => to === REPORTER);
    await expect.poll(() => arrived().length, { timeout: 30_000 }).toBe(1);
    expect(arrived()[0]?.text).toContain("/verify-email/");
    await untilListed("Sent");
    expect(
      await mail()
        .getByRole("button", { name: /^Resend/ })
        .count(),
    ).toBe(0);
    await mail()
      .getByRole("button", { name: /^Read: Confirm a report/ })
      .click();
    const dialog = page.getByRole("dialog", { name: "Confirm a report" });
    await page.clock.install();
    await dialog.getByRole("button", { name: "Reveal" }).click();
    const text = dialog.getByRole("region", { name: "Text of the email" });
    await text.getByText("[link hidden]").first().waitFor();
    expect(await text.innerText()).not.toContain("/verify-email/");
    expect(await violations(page)).toEqual([]);
    await page.clock.fastForward(REVEAL_MS);
    await text.waitFor({ state: "detached" });
    await dialog.getByRole("button", { name: "Close" }).click();
    const search = page.getByRole("searchbox", { name: "Search" });
    await search.fill("half@");
    await page.getByText("Enter the full address").waitFor();
    await search.fill(` x${REPORTER} `);
    await page.getByText("No emails match these filters").waitFor();
    await search.fill(REPORTER);
    await mail().waitFor();
    expect(site.complaints).toEqual([]);
  });
});
