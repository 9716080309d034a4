import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { signIn } from "./support/account-forms.ts";
import { addAccount } from "./support/added-accounts.ts";
import { send } from "./support/calls.ts";
import { ADMIN } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const PASSWORD = ADMIN.password;
const UNA = "una@shop.example";
/** The list of admins only: the list of all users includes those of other tests. */
const ADMINS = `/admin/users?filter=${encodeURIComponent('{"role":"admin"}')}`;

let site: Site;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  const una = { email: UNA, password: PASSWORD, name: ["Una", "Reed"] } as const;
  await addAccount(site.origin, site.dataDir, { role: "user", ...una });
});

interface Session {
  readonly user: { readonly id: string };
  readonly token: string;
  readonly refreshToken: string;
}
const login = (email: string): Promise<Session> =>
  site.post("/auth/login", { email, password: PASSWORD });
/** Opens a page in a signed-in browser. */
async function openAs({ user, token, refreshToken }: Session, address: string): Promise<Page> {
  const session = { token, refreshToken, user: JSON.stringify(user) };
  const page = await site.openTabAs(session);
  await page.goto(site.url(address));
  return page;
}
const dialogOf = (page: Page) => page.getByRole("dialog");
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
describe("users in the console", () => {
  it("are listed, searched and filtered, with the filters in the URL", async () => {
    const page = await openAs(await login(ADMIN.email), "/admin/users");
    await page.getByRole("heading", { level: 1, name: "Users" }).waitFor();
    await row(page, "Una Reed").getByText("u***@***").waitFor();
    await page.getByRole("searchbox", { name: "Search" }).fill("reed un");
    await press(page, "Apply Filters");
    await page.waitForURL(/search/);
    await row(page, "Una Reed").waitFor();
    // The first row is the column headings.
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await page.getByRole("searchbox", { name: "Search" }).fill(UNA);
    await page.keyboard.press("Enter");
    await row(page, "Una Reed").waitFor();
    await page.getByRole("searchbox", { name: "Search" }).fill("una@shop");
    await page.keyboard.press("Enter");
    await page.getByText("No users found").waitFor();

    await press(page, "Show all users");
    await row(page, "Una Reed").waitFor();
    const choose = async (filter: string, value: string) => {
      await page.getByRole("combobox", { name: filter }).click();
      await page.getByRole("option", { name: value, exact: true }).click();
    };
    await choose("Role", "Admin");
    await press(page, "Apply Filters");
    await row(page, "Una Reed").waitFor({ state: "detached" });
    await row(page, "First Admin").waitFor();
    await choose("Status", "Banned");
    await press(page, "Apply Filters");
    await page.getByText("No users found").waitFor();
    const filter = new URL(page.url()).searchParams.get("filter") ?? "";
    expect(JSON.parse(filter)).toEqual({ role: "admin", status: "banned" });
    await page.context().close();
  });

  it("are added by invitation", async () => {
    const page = await openAs(await login(ADMIN.email), "/admin/users");
    await press(page, "Add User");
    await press(page, "Add user");
    await page.getByText("First name is a required field").waitFor();
    await page.getByLabel("First name").fill("Ida");
    await page.getByLabel("Last name").fill("Holt");
    await page.getByLabel("Email").fill("ida@shop.example");
    await press(page, "Add user");
    await dialogOf(page).waitFor({ state: "detached" });
    await row(page, "Ida Holt").getByText("Pending").waitFor();
    await page.context().close();
  });

  it("lose their session immediately when banned, and are told why until they are unbanned", async () => {
    const unas = await openAs(await login(UNA), "/dashboard");
    await unas.getByRole("heading", { level: 1 }).waitFor();
    const page = await openAs(await login(ADMIN.email), "/admin/users");
    await page.getByRole("button", { name: "Ban: Una Reed" }).click();
    await press(page, "Ban");
    await page.getByText("Please give a reason").waitFor();
    await page.getByLabel("Reason").fill("Made reports up");
    await press(page, "Ban");
    await dialogOf(page).waitFor({ state: "detached" });
    await row(page, "Una Reed").getByText("Banned").waitFor();

    await unas.reload();
    await unas.waitForURL(/\/login/);
    await signIn(unas, UNA, PASSWORD);
    await unas.getByText(/Your account is banned until .+ Reason: Made reports up\./).waitFor();
    expect(await unas.evaluate(() => localStorage.getItem("token"))).toBeNull();

    await page.getByRole("button", { name: "Unban: Una Reed" }).click();
    await press(page, "Unban");
    await dialogOf(page).waitFor({ state: "detached" });
    await row(page, "Una Reed").getByText("Active").waitFor();
    await signIn(unas, UNA, PASSWORD);
    await unas.waitForURL(/\/dashboard/);
    await unas.context().close();
    await page.context().close();
  });

  it("have a page of facts, sessions, failed sign-ins and history, which reveals masked data", async () => {
    await login(UNA);
    const wrong = { email: UNA, password: `${PASSWORD}0` };
    await expect(site.post("/auth/login", wrong)).rejects.toThrow("401");
    const page = await openAs(await login(ADMIN.email), "/admin/users");
    await page.getByRole("link", { name: "Una Reed" }).click();
    await page.getByRole("heading", { level: 1, name: "Una Reed" }).waitFor();
    await page.getByText("Ban a user: First Admin").first().waitFor();
    await page.getByText("Sign in: the user").first().waitFor();
    const failed = page.getByRole("region", { name: "Failed sign-ins" });
    await failed.getByText("Wrong password").waitFor();
    expect(await page.getByText(UNA).count()).toBe(0);
    await press(page, "Reveal");
    await page.getByText(UNA).waitFor();
    await page.getByText("Open an account's data: First Admin").first().waitFor();
    await press(page, "Hide");
    await page.getByText(UNA).waitFor({ state: "detached" });
    await page.context().close();
  });

  it("are not overwritten by a second editor, who is told who changed what", async () => {
    const admin = await login(ADMIN.email);
    const page = await openAs(admin, "/admin/users");
    const edit = page.getByRole("button", { name: "Edit: Una Reed" });
    await edit.focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Last name").fill("Stone");
    const { user } = await login(UNA);
    const change = { first_name: "Uma" };
    await send(site.origin, `PUT /admin/users/${user.id}`, change, admin.token);
    await press(page, "Save");
    const dialog = dialogOf(page);
    await dialog.getByText(/Someone else changed this account in the meantime/).waitFor();
    await dialog.getByText("First name: Una, now Uma").waitFor();
    await dialog.getByText(/^First Admin: Edit a user/).waitFor();
    await page.getByLabel("First name").fill("Uma");
    await press(page, "Save");
    await dialog.waitFor({ state: "detached" });
    await row(page, "Uma Stone").waitFor();
    // Focus is back where it was.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Edit: Uma Stone");
    await page.context().close();
  });

  it("cannot change themselves, and are deleted permanently", async () => {
    const page = await openAs(await login(ADMIN.email), ADMINS);
    const own = row(page, "First Admin");
    await own.waitFor();
    expect(await own.getByRole("button").count()).toBe(1);
    await page.goto(site.url("/admin/users"));
    await page.getByRole("button", { name: "Delete: Uma Stone" }).click();
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Delete: Uma Stone" }).click();
    await press(page, "Delete");
    await dialogOf(page).waitFor({ state: "detached" });
    await row(page, "Uma Stone").getByText("Deactivated").waitFor();
    await expect(login(UNA)).rejects.toThrow("401");
    await page.context().close();
  });

  it("are reopened as plain users if they were staff when deleted", async () => {
    const ada = "ada@registry.example";
    const account = { email: ada, password: PASSWORD, name: ["Ada", "Min"] } as const;
    await addAccount(site.origin, site.dataDir, { role: "auditor", ...account });
    const page = await openAs(await login(ADMIN.email), "/admin/users");
    await page.getByRole("button", { name: "Delete: Ada Min" }).click();
    await press(page, "Delete");
    await dialogOf(page).waitFor({ state: "detached" });
    await row(page, "Ada Min").getByText("Deactivated").waitFor();
    await page.getByRole("button", { name: "Reopen: Ada Min" }).click();
    await press(page, "Reopen");
    await dialogOf(page).waitFor({ state: "detached" });
    await row(page, "Ada Min").getByText("Active").waitFor();
    await row(page, "Ada Min").getByText("User", { exact: true }).waitFor();
    expect((await login(ada)).user).toMatchObject({ role: "user" });
    // This account is erased within two hours, so no one can reopen it.
    expect(await page.getByRole("button", { name: "Reopen: Uma Stone" }).count()).toBe(0);
    await page.context().close();
  });
});
