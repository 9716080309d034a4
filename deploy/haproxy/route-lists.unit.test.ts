/** The lists of routes read by `haproxy.cfg`: `npm run docs` writes them, and these tests compare them. */
import path from "node:path";
import { expect, it } from "vitest";
import { API_ROUTES, type WhenRepeated } from "#contracts/http/routes.ts";

/** Requests the proxy may retry, as a regular expression of method and path per line. */
it.each<[string, WhenRepeated]>([
  ["reads-by-post.lst", "reads"],
  ["recognized.lst", "recognized"],
])("deploy/haproxy/%s is what `npm run docs` writes", async (file, wanted) => {
  const lines = Object.entries(API_ROUTES).flatMap(([pattern, methods]) =>
    Object.entries(methods)
      .filter(([method, found]) => found === wanted && !(method === "GET" && found === "reads"))
      .map(([method]) => `^${method} ${pattern.replace(/\./g, "\\.").replace(/:\w+/g, "[^/]+")}$`),
  );
  const text = `${lines.toSorted().join("\n")}\n`;
  await expect(text).toMatchFileSnapshot(path.join(import.meta.dirname, file));
});
