import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { withoutChanges, withoutChangesButCached } from "../../e2e/support/browser.ts";

/** Upper limit of each step of an act, for a slow machine that shows several screens at once. */
const PATIENCE_MS = 120_000;

type Lend = <T>(
  options: BrowserContextOptions,
  use: (profile: BrowserContext) => Promise<T>,
) => Promise<T>;

/** Profiles of a browser that know nothing of each other's screens. */
export interface Profiles {
  /** Lends a new one, and closes it. */
  readonly once: Lend;
  /**
   * Lends one that was used before, empty but for the code that it has cached: a new one would fetch and compile all
   * code of the console again.
   */
  readonly again: Lend;
}

/** @param url the registry's. */
export function openProfiles(browser: Browser, url: string): Profiles {
  const free = new Map<string, BrowserContext[]>();
  const open = async (options: BrowserContextOptions) => {
    const profile = await browser.newContext(options);
    profile.setDefaultTimeout(PATIENCE_MS);
    return profile;
  };
  return {
    async once(options, use) {
      const profile = await open(options);
      try {
        await withoutChanges(profile);
        return await use(profile);
      } finally {
        await profile.close();
      }
    },
    async again(options, use) {
      const kind = JSON.stringify(options);
      const others = free.get(kind) ?? [];
      free.set(kind, others);
      let profile = others.pop();
      if (!profile) {
        profile = await open(options);
        await withoutChangesButCached(profile);
      }
      try {
        const result = await use(profile);
        await empty(profile, url);
        others.push(profile);
        return result;
      } catch (error) {
        await profile.close();
        throw error;
      }
    },
  };
}

/** Closes all pages of a profile, and forgets what they have stored. */
async function empty(profile: BrowserContext, url: string): Promise<void> {
  const pages = profile.pages();
  // What a page stores while it closes is forgotten as well.
  const blank = await profile.newPage();
  for (const page of pages) await page.close();
  const session = await profile.newCDPSession(blank);
  const storageTypes = "cookies,local_storage,indexeddb,service_workers,cache_storage";
  await session.send("Storage.clearDataForOrigin", { origin: url, storageTypes });
  await profile.clearCookies();
  await profile.clearPermissions();
  await profile.unrouteAll();
  await blank.close();
}
