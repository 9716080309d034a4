import type { Browser, Page } from "playwright-core";
import sharp, { type Color } from "sharp";
import { addAccount } from "./added-accounts.ts";
import { openPage, SELDOM, storeSession } from "./browser.ts";
import { post, send } from "./calls.ts";
import { answersFrom } from "./held-answers.ts";
import { chargeback } from "./reports.ts";
import { ADMIN, openSession, type StoredSession } from "./sessions.ts";
import { sharedBrowser, sharedRegistry } from "./shared.ts";

const BEN = { email: "ben-queue@registry.example", password: ADMIN.password };

interface QueueSite {
  readonly url: string;
  readonly dataDir: string;
  readonly browser: Browser;
  readonly ann: StoredSession;
  readonly ben: StoredSession;
}

let started: Promise<Omit<QueueSite, "browser">> | undefined;

/** Returns the shared registry with two moderators, for all test files of this process. */
export async function startQueue(): Promise<QueueSite> {
  started ??= start();
  // A browser that hangs is replaced between files.
  return { ...(await started), browser: await sharedBrowser() };
}

async function start(): Promise<Omit<QueueSite, "browser">> {
  const { url, dataDir } = await sharedRegistry();
  await addAccount(url, dataDir, { role: "admin", ...BEN, name: ["Ben", "Lee"] });
  const [ann, ben] = [await openSession(url, ADMIN), await openSession(url, BEN)];
  return { url, dataDir, ann, ben };
}

/** Reads a report as a moderator. */
export async function record(id: string) {
  const { url, ann } = await startQueue();
  return send<{ status: string; rejection_reason?: string; description: string }>(
    url,
    `GET /admin/reports/${id}`,
    {},
    ann.token,
  );
}

/** Uploads a JPEG of one color. @returns how a report refers to it. */
export async function uploadedPhoto(name: string, background: Color) {
  const { url } = await startQueue();
  const create = { width: 600, height: 400, channels: 3, background } as const;
  const bytes = new Uint8Array(await sharp({ create }).jpeg().toBuffer());
  const { id, secret } = await post(url, "/uploads", bytes);
  return { id, secret, name };
}

/** Returns a last name of letters only for each number. */
const nameOf = (n: number) =>
  `Case${String.fromCharCode(97 + Math.floor(n / 26))}${String.fromCharCode(97 + (n % 26))}`;

let submitted = 0;
/** Submits and verifies reports, one after another. @returns their IDs by the name on the screen. */
export async function fill(
  count: number,
  fieldsOf: (n: number) => Promise<object> = async () => ({}),
): Promise<Map<string, string>> {
  const { url, ann } = await startQueue();
  const ids = new Map<string, string>();
  for (let n = 0; n < count; n += 1) {
    const last_name = nameOf(submitted);
    submitted += 1;
    const body = { ...chargeback, last_name, ...(await fieldsOf(n)) };
    const { id } = await post<{ id: string }>(url, "/reports/submit", body);
    await post(url, `/admin/reports/${id}/verify`, {}, ann.token);
    ids.set(`Quinn ${last_name}`, id);
  }
  return ids;
}

export async function openAs(session: StoredSession, address = "/admin/queue") {
  const { url, browser } = await startQueue();
  const { page, complaints } = await openPage(browser);
  await storeSession(page, url, session);
  await page.goto(url + address);
  return { page, complaints };
}

/** Opens the queue. Also returns a function that holds the next answer from an address. */
export async function openHolding(session: StoredSession, address: string) {
  const { url, browser } = await startQueue();
  const { page, complaints } = await openPage(browser);
  const hold = await answersFrom(page, address);
  await storeSession(page, url, session);
  await page.goto(`${url}/admin/queue`);
  return { page, complaints, hold };
}

const heading = (page: Page) => page.getByRole("heading", { level: 2, name: /Quinn Case/ });
export const empty = (page: Page) => page.getByText("The queue is empty");

/** Returns the name of the report on the screen once it differs from `before`; undefined if none is left. */
export async function nextName(page: Page, before?: string): Promise<string | undefined> {
  const nothing = page.getByRole("button", { name: "Check again" });
  for (;;) {
    await heading(page).or(nothing).first().waitFor();
    if ((await nothing.count()) > 0) return undefined;
    // Between two reports there may be none for a moment.
    const [words] = await heading(page).allInnerTexts();
    const name = /Quinn Case\w+$/.exec(words ?? "")?.[0] ?? before;
    if (name !== before) {
      // Keys work once it has the focus.
      await page.waitForFunction(
        (text) => document.activeElement?.textContent?.endsWith(text ?? ""),
        name,
        SELDOM,
      );
      return name;
    }
    await page.waitForFunction(
      (text) => !document.querySelector("main h2")?.textContent?.endsWith(text ?? ""),
      before,
      SELDOM,
    );
  }
}

/** Records the commands that the page sends about reports from now on. */
export function commandsOf(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    const [, command] = /\/admin\/reports\/[^/]+\/([^/]+)$/.exec(request.url()) ?? [];
    if (command && request.method() === "POST") sent.push(command);
  });
  return sent;
}

/** A click asks for confirmation first, as the key does. */
export async function approveByMouse(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Approve/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Approve the report about Quinn/ });
  await dialog.getByRole("button", { name: "Approve report" }).click();
}

export async function pressAll(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}
