import { readFile } from "node:fs/promises";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import decodeQr from "qr/decode.js";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { register, signIn } from "./support/account-forms.ts";
import { violations } from "./support/page-checks.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const RAE = "rae@two-factor.example";
const PASSWORD = "Correct-horse-9";
const STEP_MS = 30_000;
const WRONG = "That code is incorrect or has already been used.";

let site: Site;
/** The browser in which Rae registers. Each test continues where the one before ended. */
let page: Page;
let secret = "";
/** The time step whose code turned on two-factor authentication. */
let usedStep = 0;
let codes: string[] = [];
/** Answers the dialog that asks for a code. */
async function proveCode(code: string) {
  const dialog = page.getByRole("dialog", { name: "Enter a code" });
  await dialog.getByLabel("Code", { exact: true }).fill(code);
  await dialog.getByRole("button", { name: "Continue" }).click();
}

/** Returns what an authenticator reads from the picture of a QR code. */
async function readQrCode(png: Buffer): Promise<string> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return decodeQr({ width: info.width, height: info.height, data });
}

beforeAllInBrowser(async () => {
  site = await sharedSite();
  page = await site.openTab();
});

const url = (route: string) => site.url(route);
const button = (name: string) => page.getByRole("button", { name, exact: true });
const code = () => page.getByLabel("Code", { exact: true });
const settings = () => site.show(page, "/account-settings");

/** The current time step. Codes of the steps before and after it are valid too. */
const presentStep = () => Math.floor(Date.now() / STEP_MS);

/** Returns the authenticator's code for a time step. */
function totp(step: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: step * STEP_MS });
}

/** Signs out, then signs in again up to the password. */
async function givePassword(): Promise<void> {
  await page.evaluate(() => localStorage.clear());
  await settings();
  await signIn(page, RAE, PASSWORD);
  await code().waitFor();
}

async function giveCode(value: string): Promise<void> {
  await code().fill(value);
  await button("Sign In").click();
}

async function shownCodes(): Promise<string[]> {
  const shown = page.locator("ol code");
  await expect.poll(() => shown.count()).toBe(10);
  return shown.allInnerTexts();
}

