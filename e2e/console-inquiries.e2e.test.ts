import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { reportNumber } from "#contracts/report/masks.ts";
import { linkOfMail, signIn } from "./support/account-forms.ts";
import { withoutChanges } from "./support/browser.ts";
import { violations } from "./support/page-checks.ts";
import { chargeback } from "./support/reports.ts";
import { ADMIN } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

let site: Site;
/** The console. Each test continues where the one before ended. */
let page: Page;
let report: string;
let number: string;
let admin: string;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  page = await site.openTab();
  report = (await site.post("/reports/submit", chargeback)).id;
  admin = (await site.post("/auth/login", ADMIN)).token;
});

const rows = () => page.getByRole("table", { name: "Inquiries" }).getByRole("row");
const filtered = (filter: object) =>
  site.url(`/admin/inquiries?filter=${encodeURIComponent(JSON.stringify(filter))}`);
const history = () => page.getByRole("region", { name: "History" }).getByRole("listitem");
const note = () => page.getByRole("textbox", { name: "Note" });
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();

describe("inquiries in the console", () => {
  it("list a law enforcement request, with the time left", async () => {
    const request = {
      agency: "Denver Police",
      name: "Det. Ann Lee",
      email: "ann@police.example",
      legal_basis: "Subpoena 12",
      cases: "Quinn Ames",
    };
    number = (await site.post("/law-enforcement/requests", request)).number;
    await page.goto(filtered({ status: "new" }));
    await signIn(page, ADMIN.email, ADMIN.password);
    await page.getByRole("heading", { level: 1, name: "Inquiries" }).waitFor();
    const row = rows().filter({ hasText: number });
    await row.getByText("23 hours left").waitFor();
    expect(await row.innerText()).not.toContain("ann@police.example");
    await page.goto(filtered({ kind: "enterprise" }));
    await rows().or(page.getByText("No inquiries match these filters")).first().waitFor();
    expect(await rows().filter({ hasText: number }).count()).toBe(0);
    await page.goto(site.url("/admin/inquiries"));
    await rows().getByRole("link", { name: number }).click();
    await page.getByRole("heading", { level: 1, name: number }).waitFor();
  });

  it("reveal the message, which the history records", async () => {
    const sent = page.getByRole("region", { name: "Message" });
    await sent.getByRole("button", { name: "Reveal" }).click();
    await sent.getByText("Subpoena 12").waitFor();
    await history().filter({ hasText: "Message viewed" }).waitFor();
    await sent.getByRole("button", { name: "Hide" }).click();
    await page.getByText("Subpoena 12").waitFor({ state: "detached" });
  });

  it("accept a status and notes, without losing a note being typed", async () => {
    await note().fill("Rang the desk");
    await press("Start");
    await history().filter({ hasText: "Status: In progress" }).waitFor();
    expect(await note().inputValue()).toBe("Rang the desk");
    await press("Add note");
    await history().filter({ hasText: "Rang the desk" }).waitFor();
    expect(await note().inputValue()).toBe("");
  });

  it("refuse to change a status that someone else has changed, and show it", async () => {
    const [id] = page.url().split("/").slice(-1);
    // Nothing informs the page before the button is pressed.
    await withoutChanges(page);
    await page.reload();
    await page.getByRole("button", { name: "Mark as answered" }).waitFor();
    await site.post(`/admin/inquiries/${id}/status`, { status: "answered", revision: 1 }, admin);
    await press("Mark as answered");
    await page.getByText("Someone else changed this in the meantime").waitFor();
    await history().filter({ hasText: "Status: Answered" }).waitFor();
    await page.getByText("Answered in time").waitFor();
  });

  it("open a report for the request, which its history and the log record", async () => {
    const disclosure = page.getByRole("region", { name: "Open a report for this request" });
    await disclosure.getByLabel("Report").fill("R-00000-00000");
    await disclosure.getByText("No report found").waitFor();
    await disclosure.getByLabel("Report").fill(site.url(`/admin/reports/${report}`));
    await page.getByRole("option", { name: reportNumber(report) }).waitFor();
    await page.keyboard.press("Enter");
    await disclosure.getByRole("button", { name: "Open report" }).click();
    await disclosure.getByText(chargeback.reporter_email).waitFor();
    await history().filter({ hasText: "viewed for this request" }).waitFor();
    const inquiry = page.url();
    await page.goto(site.url("/admin/audit-logs"));
    await page.getByText("Open a report for a law enforcement request").first().waitFor();
    await page.goto(inquiry);
    await press("Close");
    await history().filter({ hasText: "Status: Closed" }).waitFor();
    await page.getByRole("button", { name: "Reopen" }).waitFor();
    expect(await disclosure.count()).toBe(0);
  });

  it("are answered by email, and show the reply once the message is revealed", async () => {
    const conversation = page.getByRole("region", { name: "Conversation" });
    expect(await conversation.count()).toBe(0);
    await press("Reopen");
    await conversation.getByLabel("Answer").fill("Please send us the order.");
    expect(await conversation.innerText()).not.toContain("ann@police.example");
    await press("Send answer");
    await conversation.getByText("Please send us the order.").waitFor();
    await history().filter({ hasText: "Answered by email" }).waitFor();

    const visitor = await site.openTab();
    const [outbox, to] = [site.url("/outbox"), "ann@police.example"];
    await visitor.goto(await linkOfMail(visitor, outbox, /Our answer to/, "/inquiry-answer/", to));
    await visitor.getByText("Please send us the order.").waitFor();
    await visitor.getByRole("button", { name: "Send Reply" }).click();
    await visitor.getByText("Reply is required").waitFor();
    await visitor.getByLabel("Your reply").fill("It is in the mail.");
    await visitor.getByRole("button", { name: "Send Reply" }).click();
    await visitor.getByRole("heading", { name: "Thank you for your reply" }).waitFor();
    await visitor.reload();
    await visitor.getByText("We've received your reply").waitFor();
    await visitor.context().close();

    await page.reload();
    await conversation.getByText("Reply from the sender").waitFor();
    await page.getByRole("button", { name: "Mark as answered" }).waitFor();
    await page.getByText("23 hours left").waitFor();
    expect(await page.getByText("It is in the mail.").count()).toBe(0);
    await press("Reveal");
    await conversation.getByText("It is in the mail.").waitFor();
    expect(await violations(page)).toEqual([]);
    expect(site.complaints).toEqual([]);
  });
});
