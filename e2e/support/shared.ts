import { setTimeout } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { beforeAll, inject } from "vitest";
import { requestShared } from "#test-kit/on-demand.ts";
import { findChromium, NO_BROWSER, openBrowser } from "./browser.ts";

const PAGES_CLOSE_MS = 20_000;

let browser: Promise<Browser> | undefined;

/** Returns the browser that all test files of this process share. Its pages are closed after each file. */
export function sharedBrowser(): Promise<Browser> {
  const executable = findChromium();
  if (!executable) throw new Error(NO_BROWSER);
  browser ??= openBrowser(executable);
  return browser;
}

/** Replaces the browser if its pages don't close, which would hold up the next file. */
export async function closePages(): Promise<void> {
  const opened = await browser;
  if (!opened) return;
  const closing = Promise.all(opened.contexts().map((context) => context.close()));
  const limit = setTimeout(PAGES_CLOSE_MS, "hung" as const, { ref: false });
  if ((await Promise.race([closing, limit])) !== "hung") return;
  browser = undefined;
  await opened.close();
}

/** Returns a registry for the test files of this process. It has `ADMIN`, no samples and no rate limits. */
export function sharedRegistry(): Promise<{ readonly url: string; readonly dataDir: string }> {
  return requestShared(inject("registriesDoor"), String(process.pid));
}

/** Prepares what a file's tests need. Without a browser those are skipped (`each-file.ts`). */
export function beforeAllInBrowser(prepare: () => Promise<unknown>): void {
  if (findChromium()) beforeAll(prepare, 300_000);
}
