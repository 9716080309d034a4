import type { Browser, Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { sharedSetting } from "../tools/pictures/shared-stage.ts";
import { fillReport } from "./support/account-forms.ts";
import { complaintsOf, PLAIN, takenOver } from "./support/browser.ts";
import { openContext } from "./support/contexts.ts";
import { NARROW, type WIDE } from "./support/page-checks.ts";
import { beforeAllInBrowser, sharedBrowser } from "./support/shared.ts";

let browser: Browser;
/** The registry's URL, and the paths of its sample reports. */
let site: { url: string; habitual: string; single: string };

beforeAllInBrowser(async () => {
  const { url, addresses } = await sharedSetting();
  site = { url, habitual: String(addresses.habitual), single: String(addresses.report) };
  browser = await sharedBrowser();
});

const url = (route: string) => `${site.url}${route}`;

/** Opens a page in its own context and collects every error that it logs. */
async function open(
  route: string,
  options: { viewport?: typeof WIDE; javaScriptEnabled?: boolean } = {},
): Promise<{ page: Page; complaints: readonly string[] }> {
  const context = await openContext(browser, { ...PLAIN, ...options });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  await page.goto(url(route), { waitUntil: "networkidle" });
  if (options.javaScriptEnabled !== false) await takenOver(page);
  return { page, complaints };
}

const hasFocus = (element: Locator) => element.evaluate((one) => one === document.activeElement);

describe("the site in a browser", () => {
  it("shows name, tagline, search and the newest report on a phone's first screen", async () => {
    const { page } = await open("/", { viewport: NARROW });
    for (const part of [
      page.getByRole("heading", { level: 1 }),
      page.getByText(/^Before you take a payment/),
      page.getByLabel("Name, title or location"),
      page.getByRole("article").first().getByRole("heading"),
    ]) {
      const box = await part.boundingBox();
      expect(box && box.y + box.height).toBeLessThan(NARROW.height);
    }
    await page.context().close();
  });

  it("selects a state by its two letters, keeps filters in the URL, and restores them on going back", async () => {
    const { page, complaints } = await open("/search");
    const found = page.getByRole("heading", { name: /reports? found$/ });
    const all = await found.innerText();
    await page.getByLabel("State").focus();
    await page.keyboard.type("FL");
    await expect.poll(() => page.getByLabel("State").inputValue()).toBe("FL");
    await page.getByLabel("Min amount").fill("100");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\?state=FL&min=100$/);
    // The URL changes a moment before the results, whose links name the search they belong to.
    await expect.poll(() => found.innerText()).not.toBe(all);
    await page.getByRole("article").first().getByRole("link").click();
    await page.waitForURL(/\/report\//);
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    // The link back is known once the page has hydrated.
    await page.locator('a[href="/search?state=FL&min=100"]', { hasText: "Back to Search" }).click();
    await page.waitForURL(/\?state=FL&min=100$/);
    expect(await page.getByLabel("State").inputValue()).toBe("FL");
    await page.getByText("Clear Filters").click();
    await page.getByText("All filters cleared successfully").waitFor();
    await page.waitForURL(url("/search"));
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("keeps typed text while a search runs, and shows the earlier search after going back", async () => {
    const { page } = await open("/search");
    const query = page.getByLabel("Name, title or location");
    const held = Promise.withResolvers<void>();
    await page.route("**/prod/api/reports/search?*", async (route) => {
      await held.promise;
      await route.continue();
    });
    await query.fill("delgado");
    await query.press("Enter");
    await query.fill("delgado tampa");
    held.resolve();
    await page.waitForURL(/q=delgado$/);
    await page.getByRole("heading", { name: /^\d reports found$/ }).waitFor();
    expect(await query.inputValue()).toBe("delgado tampa");
    await query.press("Enter");
    await page.waitForURL(/q=delgado\+tampa$/);
    await page.goBack();
    await expect.poll(() => query.inputValue()).toBe("delgado");
    await page.goBack();
    await expect.poll(() => query.inputValue()).toBe("");
    await page.context().close();
  });

  it("keeps the focus on the sort order, and moves it to the heading on another page of a list", async () => {
    const { page } = await open("/search");
    const order = page.getByLabel("Sort by");
    await order.focus();
    await page.keyboard.press("ArrowDown");
    await page.waitForURL(/sort=/);
    await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
    expect(await hasFocus(order)).toBe(true);
    await page.goBack();
    await expect.poll(() => order.inputValue()).toBe("");
    const heading = page.getByRole("heading", { level: 1 });
    for (const name of ["Next ›", "‹ Previous", "View All Offenders"]) {
      const before = page.url();
      await page.getByRole("link", { name }).focus();
      await page.keyboard.press("Enter");
      await page.waitForURL((at) => at.href !== before);
      await expect.poll(() => hasFocus(heading)).toBe(true);
    }
    await page.context().close();
  });

  it("asks a visitor who searches a lot to confirm that they are human", async () => {
    const { page, complaints } = await open("/search");
    const query = page.getByLabel("Name, title or location");
    for (let i = 1; i <= 5; i++) {
      await query.fill(`nobody ${i}`);
      await query.press("Enter");
      await page.waitForURL(new RegExp(`q=nobody\\+${i}$`));
    }
    await query.fill("nobody 6");
    await query.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Security Verification" });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await hasFocus(query)).toBe(true);
    await query.press("Enter");
    await dialog.waitFor();
    await page.getByLabel(/legitimate manual use/).check();
    await page.getByRole("button", { name: "Verify & Continue" }).click();
    await page.waitForURL(/q=nobody\+6$/);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("counts one view of a report, from the browser", async () => {
    const { page } = await open("/terms");
    const posts: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") posts.push(new URL(request.url()).pathname);
    });
    const home = page.getByRole("link", { name: "Home" }).first();
    const atHome = page.getByRole("heading", { name: "Newest reports" });
    await page.goto(url(site.single));
    await expect.poll(() => posts).toHaveLength(1);
    await home.click();
    await atHome.waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "Back to Search" }).waitFor();
    await home.click();
    await atHome.waitFor();
    expect(posts).toEqual([expect.stringMatching(/^\/prod\/api\/reports\/[0-9a-f-]{36}\/view$/)]);
    await page.context().close();
  });

  it("guides through the form: summary, focus, preview, totals, and a prompt before leaving", async () => {
    const { page, complaints } = await open("/report", { viewport: NARROW });
    const submit = page.getByRole("button", { name: "Submit Report" });
    expect(await submit.isDisabled()).toBe(true);
    await page.getByLabel(/agree to the/).check();
    await submit.click();
    const summary = page.getByRole("region", { name: /things need your attention/ });
    await expect
      .poll(() => summary.evaluate((element) => element === document.activeElement))
      .toBe(true);
    await summary.getByRole("link", { name: "Title is required" }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("field-title");

    await fillReport(page);
    await page.locator("#field-chargeback_fee").fill("25");
    await page.getByRole("button", { name: "Add a chargeback" }).click();
    await page.locator("#field-chargebacks-0-amount").fill("1,000.05");
    await page.locator("#field-reporter_phone").fill("+1 303 555 0100");
    await page.locator("#field-phone").fill("+1 303 555 0142");
    await page.getByText("Preview: what the public will see").click();
    await page.getByRole("rowheader", { name: "Total due" }).waitFor();
    const preview = await page.locator("details", { hasText: "Preview" }).innerText();
    expect(preview).toContain("$1,437.55");
    expect(preview).toContain("(***) ***-****");
    for (const secret of ["Rae", "Holt", "80202", "555 0100", "555 0142"]) {
      expect(preview).not.toContain(secret);
    }

    await page.getByRole("button", { name: "Menu", exact: true }).click();
    const drawer = page.getByRole("navigation", { name: "Menu" });
    await drawer.getByRole("link", { name: "Search Database" }).click();
    await page.getByRole("dialog", { name: "Leave without submitting?" }).waitFor();
    const stay = page.getByRole("button", { name: "Stay on the form" });
    await expect.poll(() => hasFocus(stay)).toBe(true);
    await page.keyboard.press("Enter");
    await stay.waitFor({ state: "detached" });
    expect(await page.locator("#field-title").inputValue()).toBe("Disputed a delivered order");
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("submits a report once when the answer to the first try is lost", async () => {
    const { page } = await open("/report");
    await fillReport(page);
    const keys: (string | undefined)[] = [];
    let id: string | undefined;
    await page.route("**/prod/api/reports/submit**", async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      const reply = await route.fetch();
      const body = (await reply.json()) as { data: { id: string } };
      if (id !== undefined) {
        expect(body.data.id).toBe(id);
        return route.fulfill({ response: reply });
      }
      id = body.data.id;
      return route.abort();
    });
    await page.getByRole("button", { name: "Submit Report" }).click();
    await page.getByText(/Nothing you entered is lost/).waitFor();
    await page.getByRole("button", { name: "Submit Report" }).click();
    await page.getByText("Report submitted successfully!").first().waitFor();
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    // The visitor's next read asks for data that is at least as new as their report.
    const cookies = await page.context().cookies();
    expect(cookies.map((cookie) => cookie.name)).toContain("registry-position");
    await page.context().close();
  });

  it("respects reduced motion, and prints a report without the site's navigation", async () => {
    const { page } = await open(site.habitual);
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("navigation", { name: "Main" }).isVisible()).toBe(false);
    expect(await page.getByText("Back to Search").isVisible()).toBe(false);
    expect(await page.getByText(url(site.habitual)).isVisible()).toBe(true);
    await page.emulateMedia({ media: "screen", reducedMotion: "reduce" });
    const moving = await page.evaluate(
      () =>
        [...document.querySelectorAll("*")].filter((element) => {
          const { animationName, transitionDuration } = getComputedStyle(element);
          return animationName !== "none" || /[1-9]/.test(transitionDuration);
        }).length,
    );
    expect(moving).toBe(0);
    await page.context().close();
  });
});
