import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { complete, isThere, LOADING, main, visit } from "../tools/pictures/console-pages.ts";
import type { Viewer } from "../tools/pictures/screen.ts";
import { sharedStage } from "../tools/pictures/shared-stage.ts";
import type { Stage } from "../tools/pictures/stage.ts";
import { claims, HeldReads, noteClaims, PLAIN_CLAIM, retractedClaims } from "./support/claims.ts";
import { WIDE } from "./support/page-checks.ts";
import { beforeAllInBrowser } from "./support/shared.ts";

let stage: Stage;
beforeAllInBrowser(async () => {
  stage = await sharedStage();
});

describe("facts that are still loading", () => {
  it("are not claimed by a list in the console whose filter changes", async () => {
    const nothing = (name: string, value = "zzzz") =>
      `?filter=${encodeURIComponent(JSON.stringify({ [name]: value }))}`;
    /** What leads from a filter without matches to all rows. */
    const lists: Readonly<Record<string, string>> = {
      [`/admin/reports${nothing("q")}`]: "Show all reports",
      [`/admin/users${nothing("search")}`]: "Show all users",
      [`/admin/audit-logs${nothing("search")}`]: "Show all entries",
      [`/admin/content${nothing("q")}`]: "Clear filters",
      [`/admin/mails${nothing("account", randomUUID())}`]: "Show all emails",
    };
    const found = await visit(stage, Object.keys(lists), async (page, address, path) => {
      await noteClaims(page);
      const held = await HeldReads.of(page);
      await held.release(page);
      await page.goto(address, { waitUntil: "load" });
      const none = main(page).getByText(/^No /).first();
      await none.waitFor();
      held.hold();
      const name = lists[path] as string;
      const exact = { name, exact: true };
      await page.getByRole("button", exact).or(page.getByRole("link", exact)).click();
      await main(page).locator(LOADING).first().waitFor();
      // The list may be loading for another reason, before it shows the new filter.
      await none.waitFor({ state: "hidden", timeout: 10_000 }).catch(() => undefined);
      const said = (await claims(page)).now.filter((line) => PLAIN_CLAIM.test(line));
      await held.release(page);
      await complete(page, 60_000);
      if (!(await isThere(main(page).locator("tbody tr, li").first())))
        said.push("no rows at last");
      return said;
    });
    expect(found).toEqual([]);
  }, 600_000);

  it.each([
    ["/dashboard", "owner"],
    ["/dashboard", "newcomer"],
    ["/profile", "owner"],
    ["/account-settings", "owner"],
    ["{own}", "owner"],
    ["/report", "owner"],
    ["/search?q=rae%40shop.example", "owner"],
    ["/login", "visitor"],
  ] as const)("are not claimed by %s to the %s", async (path, as) => {
    const start = { name: "start", path, ...(as === "visitor" ? {} : { as: as as Viewer }) };
    const found = await stage.show(
      { ...start, waits: true },
      { width: WIDE.width, colors: "light" },
      (page) => retractedClaims(page, page.url(), () => page.waitForLoadState("networkidle")),
    );
    expect(found).toEqual([]);
  });
});
