import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { linkOfMail, register } from "./support/account-forms.ts";
import { chargeback } from "./support/reports.ts";
import { ADMIN } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const REASON = "No proof of delivery was given";

let site: Site;
/** Each test continues where the one before ended. */
let page: Page;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  page = await site.openTab();
});

const dashboard = () => site.show(page, "/dashboard");
const row = (title: string) => page.getByRole("article").filter({ hasText: title });

/** Submits a report as the user signed in on the page. */
async function submit(title: string, change: object = {}): Promise<string> {
  const token = await page.evaluate(() => localStorage.getItem("token"));
  return (await site.post("/reports/submit", { ...chargeback, title, ...change }, token ?? "")).id;
}

async function moderate(id: string, command: string, body: object = {}): Promise<void> {
  const { token } = await site.post("/auth/login", ADMIN);
  await site.post(`/admin/reports/${id}/${command}`, body, token);
}

describe("the dashboard in a browser", () => {
  it("requires an account, and remembers where the visitor was going", async () => {
    await dashboard();
    await page.waitForURL(/\/login\?next=%2Fdashboard$/);
  });

  it("invites a first report if there is none", async () => {
    await site.show(page, "/register");
    await register(page, "rae@dashboard.example", ADMIN.password);
    await page.waitForURL(site.url("/dashboard"));
    await page.getByText("You haven't submitted any reports").waitFor();
    await page.getByText("Confirm your address").waitFor();
    await page.getByRole("link", { name: "Report Abuse" }).last().click();
    await page.waitForURL(site.url("/report"));
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "Dashboard" })
      .click();
    await page.waitForURL(site.url("/dashboard"));
  });

  it("shows what became of each report, and what its reporter must do", async () => {
    const [approved, rejected] = [await submit("Paid and kept"), await submit("Never paid")];
    await submit("Waits for its mail");
    await moderate(approved, "approve");
    await moderate(rejected, "reject", { reason: REASON });
    await expect
      .poll(async () => {
        await dashboard();
        await row("Never paid").waitFor();
        return row("Never paid").getByText(REASON).count();
      })
      .toBe(1);
    await row("Paid and kept").getByText("Approved").first().waitFor();
    await row("Waits for its mail").getByText("Next: confirm your email").waitFor();
    await page.getByText("1 report is waiting for you to confirm your email").waitFor();
    const figures = await page.locator("dl dd").allInnerTexts();
    expect(figures).toEqual(["1", "0", "1", "1", "0"]);
    await page.getByText("Show as a table").click();
    const months = page.getByRole("table").getByRole("row");
    await expect.poll(() => months.count()).toBe(13);
    const sum = await row("Never paid")
      .getByText(/^Total due: /)
      .locator("..")
      .innerText();
    expect(sum).toContain("$");
    await row("Paid and kept")
      .getByRole("link", { name: /^View public page/ })
      .click();
    await page.waitForURL(/\/report\/./);
  });

  it("shows more reports when asked", async () => {
    const list = /\/account\/reports(\?|$)/;
    await page.route(list, async (route) => {
      const isMore = route.request().url().includes("page=more");
      const address = new URL(route.request().url());
      address.searchParams.delete("page");
      const response = await route.fetch({ url: address.href });
      const { data } = await response.json();
      const reports = isMore ? data.reports.slice(2) : data.reports.slice(0, 2);
      const cutOff = { ...data, reports, next: isMore ? null : "more" };
      return route.fulfill({ response, json: { success: true, data: cutOff } });
    });
    await dashboard();
    await row("Waits for its mail").waitFor();
    expect(await page.getByRole("article").count()).toBe(2);
    await page.getByRole("button", { name: "Show More" }).click();
    await row("Paid and kept").waitFor();
    expect(await page.getByRole("article").count()).toBe(3);
    expect(await page.getByRole("button", { name: "Show More" }).count()).toBe(0);
    await page.unroute(list);
  });

  it("says that the reports could not be loaded, and tries again when asked", async () => {
    await page.route("**/account/reports**", (route) => route.abort());
    await dashboard();
    await page.getByText("We couldn't load your reports. Please try again.").waitFor();
    await page.unroute("**/account/reports**");
    await page.getByRole("button", { name: "Try again" }).click();
    await row("Paid and kept").waitFor();
  });

  it("accepts an answer to a moderator's question, which comes first", async () => {
    for (const title of ["Asked about", "Asked about too"]) {
      // Each address gets a limited number of emails a day.
      const to = `${title.replaceAll(" ", "-")}@dashboard.example`;
      const id = await submit(title, { reporter_email: to });
      const mails = await site.openTab();
      const outbox = site.url("/outbox");
      const link = await linkOfMail(mails, outbox, /Confirm your report/, "/verify-email/", to);
      await site.show(mails, new URL(link).pathname);
      await mails.getByRole("button", { name: "Confirm Email" }).click();
      await mails.getByText("Our team will review your report next.").waitFor();
      await mails.close();
      await moderate(id, "question", { question: "Which carrier\ndelivered it?" });
    }
    const asked = page.getByRole("region", { name: "Questions for you" });
    const needed = page.getByText("Your answer is needed");
    await expect
      .poll(async () => {
        await dashboard();
        await row("Asked about too").first().waitFor();
        return [await asked.getByRole("article").count(), await needed.count()];
      })
      .toEqual([2, 2]);
    expect(await page.locator("main h2").nth(1).innerText()).toBe("Questions for you");
    const one = asked.getByRole("article").first();
    await one.getByRole("button", { name: /^Answer/ }).click();
    await one.getByRole("button", { name: "Send Answer" }).click();
    await one.getByText("Answer is required").waitFor();
    await one.getByLabel("Your answer").fill("The post.");
    await one.getByRole("button", { name: "Send Answer" }).click();
    await page.getByText("Thank you. Your report is back at the front").waitFor();
    await expect.poll(() => asked.getByRole("article").count()).toBe(1);
    await asked.getByText("Asked about too").waitFor();
    await asked.getByLabel("Your answer").fill("The post again.");
    await asked.getByRole("button", { name: "Send Answer" }).click();
    await asked.waitFor({ state: "detached" });
    expect(await row("Asked about too").getByText("You answered").count()).toBe(1);
    expect(await needed.count()).toBe(0);
  });

  it("logs no errors", () => {
    expect(site.complaints).toEqual([]);
  });
});
