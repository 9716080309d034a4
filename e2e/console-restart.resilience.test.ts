import { afterAll, beforeEach, expect, it } from "vitest";
import { findChromium, NO_BROWSER } from "./support/browser.ts";
import { onDatabase } from "./support/database.ts";
import { ADMIN, openSession } from "./support/sessions.ts";
import { beforeAllInBrowser, sharedBrowser } from "./support/shared.ts";
import { type Site, startSite } from "./support/site.ts";

let site: Site;
beforeAllInBrowser(async () => {
  site = await startSite({ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password });
});
beforeEach((context) => {
  if (!findChromium()) context.skip(NO_BROWSER);
});
afterAll(async () => {
  if (!site) return;
  await (await sharedBrowser()).close();
  await site.close();
});

/** Returns the IDs of the processes that have reported within the last minute. */
const processes = () =>
  onDatabase(site.dataDir, async (db) => {
    const { rows } = await db.query(
      "select process_id from ops.process where beat_at > now() - interval '1 minute'",
    );
    return rows.map(({ process_id }) => process_id as string);
  });

it("a button in the console restarts the registry, whose page says when it is back", async () => {
  const page = await site.openTabAs(await openSession(site.origin, ADMIN));
  await page.goto(site.url("/admin/system"));
  const before = await processes();
  await page.getByRole("button", { name: "Restart System", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Restart the registry?" });
  await dialog.getByText("the site, console and API will be unavailable").waitFor();
  await dialog.getByRole("button", { name: "Restart" }).click();
  await page
    .getByText("Restart system completed successfully", { exact: true })
    .waitFor({ timeout: 120_000 });
  await expect
    .poll(async () => (await processes().catch(() => before)).some((id) => !before.includes(id)), {
      timeout: 120_000,
    })
    .toBe(true);
  await page.reload();
  await page
    .getByRole("list", { name: "Connections" })
    .getByRole("listitem")
    .filter({ has: page.getByText("Database", { exact: true }) })
    .getByText("Connected", { exact: true })
    .waitFor();
});
