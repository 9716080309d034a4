import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findChromium, NO_BROWSER, withoutChanges } from "./support/browser.ts";
import { faults } from "./support/page-checks.ts";
import { addAccount } from "./support/registry.ts";
import { type Site, startSite } from "./support/site.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const PASSWORD = "Correct-horse-9";
const ADMIN = "admin@registry.example";

let site: Site;

beforeAll(async () => {
  if (!executable) return;
  const env = { SAMPLE_DATA: "none", ADMIN_EMAIL: ADMIN, ADMIN_PASSWORD: PASSWORD };
  site = await startSite(env);
  for (const name of ["Bea", "Cas"]) await addAdmin(name);
});
afterAll(() => site?.close());

/** @returns the address. */
async function addAdmin(name: string): Promise<string> {
  const email = `${name.toLowerCase()}@registry.example`;
  await addAccount(site.dataDir, {
    role: "admin",
    email,
    password: PASSWORD,
    name: [name, "Holt"],
  });
  return email;
}

interface Session {
  readonly user: { readonly id: string };
  readonly token: string;
  readonly refreshToken: string;
}
const login = (email: string): Promise<Session> =>
  site.post("/auth/login", { email, password: PASSWORD });
/** Signs an admin in, and switches two-factor sign-in on. */
async function protectedAdmin(email: string): Promise<Session> {
  const session = await login(email);
  const { secret } = await site.post("/auth/two-factor/setup", {}, session.token);
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const tokens = await site.post("/auth/two-factor/confirm", { code }, session.token);
  return { ...session, token: tokens.token, refreshToken: tokens.refreshToken };
}
/** The console in a browser that is signed in, and does not learn by itself what others do meanwhile. */
async function openConsole({ user, token, refreshToken }: Session): Promise<Page> {
  const session = { token, refreshToken, user: JSON.stringify(user) };
  const page = await site.openTabAs(session);
  await withoutChanges(page);
  await page.goto(site.url("/admin/second-factors"));
  await page.getByRole("heading", { level: 1, name: "Second Factors" }).waitFor();
  return page;
}

describe("requests to reset an admin's second factor, in the console", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("are made with a reason, and shown to all admins, who confirm them or object", async () => {
    const [owner, second] = [
      await protectedAdmin("bea@registry.example"),
      await protectedAdmin("cas@registry.example"),
    ];
    const asker = await login(ADMIN);
    const ask = () =>
      site.post(
        `/admin/users/${owner.user.id}/two-factor/reset`,
        { reason: "Lost phone and codes, told me in person" },
        asker.token,
      );
    const page = await openConsole(second);
    await page.getByText("No open requests").waitFor();
    expect(await faults(page)).toEqual([]);

    await ask();
    await page.reload();
    await page.getByRole("heading", { level: 2, name: "Bea Holt" }).waitFor();
    await page.getByText("Reason: Lost phone and codes, told me in person").waitFor();
    expect(await faults(page)).toEqual([]);
    await page.getByRole("button", { name: "Object" }).click();
    await page.getByText("The request is over.").waitFor();
    await page.getByText("No open requests").waitFor();

    const askers = await openConsole(asker);
    await askers.getByRole("button", { name: "Ask for a reset" }).click();
    const dialog = askers.getByRole("dialog");
    const send = dialog.getByRole("button", { name: "Ask for the reset" });
    await send.click();
    await dialog.getByText("Choose whose second factor it is").waitFor();
    await dialog.getByText("Say why, and how you know who asked you").waitFor();
    expect(await faults(askers)).toEqual([]);
    await dialog.getByLabel("Admin").click();
    // Whoever asks is not among them, nor is who has no second factor.
    const offered = askers.getByRole("option");
    await expect.poll(() => offered.allInnerTexts()).toEqual(["Bea Holt", "Cas Holt"]);
    await offered.filter({ hasText: "Bea Holt" }).click();
    await dialog.getByLabel("Reason").fill("Lost everything in a fire");
    await send.click();
    await askers.getByText("All admins are mailed. A second admin confirms it").waitFor();
    await askers.getByText("Reason: Lost everything in a fire").waitFor();
    await askers.getByText("Another admin has to confirm this.").waitFor();
    // Somebody has asked already.
    await askers.getByRole("button", { name: "Ask for a reset" }).click();
    await dialog.getByLabel("Admin").click();
    await offered.filter({ hasText: "Bea Holt" }).click();
    await dialog.getByLabel("Reason").fill("Again");
    await send.click();
    await dialog.getByText("Somebody has asked for this already").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => askers.getByRole("button", { name: "Confirm" }).count()).toBe(0);
    expect(await faults(askers)).toEqual([]);
    await page.reload();
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByText("Two-factor sign-in was switched off.").waitFor();
    await page.getByText("No open requests").waitFor();
    expect(await login("bea@registry.example")).toHaveProperty("token");
    // Somebody else was first.
    await askers.getByRole("button", { name: "Object" }).click();
    await askers.getByText("This request is over").waitFor();
  });

  it("are not needed for other accounts, which one admin resets on the account's page", async () => {
    const email = "uma@registry.example";
    const name: [string, string] = ["Uma", "Holt"];
    await addAccount(site.dataDir, { role: "user", email, password: PASSWORD, name });
    const owner = await protectedAdmin(email);
    expect(await login(email)).not.toHaveProperty("token");
    const page = await openConsole(await login(ADMIN));
    await page.goto(site.url(`/admin/users/${owner.user.id}`));
    await page.getByRole("button", { name: "Reset second factor" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Reset Uma Holt's second factor?").waitFor();
    await dialog.getByText("It is switched off at once").waitFor();
    await dialog.getByRole("button", { name: "Reset" }).click();
    await dialog.getByText("Say why, and how you know who asked you").waitFor();
    expect(await faults(page)).toEqual([]);
    await dialog.getByLabel("Reason").fill("Lost phone and codes, told me in person");
    await dialog.getByRole("button", { name: "Reset" }).click();
    await dialog.waitFor({ state: "detached" });
    await expect
      .poll(() => page.getByRole("button", { name: "Reset second factor" }).count())
      .toBe(0);
    expect(await faults(page)).toEqual([]);
    expect(await login(email)).toHaveProperty("token");
  });

  it("are made on an admin's page too, but for one's own, where nothing is offered", async () => {
    const own = await protectedAdmin(ADMIN);
    const email = await addAdmin("Dee");
    const other = await protectedAdmin(email);
    const page = await openConsole(own);
    const reset = page.getByRole("button", { name: "Reset second factor" });
    await page.goto(site.url(`/admin/users/${other.user.id}`));
    await reset.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("Lost phone and codes, told me in person");
    await dialog.getByRole("button", { name: "Ask for the reset" }).click();
    await page.getByText("All admins are mailed. A second admin confirms it").waitFor();

    await page.goto(site.url(`/admin/users/${own.user.id}`));
    const facts = page.getByRole("main");
    await facts.getByText("Two-factor sign-in", { exact: true }).waitFor();
    await facts.getByText("On", { exact: true }).waitFor();
    expect(await reset.count()).toBe(0);
  });
});
