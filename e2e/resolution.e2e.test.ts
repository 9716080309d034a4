import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { pdf } from "#services/command-api/testing/uploads.fixture.ts";
import { linkOfMail, register } from "./support/account-forms.ts";
import { tokenOf } from "./support/browser.ts";
import { violations } from "./support/page-checks.ts";
import { chargeback } from "./support/reports.ts";
import { ADMIN, openSession } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const REPORTER = "rae@resolution.example";
/** No other test file reports this person. */
const PERSON = "Quinn Solved";
const REFUSAL = "The notary's seal is missing";

let site: Site;
/** Each test continues where the one before ended. */
let page: Page;
let id: string;
let admin: string;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  page = await site.openTab();
});

const letter = (name: string) => ({ name, mimeType: "application/pdf", buffer: pdf });
const panel = () => page.getByRole("region", { name: "RESOLVED banner" });

async function openOwnReport(): Promise<void> {
  await site.show(page, `/dashboard/reports/${id}`);
  await panel().waitFor();
}

async function ask(name: string): Promise<void> {
  await panel().locator("input[type=file]").setInputFiles(letter(name));
  await panel().getByText(/^PDF,/).waitFor();
  const agree = panel().getByRole("checkbox");
  if (!(await agree.isChecked())) await agree.check();
  await panel().getByRole("button", { name: "Request the banner" }).click();
  await panel().getByText("We've received your letter").waitFor();
}

describe("the RESOLVED banner in a browser", () => {
  it("is offered on an account's own report once that is public", async () => {
    await site.show(page, "/register");
    await register(page, REPORTER, ADMIN.password);
    await page.waitForURL(site.url("/dashboard"));
    const report = { ...chargeback, last_name: "Solved", reporter_email: REPORTER };
    id = (await site.post("/reports/submit", report, await tokenOf(page))).id;
    admin = (await site.post("/auth/login", ADMIN)).token;
    await openOwnReport();
    await panel().getByText("once the report is public").waitFor();
    expect(await panel().getByRole("button").count()).toBe(0);
    await site.post(`/admin/reports/${id}/approve`, {}, admin);
    await openOwnReport();
    expect(await panel().innerText()).toContain("$250.00");
  });

  it("can't be requested without a letter and agreement to the terms", async () => {
    const send = panel().getByRole("button", { name: "Request the banner" });
    await send.click();
    await panel().getByText("Add the letter.").waitFor();
    await panel()
      .locator("input[type=file]")
      .setInputFiles({
        name: "letter.pdf",
        mimeType: "application/pdf",
        buffer: Buffer.from("no PDF at all"),
      });
    await panel().getByRole("button", { name: "Remove letter.pdf" }).waitFor();
    await panel().locator("li[data-state=failed]").waitFor();
    await panel().getByRole("button", { name: "Remove letter.pdf" }).click();
    await panel().locator("input[type=file]").setInputFiles(letter("letter.pdf"));
    await panel().getByText(/^PDF,/).waitFor();
    await send.click();
    await panel().getByText("Please read and agree").waitFor();
  });

  it("is requested, withdrawn, and requested again", async () => {
    await panel().getByRole("checkbox").check();
    await panel().getByRole("button", { name: "Request the banner" }).click();
    await panel().getByText("We've received your letter").waitFor();
    await panel().getByRole("button", { name: "Withdraw the request" }).click();
    await panel().getByText("Your request was withdrawn").waitFor();
    await ask("second.pdf");
    await openOwnReport();
    await panel().getByText("We've received your letter").waitFor();
  });

  it("shows why a letter was refused, and accepts another one", async () => {
    await site.post(
      `/admin/reports/${id}/resolution/refuse`,
      {
        request_id: await requestId(),
        reason: REFUSAL,
      },
      admin,
    );
    await openOwnReport();
    await panel().getByText(REFUSAL).waitFor();
    await ask("third.pdf");
  });

  it("is shown on the page, in lists and in search once the fee is paid, which can be refunded", async () => {
    const staff = await site.openTabAs(await openSession(site.origin, ADMIN));
    await staff.goto(await linkOfMail(staff, site.url("/outbox"), /RESOLVED banner/, "/admin/"));
    const person = staff.getByRole("link", { name: PERSON });
    await person.click();
    const section = staff.getByRole("region", { name: "RESOLVED banner" });
    await section.getByText("Letter under review").waitFor();
    const download = staff.waitForEvent("download");
    await section.getByRole("button", { name: "Download letter" }).click();
    expect((await download).suggestedFilename()).toBe("letter.pdf");
    await section.getByRole("button", { name: "Accept letter…" }).click();
    await staff.getByRole("dialog").getByRole("button", { name: "Accept letter" }).click();
    await section.getByText("Waiting for payment").waitFor();
    await openOwnReport();
    await panel().getByText("We've accepted your letter").waitFor();
    await section.getByRole("button", { name: "Record payment…" }).click();
    const dialog = staff.getByRole("dialog");
    await dialog.getByRole("button", { name: "Record payment" }).click();
    await dialog.getByText("Choose how it was paid").waitFor();
    expect(await violations(staff)).toEqual([]);
    await dialog.getByRole("combobox", { name: "How it was paid" }).click();
    await staff.getByRole("option", { name: "Check" }).click();
    await dialog.getByLabel("Reference").fill("Check 1042");
    await dialog.getByRole("button", { name: "Record payment" }).click();
    await section.getByText("Resolved", { exact: true }).waitFor();
    await section.getByRole("cell", { name: "Check 1042" }).waitFor();
    expect(await violations(staff)).toEqual([]);
    await openOwnReport();
    await panel().getByText("the report shows the banner").last().waitFor();
    await site.show(page, "/dashboard");
    await page.getByText("RESOLVED", { exact: true }).waitFor();
    await expect
      .poll(async () => {
        await site.show(page, "/search?q=solved");
        await page.getByRole("heading", { level: 1 }).waitFor();
        return page.getByText("RESOLVED", { exact: true }).count();
      })
      .toBe(1);
    await page.getByRole("link", { name: PERSON }).click();
    await page.getByRole("heading", { name: "RESOLVED" }).waitFor();
    expect(await violations(page)).toEqual([]);
    await section.getByRole("button", { name: "Refund…" }).click();
    await dialog.getByRole("combobox", { name: "Reason" }).click();
    await staff.getByRole("option", { name: "Paid by mistake" }).click();
    await dialog.getByLabel("Details").fill("Meant for another report");
    await dialog.getByRole("button", { name: "Record refund" }).click();
    await section.getByText("Refunded", { exact: true }).first().waitFor();
    await openOwnReport();
    await panel().getByText("Your payment was refunded").waitFor();
  });
});

/** Returns the ID of the pending request, as the owner's page reads it. */
async function requestId(): Promise<string> {
  const route = `/account/reports/${id}/open`;
  return (await site.post(route, {}, await tokenOf(page))).resolution.request_id;
}
