import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { addAccount } from "./support/added-accounts.ts";
import { withoutChanges } from "./support/browser.ts";
import { faults } from "./support/page-checks.ts";
import { ADMIN, openSession } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const PASSWORD = ADMIN.password;

let site: Site;

beforeAllInBrowser(async () => {
  site = await sharedSite();
});

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
/** Opens an account's page in a signed-in browser that gets no live changes. */
async function openUser(by: Session, of: Session): Promise<Page> {
  const { user, token, refreshToken } = by;
  const page = await site.openTabAs({ token, refreshToken, user: JSON.stringify(user) });
  await withoutChanges(page);
  await page.goto(site.url(`/admin/users/${of.user.id}`));
  return page;
}

describe("an admin's second factor, in the console", () => {
  it("is required before any report is shown, and set up in the account settings", async () => {
    const page = await site.openTabAs(await openSession(site.origin, ADMIN));
    // The server's answer where staff need one.
    const error = { code: "second_factor_required", message: "Set up a second factor" };
    await page.route("**/prod/admin/reports?*", (route) =>
      route.fulfill({ status: 403, json: { success: false, error } }),
    );
    await page.goto(site.url("/admin/reports"));
    await page.getByRole("heading", { level: 1, name: "Reports Management" }).waitFor();
    const link = page.getByRole("link", { name: "Set it up" });
    await link.waitFor();
    expect(await faults(page)).toEqual([]);
    await link.click();
    await page.waitForURL(site.url("/account-settings"));
    await page.getByRole("button", { name: "Set Up Two-Factor Authentication" }).waitFor();
    await page.context().close();
  });

  it("can be reset by another admin with a reason and a code", async () => {
    const staff = async (first: string) => {
      const email = `${first.toLowerCase()}-factor@registry.example`;
      const added = { role: "admin", email, password: PASSWORD, name: [first, "Holt"] } as const;
      await addAccount(site.origin, site.dataDir, added);
      return { email, ...(await protectedAccount(email)) };
    };
    const [own, owner] = [await staff("Amy"), await staff("Bea")];
    expect(await login(owner.email)).not.toHaveProperty("token");
    const page = await openUser(own, owner);
    await page.getByRole("button", { name: "Reset second factor" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Reset Bea Holt's second factor?").waitFor();
    await dialog.getByRole("button", { name: "Reset" }).click();
    await dialog.getByText("Enter why, and how you verified the requester's identity").waitFor();
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
    expect(await login(owner.email)).toHaveProperty("token");
  });
});
