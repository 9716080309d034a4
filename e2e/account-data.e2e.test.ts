import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { pdf } from "#services/command-api/testing/uploads.fixture.ts";
import { register } from "./support/account-forms.ts";
import { tokenOf } from "./support/browser.ts";
import { faults } from "./support/page-checks.ts";
import { chargeback } from "./support/reports.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const RAE = "rae@account-data.example";
const PASSWORD = "Correct-horse-9";

let site: Site;
/** The browser in which Rae registers. Each test continues where the one before ended. */
let page: Page;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  page = await site.openTab();
});

const button = () => page.getByRole("button", { name: "Download My Data" });

async function submit(title: string, evidence: object[] = []): Promise<void> {
  await site.post("/reports/submit", { ...chargeback, title, evidence }, await tokenOf(page));
}

/** Returns the file that a click on the button, or another action, saves. */
async function saved(press: () => Promise<void> = () => button().click()) {
  const [download] = await Promise.all([page.waitForEvent("download"), press()]);
  expect(download.suggestedFilename()).toMatch(/^my-data-\d{4}-\d\d-\d\d\.json$/);
  return JSON.parse(await readFile(await download.path(), "utf8"));
}

describe("an account's data in a browser", () => {
  it("is saved as one file, with no reports if there are none", async () => {
    await site.show(page, "/register");
    await register(page, RAE, PASSWORD);
    await page.waitForURL(site.url("/dashboard"));
    await site.show(page, "/account-settings");
    const data = await saved();
    expect(data).toMatchObject({ account: { email: RAE, company: "Alpine Watches" }, reports: [] });
    expect(data.sessions).toMatchObject([{ current: true, uses: [{ ip: expect.any(String) }] }]);
    expect(data).not.toHaveProperty("next");
    expect(data).not.toHaveProperty("files");
    expect(await page.getByRole("heading", { name: "Your Files" }).count()).toBe(0);
    await page.getByText("Your data has been downloaded.").waitFor();
  });

  it("includes all reports, however many pages they take", async () => {
    await submit("A parcel that was kept");
    // The server ends a page at 50 reports, more than an account may submit in ten minutes.
    await page.route("**/auth/export**", async (route) => {
      if (route.request().postDataJSON().next === "more") {
        await page.getByText("Reports so far: 1").waitFor();
        const reports = [{ id: "of the second page", files: [] }];
        const empty = { history: [], sessions: [], claims: [], inquiries: [] };
        const data = { ...empty, reports, next: null, files: "x" };
        return route.fulfill({ json: { success: true, data } });
      }
      const response = await route.fetch();
      const { data } = await response.json();
      return route.fulfill({ response, json: { success: true, data: { ...data, next: "more" } } });
    });
    const { account, reports } = await saved();
    await page.unroute("**/auth/export**");
    expect(account.email).toBe(RAE);
    expect(reports).toMatchObject([
      {
        status: "pending",
        report: { title: "A parcel that was kept", first_name: chargeback.first_name },
      },
      { id: "of the second page" },
    ]);
  });

  it("comes with the files that the account added, each with its own button", async () => {
    const { id, secret } = await site.post("/uploads", new Uint8Array(pdf));
    await submit("A parcel with an invoice", [{ id, secret, name: "invoice.pdf" }]);
    const { reports } = await saved();
    expect(reports.flatMap(({ files }: { files: object[] }) => files)).toMatchObject([
      { name: "invoice.pdf", bytes: pdf.length, kind: "evidence" },
    ]);
    await page.getByRole("heading", { name: "Your Files" }).waitFor();
    expect(await faults(page)).toEqual([]);
    await page.route("**/auth/export/file", (route) => route.abort(), { times: 1 });
    const download = page.getByRole("button", { name: "Download invoice.pdf" });
    await download.click();
    await page.getByText("We couldn't download the file. Please try again.").waitFor();
    const [file] = await Promise.all([page.waitForEvent("download"), download.click()]);
    expect(file.suggestedFilename()).toBe("invoice.pdf");
    expect(await readFile(await file.path())).toEqual(pdf);
    await page.getByText("invoice.pdf has been downloaded.").waitFor();
  });

  it("is saved after the password is entered again, if that was long ago", async () => {
    const refused = {
      status: 403,
      json: { success: false, error: { code: "proof_required", message: "Show it again" } },
    };
    await page.route("**/auth/export**", (route) => route.fulfill(refused), { times: 1 });
    await button().click();
    const dialog = page.getByRole("dialog", { name: "Enter your password again" });
    await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
    const { account } = await saved(() => dialog.getByRole("button", { name: "Continue" }).click());
    expect(account.email).toBe(RAE);
  });

  it("can be retried after a failure, but not too often", async () => {
    await page.route("**/auth/export**", (route) => route.abort(), { times: 1 });
    await button().click();
    await page.getByText("We couldn't prepare your data. Please try again.").waitFor();
    const text = "You can download your data five times a day. Please try again later.";
    const refused = { status: 429, json: { success: false, error: { code: "too_many_requests" } } };
    await page.route("**/auth/export**", (route) => route.fulfill(refused), { times: 1 });
    await button().click();
    await expect.poll(() => page.getByRole("alert").allInnerTexts()).toEqual([text]);
  });

  it("logs no errors", () => {
    expect(site.complaints).toEqual([]);
  });
});
