import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

const idle = new WeakMap<Browser, Map<string, BrowserContext[]>>();

/**
 * Opens a context with nothing left over from earlier use. Closing it empties it and keeps it for the next caller
 * with the same options, along with the browser's cached code: a new context would fetch and compile all of it
 * again. A context with an installed clock is not reused, because the clock can't be removed.
 *
 * @param prepare applied once to a new context; its effect stays.
 */
export async function openContext(
  browser: Browser,
  options: BrowserContextOptions,
  prepare?: (context: BrowserContext) => Promise<unknown>,
): Promise<BrowserContext> {
  const all = idle.get(browser) ?? new Map<string, BrowserContext[]>();
  idle.set(browser, all);
  const kind = JSON.stringify([options, prepare?.name]);
  const free = all.get(kind) ?? [];
  all.set(kind, free);
  const kept = free.pop();
  if (kept) return kept;
  const context = await browser.newContext(options);
  await prepare?.(context);
  context.on("page", letRoutesMissNothing);
  const empty = emptier(context);
  const { clock } = context;
  const install = clock.install.bind(clock);
  const close = context.close.bind(context);
  let hasClock = false;
  clock.install = (options) => {
    hasClock = true;
    return install(options);
  };
  context.close = async () => {
    if (hasClock) return close();
    if (free.includes(context)) return;
    await empty();
    free.push(context);
  };
  return context;
}

const PROBE = "/robots.txt?is-routed";

/**
 * Makes `page.route` wait until the open document's requests go through routes. Chromium starts intercepting a
 * moment after it reports that it has, and a request sent before then reaches the server, unseen by Playwright.
 */
function letRoutesMissNothing(page: Page): void {
  const add = page.route.bind(page);
  page.route = async (...route) => {
    const added = await add(...route);
    if (!page.url().startsWith("http")) return added;
    await add(`**${PROBE}`, (probe) => probe.fulfill({ status: 204 }));
    const isRouted = (probe: string) =>
      fetch(probe).then(
        ({ status }) => status === 204,
        () => false,
      );
    while (!(await page.evaluate(isRouted, PROBE)));
    await page.unroute(`**${PROBE}`);
    return added;
  };
}

/** Returns a function that closes a context's pages and clears what they have stored. */
function emptier(context: BrowserContext): () => Promise<void> {
  const origins = new Set<string>();
  /** An open page that runs nothing, which keeps the browser's process and its compiled code alive. */
  let keeper: Page | undefined;
  context.on("page", (page) => {
    page.on("domcontentloaded", () => void origins.add(new URL(page.url()).origin));
  });
  return async () => {
    await context.unrouteAll({ behavior: "ignoreErrors" });
    await context.setOffline(false);
    const pages = context.pages();
    keeper ??= await context.newPage();
    for (const page of pages) if (page !== keeper) await page.close();
    const session = await context.newCDPSession(keeper);
    const storageTypes = "cookies,local_storage,indexeddb,service_workers,cache_storage";
    for (const origin of origins)
      if (origin !== "null")
        await session.send("Storage.clearDataForOrigin", { origin, storageTypes });
    await session.detach();
    await context.clearCookies();
    await context.clearPermissions();
    // Keep it on the same host as the others, unless that no longer answers.
    const [last] = [...origins].filter((origin) => origin.startsWith("http")).slice(-1);
    origins.clear();
    if (last && keeper.url() === "about:blank")
      await keeper.goto(`${last}/robots.txt`).catch(() => undefined);
  };
}
