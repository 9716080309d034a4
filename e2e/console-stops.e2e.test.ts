import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signIn } from "./support/account-forms.ts";
import { findChromium, NO_BROWSER, openPage } from "./support/browser.ts";
import { onDatabase } from "./support/database.ts";
import { type Registry, startRegistry } from "./support/registry.ts";
import { sharedBrowser } from "./support/shared.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const ADMIN = "admin@registry.example";
const PASSWORD = "Correct-horse-9";

let dataDir: string;
let packages: Server;
/** What the package registry does when it is asked. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let registry: Registry;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  if (!executable) return;
  dataDir = await mkdtemp(path.join(os.tmpdir(), "registry-stops-"));
  packages = createServer((request, response) => answer(request, response));
  packages.listen(0, "127.0.0.1");
  await once(packages, "listening");
  registry = await startRegistry({
    dataDir,
    env: {
      SAMPLE_DATA: "none",
      ADMIN_EMAIL: ADMIN,
      ADMIN_PASSWORD: PASSWORD,
      UPDATE_CHECK: "on",
      npm_config_registry: `http://127.0.0.1:${(packages.address() as AddressInfo).port}/`,
    },
  });
  ({ page, complaints } = await openPage(await sharedBrowser()));
  await page.goto(`${registry.url}/admin`);
  await signIn(page, ADMIN, PASSWORD);
  await page.getByRole("heading", { level: 1, name: "Admin Dashboard" }).waitFor();
  await page.goto(`${registry.url}/admin/system`);
});
afterAll(async () => {
  await registry?.stop();
  packages?.closeAllConnections();
  packages?.close();
  if (dataDir) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const results = () => page.getByRole("list", { name: "Results" });

describe("an action of the system that takes long", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("is stopped by its button: Check Updates asks the package registry no longer, and says nothing of it", async () => {
    const asked = Promise.withResolvers<IncomingMessage>();
    answer = (request) => asked.resolve(request);
    await button("Check Updates").click();
    const ended = once((await asked.promise).socket, "close");
    await page.getByText("Check Updates: in progress, 5 of 7").waitFor();
    for (const name of ["Check Updates", "Create Backup"])
      expect(await button(name).isDisabled()).toBe(true);
    await button("Stop").click();
    await page.getByRole("status").getByText("Check updates was stopped").waitFor();
    await ended;
    expect(await results().getByRole("listitem").count()).toBe(5);
    expect(
      await results()
        .getByText(/could not be asked|is not asked now/)
        .count(),
    ).toBe(0);
    await page
      .getByRole("list", { name: "Action history" })
      .getByText(/^Check updates was stopped · /)
      .waitFor();
    expect(await button("Stop").count()).toBe(0);
  });

  it("is in nobody's way once it was stopped: the next one runs to its end", async () => {
    answer = (request, response) => {
      request.resume();
      response.end("{}");
    };
    await button("Check Updates").click();
    await page.getByRole("status").getByText("Check updates completed successfully").waitFor();
    await results()
      .getByText(/^The package registry knows of no fault in the \d+ packages/)
      .waitFor();
  });

  it("is stopped by its button: Create Backup leaves nothing, while the store still holds it up", async () => {
    const archives = async (name: string) =>
      (await readdir(path.join(dataDir, name))).filter((file) => file !== "registry-place.json");
    const places = () => Promise.all(["backups", "backup-keys"].map(archives));
    await onDatabase(dataDir, async (holder) => {
      await holder.query("begin; lock table command.saved_filter in access exclusive mode");
      await button("Create Backup").click();
      const waiting = async () =>
        (
          await holder.query(
            "select from pg_locks where not granted and relation = 'command.saved_filter'::regclass",
          )
        ).rowCount;
      await expect.poll(waiting).toBe(1);
      expect(await places()).toEqual([
        [expect.stringMatching(/\.unfinished$/)],
        [expect.stringMatching(/^registry-.*\.tar\.zst$/)],
      ]);
      await button("Stop").click();
      await page.getByRole("status").getByText("Create backup was stopped").waitFor();
      expect(await places()).toEqual([[], []]);
      expect(await results().count()).toBe(0);
    });
    await button("Create Backup").click();
    await page.getByRole("status").getByText("Create backup completed successfully").waitFor();
    const whole = [expect.stringMatching(/^registry-.*\.tar\.zst$/)];
    expect(await places()).toEqual([whole, whole]);
  });

  it("leaves no complaint of the browser", () => {
    expect(complaints).toEqual([]);
  });
});
