import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { fillReport, linkOfMail, register } from "./support/account-forms.ts";
import { violations } from "./support/page-checks.ts";
import { chargeback } from "./support/reports.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const EMAIL = "rae@claims.example";
const TITLES = ["Sent first", "Sent second", "Sent third"];

let site: Site;
/** Each test continues where the one before ended. */
let page: Page;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  page = await site.openTab();
});

const offer = () =>
  page.getByRole("region", { name: "Reports you submitted before you had an account" });
const row = (title: string) => page.getByRole("article").filter({ hasText: title });

/** Returns the link in a new email, read in a window that isn't signed in. */
async function mailed(subject: RegExp, known: readonly string[] = []): Promise<string> {
  const window = await site.openTab();
  let link = "";
  await expect
    .poll(async () => {
      link = await linkOfMail(window, site.url("/outbox"), subject, "/verify-email/", EMAIL);
      return link !== "" && !known.includes(link);
    })
    .toBe(true);
  await window.context().close();
  return link;
}

describe("reports from before the account existed, in a browser", () => {
  it("are not offered before the account confirms its address", async () => {
    const links: string[] = [];
    for (const title of TITLES) {
      await site.post("/reports/submit", { ...chargeback, title, reporter_email: EMAIL });
      links.push(await mailed(/^Confirm your report/, links));
    }
    for (const link of links) await site.post(`/verify-email/${link.split("/").at(-1)}`, {});
    await site.show(page, "/register");
    await register(page, EMAIL, "Correct-horse-9");
    await page.waitForURL(site.url("/dashboard"));
    await page.getByText("You haven't submitted any reports").waitFor();
    expect(await offer().count()).toBe(0);
  }, 60_000);

  it("are then offered, and added one at a time", async () => {
    await page.goto(await mailed(/^Confirm your email address/));
    await page.getByRole("button", { name: "Confirm Email" }).click();
    await page.getByText("Email verified successfully!").waitFor();
    await expect
      .poll(async () => {
        await site.show(page, "/dashboard");
        await page.getByText("Loading your account…").waitFor({ state: "detached" });
        return page.getByText(/^3 reports were submitted from your email address/).count();
      })
      .toBe(1);
    expect(await violations(page)).toEqual([]);
    await offer()
      .getByRole("listitem")
      .filter({ hasText: "Sent second" })
      .getByRole("button")
      .click();
    await row("Sent second").waitFor();
    await page.getByText("1 report is now in your account.").waitFor();
    await page.getByText(/^2 reports were submitted from your email address/).waitFor();
  }, 60_000);

  it("stay unchanged when the registry does not answer, and can all be added together", async () => {
    await page.route("**/account/reports/*/claim**", (route) => route.abort());
    await page.getByRole("button", { name: "Add All" }).click();
    await page.getByText("We couldn't add the report to your account.").waitFor();
    await page.unroute("**/account/reports/*/claim**");
    await page.getByRole("button", { name: "Add All" }).click();
    for (const title of TITLES) await row(title).waitFor();
    await offer().waitFor({ state: "detached" });
  });

  it("need no further confirmation when the account submits more from its address", async () => {
    await site.show(page, "/report");
    await expect.poll(() => page.locator("#field-reporter_email").inputValue()).toBe(EMAIL);
    await fillReport(page, { ...chargeback, title: "Sent by the account", reporter_email: EMAIL });
    await page.getByRole("button", { name: "Submit Report" }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    expect(await page.locator("main").innerText()).not.toContain("Confirm your email");
  });

  it("log no errors", () => {
    expect(site.complaints).toEqual([]);
  });
});
