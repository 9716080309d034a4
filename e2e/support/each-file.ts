import { afterAll, beforeEach } from "vitest";
import { findChromium, NO_BROWSER } from "./browser.ts";
import { closePages } from "./shared.ts";

beforeEach((context) => {
  if (!findChromium()) context.skip(NO_BROWSER);
});
// Close only the pages: files share the browser.
afterAll(closePages);
