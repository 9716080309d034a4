import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { register } from "./support/account-forms.ts";
import { adminTexts } from "./support/admin-texts.ts";
import { findChromium, NO_BROWSER } from "./support/browser.ts";
import { openSession } from "./support/sessions.ts";
import { type Site, startSite } from "./support/site.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const ADMIN = { email: "boss@registry.example", password: "Correct-horse-9" };
const FIELDS = {
  title: "Paid, then taken back",
  description: "Signed for the parcel, then disputed the payment.",
  first_name: "Quinn",
  last_name: "Ames",
  city: "Denver",
  zip: "80202",
  state: "CO",
  last_4: "4242",
  amount: "412.50",
  transaction_date: "2026-05-02",
  reporter_first_name: "Rae",
  reporter_last_name: "Holt",
  reporter_email: "rae@shop.example",
} as const;
const CHANGED = /^Our terms have changed since/;

let site: Site;
let texts: ReturnType<typeof adminTexts>;
let published = 0;

beforeAll(async () => {
  if (!executable) return;
  site = await startSite({
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    SAMPLE_DATA: "none",
    RATE_LIMIT: "off",
  });
  texts = adminTexts(site.url(""), (await openSession(site.url(""), ADMIN)).token);
});
afterAll(() => site?.close());

async function termsInForce(): Promise<string> {
  const reply = await fetch(site.url("/prod/api/site"));
  return (await reply.json()).data.terms_version;
}

/** Publishes new terms and waits until the site has them. @returns their version. */
async function publishTerms(): Promise<string> {
  const before = await termsInForce();
  published += 1;
  await texts.republish("terms", { body: `## 1. Be fair\n\nRule ${published}.` });
  await expect.poll(termsInForce, { timeout: 15_000 }).not.toBe(before);
  return termsInForce();
}

async function fill(page: Page): Promise<void> {
  for (const [name, value] of Object.entries(FIELDS))
    await page.locator(`#field-${name}`).fill(value);
  await page.getByLabel(/agree to the/).check();
}
const submit = (page: Page) => page.getByRole("button", { name: "Submit Report" }).click();
const thanks = (page: Page) => page.getByRole("heading", { name: "Thank you" }).waitFor();

/** The versions that the page's submissions name, in turn. */
function named(page: Page): (string | undefined)[] {
  const versions: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && /reports\/submit|auth\/register/.test(request.url()))
      versions.push(request.postDataJSON().terms_version);
  });
  return versions;
}

describe("terms that were published over the console", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("are agreed to by the first press of a form that was opened after that", async () => {
    const page = await site.openTab();
    const versions = named(page);
    // A page from before leads to the form.
    await site.show(page, "/");
    const version = await publishTerms();
    await page.getByRole("contentinfo").getByRole("link", { name: "Report Abuse" }).click();
    await fill(page);
    await submit(page);
    await thanks(page);
    expect(versions).toEqual([version]);
    await page.close();
  });

  it("are asked about by a form that was opened before, once, and nothing typed is lost", async () => {
    const page = await site.openTab();
    const versions = named(page);
    const before = await termsInForce();
    await site.show(page, "/report");
    await fill(page);
    await publishTerms();
    await submit(page);
    await page.getByText(CHANGED).first().waitFor();
    expect(await page.getByLabel(/agree to the/).isChecked()).toBe(false);
    expect(await page.locator("#field-last_4").inputValue()).toBe("4242");
    await page.getByLabel(/agree to the/).check();
    await submit(page);
    await thanks(page);
    expect(versions).toEqual([before, undefined]);
    await page.close();
  });

  it("are the same for a form without JavaScript", async () => {
    const browser = (await site.newContext()).browser();
    const plain = await browser?.newPage({ javaScriptEnabled: false });
    if (!plain) throw new Error("There is no browser");
    await plain.goto(site.url("/report"));
    await fill(plain);
    const version = await publishTerms();
    await submit(plain);
    await plain
      .getByText(/Our terms have changed since/)
      .filter({ visible: true })
      .first()
      .waitFor();
    expect(await plain.locator("[name=terms_version]").inputValue()).toBe(version);
    await plain.getByLabel(/agree to the/).check();
    await submit(plain);
    await thanks(plain);
    await plain.goto(site.url("/report"));
    await fill(plain);
    await submit(plain);
    await thanks(plain);
    await plain.close();
  });

  it("are asked about by a registration that was begun before, whose second press makes the account", async () => {
    const page = await site.openTab();
    const versions = named(page);
    const before = await termsInForce();
    await site.show(page, "/register");
    await publishTerms();
    await register(page, "rae@shop.example", ADMIN.password);
    await page.getByText(CHANGED).waitFor();
    await page.getByRole("button", { name: "Create Account" }).click();
    await page.waitForURL(site.url("/dashboard"));
    expect(versions).toEqual([before, undefined]);
    await page.close();
    const later = await site.openTab();
    const first = named(later);
    await site.show(later, "/register");
    await register(later, "ann@shop.example", ADMIN.password);
    await later.waitForURL(site.url("/dashboard"));
    expect(first).toEqual([await termsInForce()]);
    await later.close();
    expect(site.complaints).toEqual([]);
  });
});
