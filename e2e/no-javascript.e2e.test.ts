import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { fillReport, linkOfMail, typed } from "./support/account-forms.ts";
import { NARROW, overflows } from "./support/page-checks.ts";
import { badCheck } from "./support/reports.ts";
import { beforeAllInBrowser, sharedBrowser, sharedRegistry } from "./support/shared.ts";

/** Last name on reports that no other test file submits. */
const LAST_NAME = "Plain";
const REPORTER = "rae@no-javascript.example";
let origin: string;
/** A browser without JavaScript, on a phone. */
let page: Page;

beforeAllInBrowser(async () => {
  origin = (await sharedRegistry()).url;
  const browser = await sharedBrowser();
  const context = await browser.newContext({ viewport: NARROW, javaScriptEnabled: false });
  page = await context.newPage();
});

const url = (route: string) => `${origin}${route}`;

describe("a browser without JavaScript", () => {
  it("reports a bad check, sees what is missing with all input kept, and confirms the address", async () => {
    await page.goto(url("/report"));
    await page.getByRole("link", { name: "Report a bad check instead" }).click();
    const { reporter_email: _, ...values } = { ...badCheck, last_name: LAST_NAME };
    await fillReport(page, values);
    await page.getByRole("button", { name: "Submit Report" }).click();
    await page.getByRole("link", { name: "Your email is required" }).waitFor();
    expect(await overflows(page)).toBe(false);
    for (const [field, value] of typed(values))
      expect(await page.locator(`#field-${field}`).inputValue()).toBe(String(value));
    expect(await page.getByLabel(/agree to the/).isChecked()).toBe(true);

    await page.locator("#field-reporter_email").fill(REPORTER);
    const answered = page.waitForResponse((reply) => reply.request().method() === "POST");
    await page.getByRole("button", { name: "Submit Report" }).click();
    expect((await answered).headers()["cache-control"]).toBe("no-store");
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    await page.getByText(`We've emailed ${REPORTER}`).waitFor();
    expect(await page.getByRole("button", { name: "Resend the email" }).isVisible()).toBe(false);

    // The browser sends the identical form again.
    await page.reload();
    await page.getByRole("heading", { name: "Already submitted" }).waitFor();
    await page.getByText(/so we didn't create a second one/).waitFor();
    await page
      .getByText(/R-[0-9A-F]{5}-[0-9A-F]{5}/)
      .first()
      .waitFor();

    const link = await linkOfMail(
      page,
      url("/outbox"),
      /[Cc]onfirm|[Vv]erify/,
      "/verify-email/",
      REPORTER,
    );
    await page.goto(link);
    await page.getByRole("button", { name: "Confirm Email" }).click();
    await page.getByRole("heading", { name: "Email confirmed" }).waitFor();
    await page.goto(link);
    await page.getByRole("button", { name: "Confirm Email" }).click();
    await page.getByRole("heading", { name: /already|does not work/ }).waitFor();
  });

  it("is told that accounts need JavaScript, without a loading message", async () => {
    for (const route of ["/dashboard", "/profile", "/account-settings", "/login"]) {
      await page.goto(url(route));
      const note = page.locator("noscript p", { hasText: "Accounts need JavaScript" });
      expect(await note.isVisible(), route).toBe(true);
      expect(await page.getByText("Loading your account…").isVisible(), route).toBe(false);
    }
  });
});