describe("two-factor authentication in a browser", () => {
  it("is set up with an authenticator; a wrong code does not turn it on", async () => {
    await site.show(page, "/register");
    await register(page, RAE, PASSWORD);
    await page.waitForURL(url("/dashboard"));
    await settings();
    await button("Set Up Two-Factor Authentication").click();
    const drawn = await page.getByRole("img", { name: "QR code for the key below" }).screenshot();
    secret = (await page.locator("code").innerText()).replace(/\s/g, "");
    const app = await page.getByRole("link", { name: "Open in an app" }).getAttribute("href");
    expect(new URL(app ?? "").searchParams.get("secret")).toBe(secret);
    expect(await readQrCode(drawn)).toBe(app);
    await button("Turn On").click();
    await page.getByText("Enter the 6-digit code from your app").waitFor();
    await code().fill(totp(presentStep() - 10));
    await button("Turn On").click();
    await page.getByText(WRONG).waitFor();
    // As apps show it, with a space in the middle.
    usedStep = presentStep();
    await code().fill(totp(usedStep).replace(/^.../, "$& "));
    await button("Turn On").click();
    codes = await shownCodes();
  });

  it("shows recovery codes once, to copy, download and print", async () => {
    expect(await violations(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      button("Download").click(),
    ]);
    const text = await readFile(await download.path(), "utf8");
    expect(text).toContain(`of ${RAE} for`);
    expect(text.match(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/gm)).toEqual(codes);
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("heading", { name: "Sessions" }).isVisible()).toBe(false);
    expect(await page.locator("ol code").first().isVisible()).toBe(true);
    await page.emulateMedia({ media: "screen" });
    await button("I've Saved My Codes").click();
    await page.getByText("Two-factor authentication is on.").waitFor();
    await settings();
    await button("New Recovery Codes").waitFor();
    expect(await page.locator("ol code").count()).toBe(0);
  });

  it("asks for a code at each sign-in, and accepts each code once", async () => {
    await givePassword();
    await giveCode(totp(usedStep));
    await page.getByText(WRONG).waitFor();
    // A code of any later step is new, whether or not a step has ended since.
    await giveCode(totp(Math.max(presentStep(), usedStep + 1)));
    await page.waitForURL(url("/account-settings"));
  });

  it("accepts a recovery code instead of the authenticator's, once", async () => {
    await givePassword();
    await page.getByText("Lost your device and codes?").click();
    await page.getByText("We'll verify your identity").waitFor();
    const support = page.getByRole("main").getByRole("link", { name: /^support@/ });
    expect(await support.getAttribute("href")).toMatch(/^mailto:/);
    await giveCode((codes[0] ?? "").toLowerCase());
    await page.waitForURL(url("/account-settings"));
    await givePassword();
    await giveCode("000");
    await page.getByText("Enter the 6-digit code or a recovery code").waitFor();
    await giveCode(codes[0] ?? "");
    await page.getByText(WRONG).waitFor();
    await giveCode(codes[1] ?? "");
    await page.waitForURL(url("/account-settings"));
  });

  it("says how many recovery codes are left, and warns at two or fewer", async () => {
    await page.getByText("You have 8 recovery codes left.", { exact: true }).waitFor();
    // Using six more codes would need more sign-ins than one account may attempt.
    const profile = "**/prod/api/auth/profile*";
    await page.route(profile, async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      json.data.user.recovery_codes_left = 2;
      await route.fulfill({ response, json });
    });
    await page.reload();
    await page.getByText("You have 2 recovery codes left.", { exact: true }).waitFor();
    await page.getByText("Generate new ones").waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  it("asks for the password if the last proof is too old, and does nothing without it", async () => {
    // The server's answer 15 minutes after the sign-in, until the password is entered again.
    let isProved = false;
    const asked: string[] = [];
    await page.route("**/auth/two-factor/recovery-codes**", (route) => {
      asked.push(route.request().method());
      if (isProved) return route.continue();
      const error = { code: "proof_required", message: "Please enter your password again" };
      return route.fulfill({ status: 403, json: { success: false, error } });
    });
    page.on("response", (response) => {
      if (response.url().includes("/auth/prove") && response.ok()) isProved = true;
    });
    await button("New Recovery Codes").click();
    const dialog = page.getByRole("dialog", { name: "Enter your password again" });
    await dialog.waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(asked).toHaveLength(1);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
      "New Recovery Codes",
    );
    await button("New Recovery Codes").click();
    await dialog.getByLabel("Password", { exact: true }).fill("Wrong-horse-9");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByText("Your current password is incorrect.").waitFor();
    await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await dialog.getByRole("button", { name: "Continue" }).click();
    // However fresh the proof is, a second-factor code is required.
    await proveCode("AAAA-AAAA-AAAA-AAAA");
    await page.getByText("That code is incorrect").first().waitFor();
    await proveCode(codes[2] ?? "");
    const others = await shownCodes();
    const former = codes;
    codes = others;
    expect(others.filter((one) => former.includes(one))).toEqual([]);
    expect(asked).toHaveLength(5);
    await button("I've Saved My Codes").click();
    await page.getByText("You have 10 recovery codes left.", { exact: true }).waitFor();
  });

  it("is turned off after a confirmation, and the password is enough again", async () => {
    await button("Turn Off").click();
    await button("Keep It On").click();
    await button("Turn Off").click();
    await button("Turn Off").click();
    await proveCode(codes[0] ?? "");
    await page.getByText("Two-factor authentication is off.").waitFor();
    await button("Set Up Two-Factor Authentication").waitFor();
    await page.evaluate(() => localStorage.clear());
    await settings();
    await signIn(page, RAE, PASSWORD);
    await page.waitForURL(url("/account-settings"));
  });

  it("logs no errors", () => {
    expect(site.complaints).toEqual([]);
  });
});
