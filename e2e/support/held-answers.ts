import type { Page } from "playwright-core";

/**
 * Lets a test hold answers from an address. Call it before opening the page: a route added later may miss a
 * request that follows immediately.
 * @returns a function that holds the next answer, although the registry does the work. Its result releases the
 * answer.
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
