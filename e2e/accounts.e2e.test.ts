import type { BrowserContext, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { GUESSES } from "#services/command-api/account/password-proof.ts";
import { fillForm } from "../tools/pictures/screen-acts.ts";
import { linkOfMail, register, signIn } from "./support/account-forms.ts";
import { takenOver } from "./support/browser.ts";
import { onDatabase } from "./support/database.ts";
import { faults, NARROW, WIDE } from "./support/page-checks.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, startSite } from "./support/site.ts";

const PASSWORD = "Correct-horse-9";
const ADMIN = "admin@registry.example";
const RAE = "rae@shop.example";

let site: Site;
/** The browser in which Rae registers. Each test continues where the one before ended. */
let context: BrowserContext;
let page: Page;

beforeAllInBrowser(async () => {
  site = await startSite({ ADMIN_EMAIL: ADMIN, ADMIN_PASSWORD: PASSWORD });
  context = await site.newContext();
  page = await site.openTab(context);
});
afterAll(() => site?.close());

const url = (route: string) => site.url(route);
const show = (tab: Page, route: string) => site.show(tab, route);

const stored = (tab: Page) =>
  tab.evaluate(() => ["token", "refreshToken", "user"].map((key) => localStorage.getItem(key)));
const menu = (tab: Page) => tab.getByRole("button", { name: "Account menu" });

async function logOut(tab: Page): Promise<void> {
  await menu(tab).click();
  await tab.getByRole("button", { name: "Logout" }).click();
  await tab.getByRole("link", { name: "Login" }).first().waitFor();
}

/** Ends the session on the server, unknown to the page. */
const endSession = () =>
  page.evaluate(async () => {
    const authorization = `Bearer ${localStorage.getItem("token")}`;
    const headers = { authorization, "content-type": "application/json" };
    await fetch("/prod/api/auth/logout", { method: "POST", headers, body: "{}" });
  });

describe("accounts in a browser", () => {
  it("validates a registration as the server does, and focuses the first invalid field", async () => {
    await show(page, "/register");
    await page.getByLabel("Password", { exact: true }).fill("short");
    await page.getByLabel("Confirm password").fill("other");
    await page.getByLabel("Website").fill("nonsense");
    await page.getByRole("button", { name: "Create Account" }).click();
    for (const sentence of [
      "First name is a required field",
      "Email is a required field",
      "Please enter a valid URL",
      "Password must be at least 8 characters",
      "Passwords must match",
    ]) {
      await page.getByText(sentence).first().waitFor();
    }
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.id))
      .toBe("field-first_name");
  });

  it("registers, signs in and opens the dashboard", async () => {
    await show(page, "/register");
    await register(page, RAE, PASSWORD);
    await page.waitForURL(url("/dashboard"));
    await page.getByText("Confirm your address").waitFor();
    const [token, refreshToken, user] = await stored(page);
    expect([token, refreshToken].every(Boolean)).toBe(true);
    expect(JSON.parse(user ?? "")).toMatchObject({ email: RAE, role: "user" });
  });

  it("shows who is signed in without moving anything in the header", async () => {
    const places = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('header a[href="/search"], header a[href="/report"]')]
          .slice(0, 2)
          .map((link) => link.getBoundingClientRect().x),
      );
    await page.addInitScript(() => {
      Reflect.set(window, "layoutShift", 0);
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const sum = Reflect.get(window, "layoutShift") + Reflect.get(entry, "value");
          Reflect.set(window, "layoutShift", sum);
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(url("/terms"), { waitUntil: "commit" });
    await page.getByRole("link", { name: "Search", exact: true }).waitFor();
    const before = await places();
    await menu(page).waitFor();
    expect(await places()).toEqual(before);
    // Shifts are reported after the frame in which they happen.
    const shifts = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          requestAnimationFrame(() =>
            requestAnimationFrame(() => resolve(Reflect.get(window, "layoutShift"))),
          );
        }),
    );
    expect(shifts).toBeLessThan(0.01);
  });

  it("offers a signed-in user every page in the phone drawer", async () => {
    await page.setViewportSize(NARROW);
    await show(page, "/terms");
    await menu(page).click();
    const drawer = page.getByRole("navigation", { name: "Menu" });
    await drawer.getByRole("link", { name: "Dashboard" }).waitFor();
    const words = await drawer.locator("li:visible").allInnerTexts();
    expect(words.map((text) => text.trim())).toEqual([
      ...["Search Database", "Report Abuse"],
      ...["Dashboard", "Profile", "Account settings", "Logout"],
    ]);
    expect(await faults(page)).toEqual([]);
    await drawer.getByRole("link", { name: "Dashboard" }).click();
    await page.waitForURL(url("/dashboard"));
    await page.setViewportSize(WIDE);
  });

  it("keeps two tabs in sync, and refreshes tokens once for both", async () => {
    const other = await site.openTab(context);
    const refreshes: string[] = [];
    const tell = (tab: Page) =>
      tab.on("request", (request) => {
        if (request.url().includes("/auth/refresh")) refreshes.push(request.url());
      });
    tell(page);
    tell(other);
    // Tokens that no server signed, so both tabs are refused immediately.
    await page.evaluate(() => localStorage.setItem("token", "a.b.c"));
    await Promise.all([show(page, "/profile"), show(other, "/profile")]);
    await Promise.all([page, other].map((tab) => tab.getByText("Last sign-in").waitFor()));
    expect(refreshes).toHaveLength(1);
    await logOut(other);
    await page.waitForURL(/\/login\?next=%2Fprofile$/);
    expect(await stored(page)).toEqual([null, null, null]);
    await signIn(page, RAE, PASSWORD);
    await page.waitForURL(url("/profile"));
    await menu(other).waitFor();
    await other.close();
  });

  it("keeps what was typed when the session ends", async () => {
    await show(page, "/profile");
    await page.getByRole("button", { name: "Edit Profile" }).click();
    await page.getByLabel("Job title").fill("Founder");
    await endSession();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your session has ended. Sign in again.").first().waitFor();
    await signIn(page, RAE, PASSWORD);
    await page.waitForURL(url("/profile"));
    expect(await page.getByLabel("Job title").inputValue()).toBe("Founder");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Profile updated successfully!").waitFor();
  });

  it("keeps a typed report when the session ends, and sends it on the next try", async () => {
    await show(page, "/report");
    await fillForm(page);
    await endSession();
    await page.getByRole("button", { name: "Submit Report" }).click();
    await page.getByText(/^Your session has ended, and nothing was sent\./).waitFor();
    expect(await page.getByLabel("Title").inputValue()).toBe("Charged back a delivered order");
    await page.getByRole("button", { name: "Submit Report" }).click();
    await page.getByText("Report submitted successfully!").first().waitFor();
  });

  it("shows a failed sign-in in a banner that can be dismissed, and stays on the page", async () => {
    await show(page, "/login");
    await signIn(page, RAE, "Wrong-horse-9");
    const banner = page.getByRole("alert");
    await banner.getByText("Invalid email or password").waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await banner.waitFor({ state: "detached" });
    expect(page.url()).toBe(url("/login"));
    expect(await page.getByLabel("Email").inputValue()).toBe(RAE);
  });

  it("reveals a password, and warns when Caps Lock is on", async () => {
    await show(page, "/login");
    const password = page.getByLabel("Password", { exact: true });
    await password.fill(PASSWORD);
    await page.getByRole("button", { name: "Show password" }).click();
    await expect.poll(() => password.getAttribute("type")).toBe("text");
    await page.getByRole("button", { name: "Hide password" }).click();
    await expect.poll(() => password.getAttribute("type")).toBe("password");
    await password.evaluate((input) =>
      input.dispatchEvent(
        new KeyboardEvent("keydown", { key: "A", bubbles: true, modifierCapsLock: true }),
      ),
    );
    await page.getByText("Caps Lock is on.").waitFor();
  });

  it("leads staff to the console and back to it, and keeps others out", async () => {
    const staff = await site.newContext();
    const tab = await site.openTab(staff);
    await tab.goto(url("/admin/audit-logs"));
    await tab.getByText("Sign in to open the back office.").waitFor();
    await takenOver(tab);
    await signIn(tab, ADMIN, PASSWORD);
    await tab.getByRole("heading", { name: "Audit Logs" }).waitFor();
    await show(tab, "/");
    await menu(tab).click();
    await tab.getByRole("link", { name: "Console" }).waitFor();
    await tab.getByRole("button", { name: "Logout" }).click();
    await tab.getByRole("link", { name: "Login" }).first().waitFor();
    await tab.goto(url("/admin/login"));
    await tab.waitForURL(/\/login\?next=%2Fadmin$/);
    await takenOver(tab);
    await signIn(tab, RAE, PASSWORD);
    await tab.getByRole("heading", { name: "You don't have access to this page" }).waitFor();
    await staff.close();
  });

  it("signs in on a new device with a link while strangers guess passwords", async () => {
    const other = await site.openTab();
    const focused = () => other.evaluate(() => document.activeElement?.textContent);
    await show(other, "/login");
    await signIn(other, ADMIN, "Wrong-horse-9");
    await other.getByText("Invalid email or password").waitFor();
    await onDatabase(site.dataDir, (db) =>
      db.query("update command.password_guess set guesses = $1", [GUESSES]),
    );
    await signIn(other, ADMIN, PASSWORD);
    await other.getByText("Open it on this device, then sign in.").waitFor();
    const inbox = await site.openTab();
    const subject = /^Sign in to .* from a new device/;
    const link = await linkOfMail(inbox, url("/outbox"), subject, "/sign-in-link/", ADMIN);
    const use = other.getByRole("button", { name: "Use This Device" });
    await show(other, new URL(link).pathname);
    await use.click();
    await other.getByText("Your account now recognizes this device.").waitFor();
    expect(await focused()).toBe("Sign in with your email address and password.");
    expect(await faults(other)).toEqual([]);
    await show(other, new URL(link).pathname);
    await use.click();
    await other.getByText("This sign-in link has already been used or has expired.").waitFor();
    expect(await focused()).toMatch(/^If this device needs a new link/);
    await other.getByRole("link", { name: "Go to Login" }).click();
    await signIn(other, ADMIN, PASSWORD);
    await other.waitForURL(url("/admin"));
  });

  it("logs no errors", () => {
    expect(site.complaints).toEqual([]);
  });
});
