import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { addAccount } from "./support/added-accounts.ts";
import { send } from "./support/calls.ts";
import { ADMIN, openSession, type StoredSession } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const PASSWORD = ADMIN.password;
const UNA = "una@shop.example";
/** The list of admins only: the list of all users includes those of other tests. */
const ADMINS = `/admin/users?filter=${encodeURIComponent('{"role":"admin"}')}`;

let site: Site;
/** The admin's console. */
let page: Page;
let admin: StoredSession;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  const una = { email: UNA, password: PASSWORD, name: ["Una", "Reed"] } as const;
  await addAccount(site.origin, site.dataDir, { role: "user", ...una });
  admin = await openSession(site.origin, ADMIN);
  page = await site.openTabAs(admin);
});

const login = (email: string) => site.post("/auth/login", { email, password: PASSWORD });
/** Opens the list of users without the filters of an earlier test, which the browser keeps. */
async function openUsers(): Promise<void> {
  await page.goto(site.url("/admin/users?filter=%7B%7D"));
  await page.getByRole("heading", { level: 1, name: "Users" }).waitFor();
}
const dialog = () => page.getByRole("dialog");
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const row = (name: string) => page.getByRole("row").filter({ hasText: name });
describe("users in the console", () => {
  it("are listed, searched and filtered, with the filters in the URL", async () => {
    await openUsers();
    await row("Una Reed").getByText("u***@***").waitFor();
    await page.getByRole("searchbox", { name: "Search" }).fill("reed un");
    await press("Apply Filters");
    await page.waitForURL(/search/);
    await row("Una Reed").waitFor();
    // The first row is the column headings.
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await page.getByRole("searchbox", { name: "Search" }).fill(UNA);
    await page.keyboard.press("Enter");
    await row("Una Reed").waitFor();
    await page.getByRole("searchbox", { name: "Search" }).fill("una@shop");
    await page.keyboard.press("Enter");
    await page.getByText("No users found").waitFor();

    await press("Show all users");
    await row("Una Reed").waitFor();
    const choose = async (filter: string, value: string) => {
      await page.getByRole("combobox", { name: filter }).click();
      await page.getByRole("option", { name: value, exact: true }).click();
    };
    await choose("Role", "Admin");
    await press("Apply Filters");
    await row("Una Reed").waitFor({ state: "detached" });
    await row("First Admin").waitFor();
    await choose("Status", "Banned");
    await press("Apply Filters");
    await page.getByText("No users found").waitFor();
    const filter = new URL(page.url()).searchParams.get("filter") ?? "";
    expect(JSON.parse(filter)).toEqual({ role: "admin", status: "banned" });
  });

  it("are added by invitation", async () => {
    await openUsers();
    await press("Add User");
    await press("Add user");
    await page.getByText("First name is a required field").waitFor();
    await page.getByLabel("First name").fill("Ida");
    await page.getByLabel("Last name").fill("Holt");
    await page.getByLabel("Email").fill("ida@shop.example");
    await press("Add user");
    await dialog().waitFor({ state: "detached" });
    await row("Ida Holt").getByText("Pending").waitFor();
  });

  it("lose their session when banned with a reason, and can sign in again once unbanned", async () => {
    const { token } = await login(UNA);
    await openUsers();
    await page.getByRole("button", { name: "Ban: Una Reed" }).click();
    await press("Ban");
    await page.getByText("Enter a reason").waitFor();
    await page.getByLabel("Reason").fill("Made reports up");
    await press("Ban");
    await dialog().waitFor({ state: "detached" });
    await row("Una Reed").getByText("Banned").waitFor();

    await expect(send(site.origin, "GET /auth/profile", {}, token)).rejects.toThrow("401");
    await expect(login(UNA)).rejects.toThrow("403");

    await page.getByRole("button", { name: "Unban: Una Reed" }).click();
    await press("Unban");
    await dialog().waitFor({ state: "detached" });
    await row("Una Reed").getByText("Active").waitFor();
    expect(await login(UNA)).toHaveProperty("token");
  });

  it("have a page of facts, sessions, failed sign-ins and history, which reveals masked data", async () => {
    await login(UNA);
    const wrong = { email: UNA, password: `${PASSWORD}0` };
    await expect(site.post("/auth/login", wrong)).rejects.toThrow("401");
    await openUsers();
    await page.getByRole("link", { name: "Una Reed" }).click();
    await page.getByRole("heading", { level: 1, name: "Una Reed" }).waitFor();
    await page.getByText("Ban a user: First Admin").first().waitFor();
    await page.getByText("Sign in: the user").first().waitFor();
    const failed = page.getByRole("region", { name: "Failed sign-ins" });
    await failed.getByText("Wrong password").waitFor();
    expect(await page.getByText(UNA).count()).toBe(0);
    await press("Reveal");
    await page.getByText(UNA).waitFor();
    await page.getByText("Open an account's data: First Admin").first().waitFor();
    await press("Hide");
    await page.getByText(UNA).waitFor({ state: "detached" });
  });

  it("are not overwritten by a second editor, who sees who changed what", async () => {
    await openUsers();
    const edit = page.getByRole("button", { name: "Edit: Una Reed" });
    await edit.focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Last name").fill("Stone");
    const { user } = await login(UNA);
    const change = { first_name: "Uma" };
    await send(site.origin, `PUT /admin/users/${user.id}`, change, admin.token);
    await press("Save");
    await dialog()
      .getByText(/Someone else changed this account in the meantime/)
      .waitFor();
    await dialog().getByText("First name: Una, now Uma").waitFor();
    await dialog()
      .getByText(/^First Admin: Edit a user/)
      .waitFor();
    await page.getByLabel("First name").fill("Uma");
    await press("Save");
    await dialog().waitFor({ state: "detached" });
    await row("Uma Stone").waitFor();
    // Focus is back where it was.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Edit: Uma Stone");
  });

  it("cannot change themselves, and are deleted permanently", async () => {
    await page.goto(site.url(ADMINS));
    const own = row("First Admin");
    await own.waitFor();
    expect(await own.getByRole("button").count()).toBe(1);
    await openUsers();
    await page.getByRole("button", { name: "Delete: Uma Stone" }).click();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Delete: Uma Stone" }).click();
    await press("Delete");
    await dialog().waitFor({ state: "detached" });
    await row("Uma Stone").getByText("Deactivated").waitFor();
    await expect(login(UNA)).rejects.toThrow("401");
  });

  it("are reopened as plain users if they were staff when deleted", async () => {
    const ada = "ada@registry.example";
    const account = { email: ada, password: PASSWORD, name: ["Ada", "Min"] } as const;
    await addAccount(site.origin, site.dataDir, { role: "auditor", ...account });
    await openUsers();
    await page.getByRole("button", { name: "Delete: Ada Min" }).click();
    await press("Delete");
    await dialog().waitFor({ state: "detached" });
    await row("Ada Min").getByText("Deactivated").waitFor();
    await page.getByRole("button", { name: "Reopen: Ada Min" }).click();
    await press("Reopen");
    await dialog().waitFor({ state: "detached" });
    await row("Ada Min").getByText("Active").waitFor();
    await row("Ada Min").getByText("User", { exact: true }).waitFor();
    expect((await login(ada)).user).toMatchObject({ role: "user" });
    // This account is erased within two hours, so no one can reopen it.
    expect(await page.getByRole("button", { name: "Reopen: Uma Stone" }).count()).toBe(0);
  });
});
