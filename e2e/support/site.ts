import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { complaintsOf, PLAIN, storeSession, takenOver } from "./browser.ts";
import { post } from "./calls.ts";
import { openContext } from "./contexts.ts";
import { startRegistry } from "./registry.ts";
import type { StoredSession } from "./sessions.ts";
import { sharedBrowser, sharedRegistry } from "./shared.ts";

/** A registry, and a browser to open its site. */
export interface Site {
  /** The registry's data folder. */
  readonly dataDir: string;
  /** Base URL, without a trailing slash. */
  readonly origin: string;
  url(route: string): string;
  /** A context that shares no cookies and no storage with others. */
  newContext(): Promise<BrowserContext>;
  /** Opens a tab, in a new context unless one is given. */
  openTab(context?: BrowserContext): Promise<Page>;
  /** Opens a tab with this session, in its own context. It shows no page of the site yet. */
  openTabAs(session: StoredSession): Promise<Page>;
  /**
   * Posts JSON, or the bytes of a file, to a route of the API such as "/auth/login".
   * @returns the data of the reply, untyped as it arrives.
   * @throws when the registry refuses it.
   */
  // biome-ignore lint/suspicious/noExplicitAny: each route answers with data of its own.
  post(route: string, body: object, token?: string): Promise<any>;
  /** Opens a page of the site and waits until its scripts have hydrated it. */
  show(tab: Page, route: string): Promise<void>;
  /** Errors that the pages logged, without refused requests. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** Opens the registry that all test files of this process share. A file should look only for its own data. */
export async function sharedSite(): Promise<Site> {
  return openSite(await sharedRegistry());
}

/** Starts a registry with its own data and settings. */
export async function startSite(env: Readonly<Record<string, string>> = {}): Promise<Site> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "registry-site-"));
  const registry = await startRegistry({ dataDir, env });
  return openSite({ url: registry.url, dataDir }, async () => {
    await registry.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });
}

/** Opens the site of a running registry. */
export async function openSite(
  registry: { readonly url: string; readonly dataDir: string },
  close: () => Promise<void> = async () => {},
): Promise<Site> {
  const { dataDir } = registry;
  const browser = await sharedBrowser();
  const complaints: string[] = [];
  const url = (route: string) => `${registry.url}${route}`;
  const newContext = () => openContext(browser, PLAIN);
  const openTab: Site["openTab"] = async (context) => {
    const tab = await (context ?? (await newContext())).newPage();
    complaintsOf(tab, complaints);
    return tab;
  };
  return {
    dataDir,
    origin: registry.url,
    url,
    newContext,
    openTab,
    async openTabAs(session) {
      const tab = await openTab();
      await storeSession(tab, registry.url, session);
      return tab;
    },
    post: (route, body, token) => post(registry.url, route, body, token),
    async show(tab, route) {
      await tab.goto(url(route));
      await takenOver(tab);
    },
    complaints,
    close,
  };
}
