import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { fillReport, linkOfMail } from "./support/account-forms.ts";
import { chargeback } from "./support/reports.ts";
import { ADMIN, openSession } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const WRONG = "rae@reporter-lnks.example";
const RIGHT = "rae@reporter-links.example";
/** No other test file reports this person. */
const PERSON = "Quinn Linkman";

let site: Site;
/** Each test continues where the one before ended. */
let page: Page;
let number = "";
/** Path of the report's status page. */
let status = "";
/** Path of the page that accepts the answer. */
let question = "";
let moderator: Page;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  page = await site.openTab();
});

async function submitReport(): Promise<void> {
  await site.show(page, "/report");
  await fillReport(page, { ...chargeback, last_name: "Linkman", reporter_email: WRONG });
  await page.getByRole("button", { name: "Submit Report" }).click();
  await page.getByRole("heading", { name: "Thank you" }).waitFor();
}

const linkIn = (subject: RegExp, target: string, tab = page, to = RIGHT) =>
  linkOfMail(tab, site.url("/outbox"), subject, target, to);
/** Returns the outbox's text, with the address of every email. */
async function recipients(tab: Page): Promise<string> {
  await tab.goto(site.url("/outbox"));
  return tab.locator("main, body").first().innerText();
}
const steps = (tab = page) => tab.locator("main ol li").allInnerTexts();

describe("a reporter without an account", () => {
  it("gets a number, and corrects a mistyped address, which voids the previous link", async () => {
    await submitReport();
    number = (await page.getByText(/^R-[0-9A-F]{5}-[0-9A-F]{5}$/).innerText()).trim();
    const mails = await site.openTab();
    const former = await linkIn(/Confirm your report/, "/verify-email/", mails, WRONG);
    const formerStatus = await linkIn(/Confirm your report/, "/report-status/", mails, WRONG);
    await page.getByRole("button", { name: "Change it" }).click();
    await page.getByRole("button", { name: "Resend to This Address" }).click();
    await page.getByText("We already sent the link to this address").waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("correct-email");
    await page.getByLabel("Your email").fill(RIGHT);
    await page.getByRole("button", { name: "Resend to This Address" }).click();
    await page.getByText(RIGHT).waitFor();
    expect(page.url()).toBe(site.url("/report"));
    await site.show(mails, new URL(former).pathname);
    await mails.getByRole("button", { name: "Confirm Email" }).click();
    await mails.getByRole("heading", { name: "This link doesn't work" }).waitFor();
    await site.show(mails, new URL(formerStatus).pathname);
    await mails.getByRole("heading", { name: "This link is no longer valid" }).waitFor();
    await expect.poll(() => recipients(mails)).toContain(RIGHT);
    await mails.close();
  });

  it("sees the report's progress with the emailed link, before and after confirming", async () => {
    const verify = await linkIn(/Confirm your report/, "/verify-email/");
    status = new URL(await linkIn(/Confirm your report/, "/report-status/")).pathname;
    await site.show(page, status);
    await page.getByRole("heading", { name: "Awaiting your confirmation" }).waitFor();
    expect(await page.getByText(`Report ${number}`).count()).toBe(1);
    expect((await steps()).map((step) => step.split("\n")[0])).toEqual([
      "Submitted",
      "Email corrected",
    ]);
    await page.goto(verify);
    await page.getByRole("button", { name: "Confirm Email" }).click();
    await page.getByText("Our team will review your report next.").waitFor();
    await site.show(page, status);
    await page.getByRole("heading", { name: "Awaiting review" }).waitFor();
  });

  it("is asked a question by a moderator in the console", async () => {
    const staff = await site.openTabAs(await openSession(site.origin, ADMIN));
    await staff.goto(site.url("/admin/reports"));
    await staff.getByRole("link", { name: PERSON }).first().click();
    await staff.getByRole("button", { name: "Ask the reporter…" }).click();
    await staff.getByLabel("Question").fill("Which carrier delivered it?");
    await staff.getByRole("button", { name: "Send question" }).click();
    await staff.getByText("Question sent").waitFor();
    await staff.getByText("Waiting for the reporter's answer until").waitFor();
    moderator = staff;
  });

  it("answers it with the emailed link, once", async () => {
    question = new URL(await linkIn(/A question about your .*report/, "/report-question/"))
      .pathname;
    await site.show(page, status);
    await page.getByRole("heading", { name: "Awaiting your answer" }).waitFor();
    await site.show(page, question);
    await page.getByText("Which carrier delivered it?").waitFor();
    await page.getByRole("button", { name: "Send Answer" }).click();
    await page.getByText("Answer is required").waitFor();
    await page.getByLabel("Your answer").fill(`<i>The post</i> ${"x".repeat(4000)}`);
    await page.getByRole("button", { name: "Send Answer" }).click();
    await page.getByRole("heading", { name: "Thank you for your answer" }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    await site.show(page, question);
    await page.getByText("This question has been answered.").waitFor();
    expect(await page.getByText("Which carrier").count()).toBe(0);
  });

  it("has the report back before the moderators, with the answer as plain text", async () => {
    const staff = moderator;
    await staff.goto(site.url("/admin/reports"));
    await staff.getByRole("tab", { name: /^Answered/ }).click();
    await staff.getByRole("link", { name: PERSON }).first().click();
    await staff.getByText("<i>The post</i>").waitFor();
    await staff.close();
  });

  it("sees on the status page why a report is not published", async () => {
    const { token } = await site.post("/auth/login", ADMIN);
    const found = await fetch(site.url("/prod/api/admin/reports?q=Linkman"), {
      headers: { authorization: `Bearer ${token}` },
    });
    const [report] = (await found.json()).data.reports;
    await site.post(
      `/admin/reports/${report.id}/reject`,
      { reason: "No proof of delivery" },
      token,
    );
    await site.show(page, status);
    await page.getByRole("heading", { name: "Not published" }).waitFor();
    await page.getByText("No proof of delivery").waitFor();
    expect(await page.locator("main ol li").count()).toBe(6);
  });
});
