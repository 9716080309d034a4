import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

const idle = new WeakMap<Browser, Map<string, BrowserContext[]>>();

/**
 * A context that knows nothing of what others were used for. Once closed it is kept for anyone who asks for the same
 * options, empty but for the code that the browser has cached: a new one would fetch and compile all of it again.
 * One that had a clock of its own is not kept: that stays in it.
 *
 * @param prepare what is done to a new one, and stays.
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
 * Makes `page.route` wait until the open document goes through routes. Chromium takes its requests over a moment after
 * it says so, and one that is sent before reaches the server, unseen by Playwright.
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

/** @returns what closes the pages of a new context, and forgets what they have stored. */
function emptier(context: BrowserContext): () => Promise<void> {
  const origins = new Set<string>();
  /** Stays open, with nothing that runs, so that the browser's process and the code in it stay as well. */
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
    // On the host of the others, unless nothing answers there anymore.
    const [last] = [...origins].filter((origin) => origin.startsWith("http")).slice(-1);
    origins.clear();
    if (last && keeper.url() === "about:blank")
      await keeper.goto(`${last}/robots.txt`).catch(() => undefined);
  };
}
