import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { sharedSetting } from "../tools/pictures/shared-stage.ts";
import { signIn } from "./support/account-forms.ts";
import { addAccount } from "./support/added-accounts.ts";
import { NARROW, overflows } from "./support/page-checks.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { openSite, type Site } from "./support/site.ts";

const PASSWORD = "Correct-horse-9";
/** Accounts for this test only: each has its own columns. */
const ADMIN = "columns@registry.example";
const OTHER = "other-columns@registry.example";

let site: Site;
/** Each test continues where the one before ended. */
let page: Page;

beforeAllInBrowser(async () => {
  site = await openSite(await sharedSetting());
  for (const email of [ADMIN, OTHER])
    await addAccount(site.origin, site.dataDir, { role: "admin", email, password: PASSWORD });
  page = await site.openTab();
});

const main = () => page.getByRole("main");
const button = () => main().getByRole("button", { name: /^Columns/ });
const box = (name: string) => page.getByRole("menuitemcheckbox", { name, exact: true });
const heads = async () => {
  await main().getByRole("row").nth(1).waitFor();
  return main().getByRole("columnheader").allTextContents();
};

async function signInAs(email: string): Promise<void> {
  await page.goto(site.url("/admin/users"));
  await signIn(page, email, PASSWORD);
  await page.getByRole("heading", { level: 1, name: "Users" }).waitFor();
}

async function signOut(): Promise<void> {
  await page.getByRole("button", { name: "Account menu" }).click();
  const profile = page.getByRole("menuitem", { name: "Profile" });
  expect(await profile.getAttribute("href")).toBe("/profile");
  await page.getByRole("menuitem", { name: "Logout" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
}

/** Toggles columns in the menu, then closes it. */
async function toggle(...names: string[]): Promise<void> {
  await button().click();
  for (const name of names) {
    const is = await box(name).getAttribute("aria-checked");
    await box(name).click();
    await page
      .locator(`[role="menuitemcheckbox"][aria-checked="${is !== "true"}"]`, {
        hasText: name,
      })
      .first()
      .waitFor();
  }
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
}

describe("the columns of a list in the console", () => {
  it("are chosen with the keyboard alone, and focus returns to the button", async () => {
    await signInAs(ADMIN);
    expect(await heads()).toEqual([
      "Name",
      "Email",
      "Role",
      "Status",
      "Reports",
      "Created",
      "Last Login",
      "Actions",
    ]);
    await button().focus();
    await page.keyboard.press("Enter");
    await box("Email").waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await page.getByText("Columns, 2 hidden").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    expect(await button().evaluate((it) => it === document.activeElement)).toBe(true);
    expect(await heads()).toEqual([
      "Name",
      "Status",
      "Reports",
      "Created",
      "Last Login",
      "Actions",
    ]);
  });

  it("stay chosen after a reload and a sign-out, for this account only", async () => {
    await page.reload();
    expect(await heads()).not.toContain("Email");
    await signOut();
    await signInAs(OTHER);
    expect(await heads()).toContain("Email");
    await toggle("Actions");
    await signOut();
    await signInAs(ADMIN);
    expect(await heads()).toContain("Actions");
    expect(await heads()).not.toContain("Email");
    await button().click();
    await page.getByRole("menuitem", { name: "Show all columns" }).click();
    await page.keyboard.press("Escape");
    expect(await heads()).toHaveLength(8);
  });

  it("can be hidden wide and narrow", async () => {
    const column = "Email";
    const shown = main().getByText(/@/);
    await shown.first().waitFor();
    const head = main().getByRole("columnheader", { name: column, exact: true });
    expect(await head.count()).toBe(1);
    await toggle(column);
    expect(await shown.count()).toBe(0);
    expect(await head.count()).toBe(0);
    await page.setViewportSize(NARROW);
    // The wide rows are gone and the narrow list is there. The pages of a table are list items too.
    await main().getByRole("table").waitFor({ state: "detached" });
    const rows = main().getByRole("listitem");
    await rows.locator("a, [aria-haspopup=dialog]").first().waitFor();
    expect(await shown.count()).toBe(0);
    await toggle(column);
    await shown.first().waitFor();
    expect(await overflows(page)).toBe(false);
    expect(site.complaints).toEqual([]);
  });
});
