import type { Page } from "playwright-core";

/** Calls of the API that a page makes for what it shows; not those of the session. */
export const READS = /\/prod\/(?!api\/auth\/|api\/system\/samples)/;

/** A call of the API that waits for what is to become of it. */
export interface Read {
  send(): Promise<unknown>;
  fail(): Promise<unknown>;
}

/**
 * Hands over each call that reads something of the API. Not by a route, with which the browser caches nothing.
 */
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
