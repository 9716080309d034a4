import type { Browser } from "playwright-core";
import { beforeAll, inject } from "vitest";
import { requestShared } from "#test-kit/on-demand.ts";
import { findChromium, NO_BROWSER, openBrowser } from "./browser.ts";

let browser: Promise<Browser> | undefined;

/** Returns the browser that all test files of this process share. Its pages are closed after each file. */
export function sharedBrowser(): Promise<Browser> {
  const executable = findChromium();
  if (!executable) throw new Error(NO_BROWSER);
  browser ??= openBrowser(executable);
  return browser;
}

export async function closePages(): Promise<void> {
  for (const context of (await browser)?.contexts() ?? []) await context.close();
}

/** Returns a registry for the test files of this process. It has `ADMIN`, no samples and no rate limits. */
export function sharedRegistry(): Promise<{ readonly url: string; readonly dataDir: string }> {
  return requestShared(inject("registriesDoor"), String(process.pid));
}

/** Prepares what a file's tests need. Without a browser those are skipped (`each-file.ts`). */
export function beforeAllInBrowser(prepare: () => Promise<unknown>): void {
  if (findChromium()) beforeAll(prepare, 300_000);
}
