import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { linkOfMail } from "./support/account-forms.ts";
import { findChromium, NO_BROWSER } from "./support/browser.ts";
import { NARROW, overflows } from "./support/page-checks.ts";
import { ADMIN } from "./support/sessions.ts";
import { sharedBrowser, sharedRegistry } from "./support/shared.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
/** Of reports that no other test file sends. */
const LAST_NAME = "Plain";
const REPORTER = "rae@no-javascript.example";
let origin: string;
/** A browser without JavaScript, on a phone. */
let page: Page;

beforeAll(async () => {
  if (!executable) return;
  origin = (await sharedRegistry()).url;
  const browser = await sharedBrowser();
  const context = await browser.newContext({ viewport: NARROW, javaScriptEnabled: false });
  page = await context.newPage();
});

/** What an admin reads or does. */
async function asAdmin(method: "GET" | "POST", route: string, body?: object) {
  const send = async (to: string, how: "GET" | "POST", sent?: object, token?: string) => {
    const headers = {
      ...(sent ? { "content-type": "application/json" } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    };
    const of = { method: how, headers, ...(sent ? { body: JSON.stringify(sent) } : {}) };
    const reply = await fetch(url(`/prod/api${to}`), of);
    expect([to, reply.status]).toEqual([to, 200]);
    return (await reply.json()).data;
  };
  const { token } = await send("/auth/login", "POST", ADMIN);
  return send(route, method, body, token);
}

const url = (route: string) => `${origin}${route}`;

describe("a browser without JavaScript", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("reports a bad check, is told what is missing with everything typed still there, and confirms the address", async () => {
    await page.goto(url("/report"));
    await page.getByRole("link", { name: "Report a bad check instead" }).click();
    const values = {
      title: "Check returned unpaid",
      description: "Paid for a grill with a check.\nThe bank returned it.",
      first_name: "Quinn",
      last_name: LAST_NAME,
      city: "Denver",
      state: "CO",
      zip: "80202",
      check_number: "1041",
      bank_name: "First Bank",
      bank_account: "123456789",
      check_amount: "349.99",
      check_date: "2026-05-02",
      reporter_first_name: "Rae",
      reporter_last_name: "Holt",
    };
    for (const [field, value] of Object.entries(values))
      await page.locator(`#field-${field}`).fill(value);
    await page.getByLabel(/agree to the/).check();
    await page.getByRole("button", { name: "Submit Report" }).click();
    await page.getByRole("link", { name: "Your email is required" }).waitFor();
    expect(await overflows(page)).toBe(false);
    for (const [field, value] of Object.entries(values))
      expect(await page.locator(`#field-${field}`).inputValue()).toBe(value);
    expect(await page.getByLabel(/agree to the/).isChecked()).toBe(true);

    await page.locator("#field-reporter_email").fill(REPORTER);
    const answered = page.waitForResponse((reply) => reply.request().method() === "POST");
    await page.getByRole("button", { name: "Submit Report" }).click();
    expect((await answered).headers()["cache-control"]).toBe("no-store");
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    await page.getByText(`We've emailed ${REPORTER}`).waitFor();
    expect(await page.getByRole("button", { name: "Resend the email" }).isVisible()).toBe(false);

    // The browser sends the very same form again.
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

  it("answers a moderator's question by the link of the mail, once", async () => {
    const found = await asAdmin("GET", `/admin/reports?q=${LAST_NAME}`);
    const [report] = found.reports;
    await asAdmin("POST", `/admin/reports/${report.id}/question`, { question: "Which carrier?" });
    const outbox = url("/outbox");
    await page.goto(
      await linkOfMail(page, outbox, /A question about/, "/report-question/", REPORTER),
    );
    await page.getByText("Which carrier?").waitFor();
    await page.getByRole("button", { name: "Send Answer" }).click();
    await page.getByText("Answer is required").waitFor();
    expect(await overflows(page)).toBe(false);
    await page.getByLabel("Your answer").fill("The post.\nTwice.");
    await page.getByRole("button", { name: "Send Answer" }).click();
    await page.getByRole("heading", { name: "Thank you for your answer" }).waitFor();
    // The browser sends the very same form again.
    await page.reload();
    await page.getByRole("heading", { name: "Thank you for your answer" }).waitFor();
    const { questions } = await asAdmin("GET", `/admin/reports/${report.id}`);
    expect(questions).toMatchObject([{ state: "answered", answer: "The post.\nTwice." }]);
  });

  it("goes back after a report and sends another one, from outside the United States", async () => {
    const fill = async (values: Record<string, string>) => {
      for (const [field, value] of Object.entries(values))
        await page.locator(`#field-${field}`).fill(value);
      await page.getByLabel(/agree to the/).check();
      await page.getByRole("button", { name: "Submit Report" }).click();
    };
    const kent = {
      title: "Check returned unpaid",
      description: "The bank returned it.",
      first_name: "Ada",
      last_name: "Byron",
      city: "Maidstone",
      state: "Kent",
      zip: "ME14 1XX",
      check_number: "7",
      bank_name: "First Bank",
      bank_routing: "200000",
      check_amount: "20",
      check_date: "2026-05-02",
      reporter_first_name: "Rae",
      reporter_last_name: "Holt",
      reporter_email: REPORTER,
    };
    await page.goto(url("/report?type=bad_check"));
    await page.locator("#field-country").selectOption("UK");
    await fill(kent);
    await page.getByRole("heading", { name: "Thank you" }).waitFor();

    await page.goBack();
    await page.locator("#field-country").selectOption("CA");
    await fill({ ...kent, title: "Another check", city: "Toronto", state: "ontario" });
    await page.getByRole("heading", { name: "Thank you" }).waitFor();

    await page.goto(url("/report?type=bad_check"));
    await fill(kent);
    await page.getByRole("link", { name: /Enter the state as two capital letters/ }).waitFor();
    await page.getByRole("link", { name: /Enter the 9 digits of the routing number/ }).waitFor();
  });

  it("is told that accounts need JavaScript, and does not wait for them", async () => {
    for (const route of ["/dashboard", "/profile", "/account-settings", "/login"]) {
      await page.goto(url(route));
      const note = page.locator("noscript p", { hasText: "Accounts need JavaScript" });
      expect(await note.isVisible(), route).toBe(true);
      expect(await page.getByText("Loading your account…").isVisible(), route).toBe(false);
    }
  });

  it("sends nothing from a page of another site", async () => {
    const reply = await fetch(url("/report"), {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        origin: "https://evil.example",
      },
      body: "title=x",
    });
    expect(reply.status).toBe(403);
    expect(await reply.text()).toContain("This form was not sent from our site");
  });
});
