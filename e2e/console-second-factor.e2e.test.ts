import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signIn } from "./support/account-forms.ts";
import { findChromium, NO_BROWSER, withoutChanges } from "./support/browser.ts";
import { faults } from "./support/page-checks.ts";
import { addAccount } from "./support/registry.ts";
import { chargeback } from "./support/reports.ts";
import { type Site, startSite } from "./support/site.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const PASSWORD = "Correct-horse-9";
const ADMIN = "boss@registry.example";

let site: Site;
/** The admin's session, once that has a second factor. */
let own: Awaited<ReturnType<typeof protectedAccount>>;

beforeAll(async () => {
  if (!executable) return;
  site = await startSite({
    ADMIN_EMAIL: ADMIN,
    ADMIN_PASSWORD: PASSWORD,
    STAFF_SECOND_FACTOR: "on",
  });
});
afterAll(() => site?.close());

interface Session {
  readonly user: { readonly id: string };
  readonly token: string;
  readonly refreshToken: string;
}
const login = (email: string): Promise<Session> =>
  site.post("/auth/login", { email, password: PASSWORD });
/** Signs an account in, and turns on two-factor authentication. */
async function protectedAccount(email: string): Promise<Session & { recoveryCode: string }> {
  const session = await login(email);
  const { secret } = await site.post("/auth/two-factor/setup", {}, session.token);
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const on = await site.post("/auth/two-factor/confirm", { code }, session.token);
  const { token, refreshToken, recovery_codes: codes } = on;
  return { ...session, token, refreshToken, recoveryCode: codes[0] };
}
/** An account's page in a browser that is signed in, and does not learn by itself what others do meanwhile. */
async function openUser(by: Session, of: Session): Promise<Page> {
  const { user, token, refreshToken } = by;
  const page = await site.openTabAs({ token, refreshToken, user: JSON.stringify(user) });
  await withoutChanges(page);
  await page.goto(site.url(`/admin/users/${of.user.id}`));
  return page;
}

describe("an admin's second factor, in the console", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("is asked for before any report is shown, and set up in the account settings", async () => {
    await site.post("/reports/submit", chargeback);
    const page = await site.openTab();
    await page.goto(site.url("/admin/reports"));
    await signIn(page, ADMIN, PASSWORD);
    await page.getByRole("heading", { level: 1, name: "Reports Management" }).waitFor();
    const link = page.getByRole("link", { name: "Set it up" });
    await link.waitFor();
    expect(await page.locator("main tbody tr a").count()).toBe(0);
    expect(await faults(page)).toEqual([]);
    await link.click();
    await page.waitForURL(site.url("/account-settings"));
    await page.getByRole("button", { name: "Set Up Two-Factor Authentication" }).waitFor();
    await page.context().close();
    own = await protectedAccount(ADMIN);
  });

  it("lets one reset another account's for a reason", async () => {
    const email = "uma@registry.example";
    const name: [string, string] = ["Uma", "Holt"];
    await addAccount(site.dataDir, { role: "user", email, password: PASSWORD, name });
    const owner = await protectedAccount(email);
    expect(await login(email)).not.toHaveProperty("token");
    const page = await openUser(own, owner);
    await page.getByRole("button", { name: "Reset second factor" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Reset Uma Holt's second factor?").waitFor();
    await dialog.getByText("It turns off immediately").waitFor();
    await dialog.getByRole("button", { name: "Reset" }).click();
    await dialog.getByText("Enter why, and how you verified who asked").waitFor();
    expect(await dialog.getByLabel("Your own code").count()).toBe(0);
    expect(await faults(page)).toEqual([]);
    await dialog.getByLabel("Reason").fill("Lost phone and codes, told me in person");
    await dialog.getByRole("button", { name: "Reset" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect
      .poll(() => page.getByRole("button", { name: "Reset second factor" }).count())
      .toBe(0);
    expect(await login(email)).toHaveProperty("token");
  });

  it("lets one reset another admin's with a code, and not one's own", async () => {
    const email = "bea@registry.example";
    const name: [string, string] = ["Bea", "Holt"];
    await addAccount(site.dataDir, { role: "admin", email, password: PASSWORD, name });
    const owner = await protectedAccount(email);
    const page = await openUser(own, owner);
    const reset = page.getByRole("button", { name: "Reset second factor" });
    await reset.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("Lost phone and codes, told me in person");
    await dialog.getByRole("button", { name: "Reset" }).click();
    await dialog.getByText("Enter the 6-digit code or a recovery code").waitFor();
    await dialog.getByLabel("Your own code").fill("AAAA-AAAA-AAAA-AAAA");
    await dialog.getByRole("button", { name: "Reset" }).click();
    await dialog
      .getByRole("alert")
      .getByText("That code is incorrect or has already been used.")
      .waitFor();
    expect(await faults(page)).toEqual([]);
    await dialog.getByLabel("Your own code").fill(own.recoveryCode);
    await dialog.getByRole("button", { name: "Reset" }).click();
    await page.getByText("Two-factor authentication was turned off.").waitFor();
    expect(await login(email)).toHaveProperty("token");

    await page.goto(site.url(`/admin/users/${own.user.id}`));
    const facts = page.getByRole("main");
    await facts.getByText("Two-factor authentication", { exact: true }).waitFor();
    await facts.getByText("On", { exact: true }).waitFor();
    expect(await reset.count()).toBe(0);
  });
});
