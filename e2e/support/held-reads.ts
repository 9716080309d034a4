import type { Page } from "playwright-core";

/** API calls that a page makes for its content; not those of the session. */
export const READS = /\/prod\/(?!api\/auth\/|api\/system\/samples)/;

/** A paused API call that a test sends or fails. */
export interface Read {
  send(): Promise<unknown>;
  fail(): Promise<unknown>;
}

/** Passes each of the page's API reads to `take`. This is not a route, because a route disables the browser's cache. */
export async function takeReads(page: Page, take: (read: Read) => unknown): Promise<void> {
  const session = await page.context().newCDPSession(page);
  session.on("Fetch.requestPaused", ({ requestId, request }) => {
    const send = () => session.send("Fetch.continueRequest", { requestId });
    const fail = () => session.send("Fetch.failRequest", { requestId, errorReason: "Failed" });
    // The tab may close during the call.
    const evenClosed = (done: Promise<unknown>) => done.catch(() => undefined);
    if (READS.test(request.url))
      take({ send: () => evenClosed(send()), fail: () => evenClosed(fail()) });
    else void evenClosed(send());
  });
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*/prod/*" }] });
}
