import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { fillReport, register } from "./support/account-forms.ts";
import { takenOver, tokenOf } from "./support/browser.ts";
import { chargeback } from "./support/reports.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const PASSWORD = "Correct-horse-9";

let site: Site;
/** Each test continues where the one before ended. */
let page: Page;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  page = await site.openTab();
});

const field = (name: string) => page.locator(`#field-${name}`);
const stored = () => page.evaluate(() => localStorage.getItem("registry_report_draft"));
const restored = () => page.getByText(/^We restored your draft from/);

async function fill(values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await field(name).fill(value);
}

/** Fills in and submits the form of a page whose scripts have not run; those of the next page do. */
async function sendPlain(values: object): Promise<void> {
  await page.route("**/assets/**.js", (route) => route.abort());
  await page.goto(site.url("/report"));
  await fillReport(page, values);
  await page.unroute("**/assets/**.js");
  await Promise.all([
    page.waitForEvent("load"),
    page.evaluate(() => document.querySelector<HTMLFormElement>('form[method="post"]')?.submit()),
  ]);
  await takenOver(page);
}

describe("the report form in a browser", () => {
  it("keeps a visitor's draft across visits, without card and contact details, and says so", async () => {
    await site.show(page, "/report");
    expect(await stored()).toBeNull();
    await fill({ title: "Paid, then taken back", email: "quinn@example.net", last_4: "4242" });
    await page.getByRole("button", { name: "Add a chargeback" }).click();
    await page.locator("#field-chargebacks-0-amount").fill("80");
    await page.getByText(/^We save a draft in this browser/).waitFor();
    await expect.poll(stored).toContain('"80"');
    expect(await stored()).not.toMatch(/quinn@|4242/);
    await site.show(page, "/report");
    await restored().waitFor();
    expect(await field("title").inputValue()).toBe("Paid, then taken back");
    expect(await field("chargebacks-0-amount").inputValue()).toBe("80");
    for (const name of ["email", "last_4"]) expect(await field(name).inputValue()).toBe("");
  });

  it("keeps what was typed before the page's scripts ran, in preference to the draft", async () => {
    const typed = Promise.withResolvers<void>();
    await page.route("**/assets/**.js", (route) => typed.promise.then(() => route.continue()));
    await page.goto(site.url("/report"), { waitUntil: "commit" });
    await fill({ title: "Typed at once", city: "Denver" });
    await field("currency").selectOption("EUR");
    await page.getByLabel(/agree to the/).check();
    typed.resolve();
    await restored().waitFor();
    await page.unroute("**/assets/**.js");
    await field("zip").fill("80202");
    expect(await field("title").inputValue()).toBe("Typed at once");
    expect(await field("city").inputValue()).toBe("Denver");
    expect(await field("currency").inputValue()).toBe("EUR");
    expect(await field("chargebacks-0-amount").inputValue()).toBe("80");
  });

  it("discards the draft when asked", async () => {
    await page.getByRole("button", { name: "Discard draft" }).first().click();
    await restored().waitFor({ state: "detached" });
    expect(await field("title").inputValue()).toBe("");
    expect(await stored()).toBeNull();
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    await expect.poll(focused).toBe("H1");
  });

  it("fills in an account's name, address and company, but no public company name", async () => {
    await site.show(page, "/register");
    await register(page, "rae@report-drafts.example", PASSWORD);
    await page.waitForURL(site.url("/dashboard"));
    await site.show(page, "/report");
    const filledIn = {
      reporter_first_name: "Rae",
      reporter_last_name: "Holt",
      reporter_email: "rae@report-drafts.example",
      reporter_company_name: "Alpine Watches",
      public_username: "",
    };
    for (const [name, value] of Object.entries(filledIn))
      await expect.poll(() => field(name).inputValue()).toBe(value);
    expect(await stored()).toBeNull();
  });

  it("says that the account reported the order before, without blocking the report", async () => {
    const body = { ...chargeback, tracking_number: "WB-1042" };
    const { id } = await site.post("/reports/submit", body, await tokenOf(page));
    const told = page.getByText(/^You reported this order on/);
    await site.show(page, "/report");
    await fill({ tracking_number: "WB-104" });
    await page.waitForResponse(/same-order/);
    expect(await told.count()).toBe(0);
    // The registry may not have projected it yet.
    await expect
      .poll(async () => {
        const typed = page.waitForResponse(/same-order/);
        await fill({ tracking_number: "" });
        await fill({ tracking_number: "wb-1042" });
        return (await (await typed).json()).data.report?.id;
      })
      .toBe(id);
    // Beside the field, and beside the submit button.
    await expect.poll(() => told.count()).toBe(2);
    const link = page.getByRole("link", { name: "See that report" }).first();
    expect(await link.getAttribute("href")).toBe(`/dashboard/reports/${id}`);
    await fill({ public_username: "Another Shop" });
    // The first report names no merchant, so it may be the same order.
    await page.waitForResponse(/same-order/);
    await expect.poll(() => told.count()).toBe(2);
    await page.getByRole("button", { name: "Discard draft" }).first().click();
    await expect.poll(() => told.count()).toBe(0);
  });

  it("asks for agreement again if the terms have changed, and loses nothing", async () => {
    await fillReport(page);
    // A page of an earlier version of the site names the terms it knows.
    await page.route("**/prod/api/reports/submit**", async (route) => {
      const body = route.request().postDataJSON();
      const isNamed = typeof body.terms_version === "string";
      const postData = { ...body, ...(isNamed ? { terms_version: "2026-01-01" } : {}) };
      await route.continue({ postData });
    });
    await page.getByRole("button", { name: "Submit Report" }).click();
    await page
      .getByText(/^Our terms have changed since/)
      .first()
      .waitFor();
    expect(await page.getByLabel(/agree to the/).isChecked()).toBe(false);
    expect(await field("last_4").inputValue()).toBe("4242");
    await expect.poll(stored).toContain(chargeback.title);
    await page.getByLabel(/agree to the/).check();
    await page.getByRole("button", { name: "Submit Report" }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    await expect.poll(stored).toBeNull();
    await page.unroute("**/prod/api/reports/submit**");
  });

  it("removes the draft from the browser on sign-out, in every tab", async () => {
    await site.show(page, "/report");
    await field("title").fill("Half a report");
    await expect.poll(stored).toContain("Half a report");
    const other = await site.openTab(page.context());
    await site.show(other, "/report");
    await other.getByText(/^We restored your draft from/).waitFor();
    await page.getByRole("button", { name: /Account menu$/ }).click();
    await page.getByRole("button", { name: "Logout" }).click();
    await expect.poll(stored).toBeNull();
    await other.locator("#field-title").fill("Typed after the sign-out");
    await other.getByText(/^We save a draft in this browser/).waitFor({ state: "detached" });
    expect(await stored()).toBeNull();
    // What the form had from the account is removed as well.
    expect(await other.locator("#field-reporter_email").inputValue()).toBe("");
    await other.close();
  });

  it("gives the next account a form without the previous account's details", async () => {
    await site.show(page, "/register");
    await register(page, "ann@report-drafts.example", PASSWORD);
    await page.waitForURL(site.url("/dashboard"));
    const form = await site.openTab(page.context());
    const email = form.locator("#field-reporter_email");
    await site.show(form, "/report");
    await expect.poll(() => email.inputValue()).toBe("ann@report-drafts.example");
    await form.locator("#field-reporter_first_name").fill("Edited-by-Ann");
    await expect.poll(stored).toContain("Edited-by-Ann");
    await page.getByRole("button", { name: /Account menu$/ }).click();
    await page.getByRole("button", { name: "Logout" }).click();
    await expect.poll(() => email.inputValue()).toBe("");
    await site.show(page, "/register");
    await register(page, "bo@report-drafts.example", PASSWORD);
    await page.waitForURL(site.url("/dashboard"));
    await expect.poll(() => email.inputValue()).toBe("bo@report-drafts.example");
    // Bo types before the delay has passed after which a draft is written.
    await form.locator("#field-title").fill("Typed by Bo");
    await expect.poll(stored).toContain("Typed by Bo");
    expect(await stored()).not.toContain("Edited-by-Ann");
    await form.close();
  });

  it("keeps a form sent before the scripts ran, not an older draft, and drops both once it arrives", async () => {
    page = await site.openTab();
    await site.show(page, "/report");
    await field("title").fill("The older draft");
    await expect.poll(stored).toContain("The older draft");
    await sendPlain({ title: "Sent without scripts" });
    await page.getByRole("link", { name: "Your email is required" }).waitFor();
    await expect.poll(stored).toContain("Sent without scripts");
    expect(await field("title").inputValue()).toBe("Sent without scripts");
    expect(await restored().count()).toBe(0);
    await sendPlain(chargeback);
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    await expect.poll(stored).toBeNull();
  });

  it("removes an expired draft from the browser on any page", async () => {
    const write = (savedAt: number) =>
      page.evaluate(
        (at) =>
          localStorage.setItem(
            "registry_report_draft",
            JSON.stringify({ savedAt: at, account: null, fields: {}, items: [] }),
          ),
        savedAt,
      );
    const week = 7 * 86_400_000;
    await write(Date.now() - week + 60_000);
    await site.show(page, "/faq");
    expect(await stored()).not.toBeNull();
    await write(Date.now() - week);
    await site.show(page, "/");
    expect(await stored()).toBeNull();
  });

  it("logs no errors", () => {
    expect(site.complaints).toEqual([]);
  });
});
