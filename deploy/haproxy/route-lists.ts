/** `node deploy/haproxy/route-lists.ts` writes the lists of routes that `haproxy.cfg` reads, after a change of the contract's routes. */
import { writeFileSync } from "node:fs";
import { API_ROUTES, type WhenRepeated } from "#contracts/http/routes.ts";

/** Folder of the lists that `haproxy.cfg` reads, and what each is for. */
const LISTS = {
  "reads-by-post.lst": "reads",
  "recognized.lst": "recognized",
} as const satisfies Record<string, WhenRepeated>;

/** What the proxy may send a second time: file name and text, a regular expression of method and path a line. */
export function routeLists(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(LISTS).map(([file, whenRepeated]) => [file, linesOf(whenRepeated)]),
  );
}

function linesOf(wanted: WhenRepeated): string {
  const lines = Object.entries(API_ROUTES).flatMap(([pattern, methods]) =>
    Object.entries(methods)
      .filter(([method, found]) => found === wanted && !(method === "GET" && found === "reads"))
      .map(([method]) => `^${method} ${pattern.replace(/\./g, "\\.").replace(/:\w+/g, "[^/]+")}$`),
  );
  return `${lines.toSorted().join("\n")}\n`;
}

if (import.meta.main)
  for (const [file, text] of Object.entries(routeLists()))
    writeFileSync(new URL(file, import.meta.url), text);
