import type { Page } from "playwright-core";

/**
 * Can keep answers from there from the page. To be called before the page is opened: a route that is added later may
 * miss a request that follows at once.
 * @returns keeps the next one, though the registry does what was asked; what it returns lets it through.
 */
export async function answersFrom(page: Page, address: string): Promise<() => () => void> {
  let held: Promise<void> | undefined;
  await page.route(address, async (route) => {
    const until = held;
    held = undefined;
    if (!until) return await route.continue();
    const response = await route.fetch();
    await until;
    await route.fulfill({ response });
  });
  return () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    return resolve;
  };
}
