import { SearchQuery, SubmitReport } from "#contracts/http/reports.ts";
import { REPORT_BOUNDS } from "#http/bounds.ts";
import { type Hostile, hostileBodies, hostileQueries } from "#test-kit/hostile.ts";
import type { HostileLoadOptions } from "./hostile-load.ts";

/** Requests that are hostile in the same way. */
export interface HostileKind {
  readonly name: string;
  readonly requests: HostileLoadOptions["requests"];
  /** Size of the largest body or query. */
  readonly bytes: number;
}

/**
 * Bodies for the route that accepts the largest ones, and queries for the search, largest first.
 */
export function hostileKinds(): HostileKind[] {
  const bodies = hostileBodies(REPORT_BOUNDS.bodyBytes, Object.keys(SubmitReport.properties));
  const kinds = bodies.map(
    ({ kind, text }): HostileKind => ({
      name: `body: ${kind}`,
      bytes: Buffer.byteLength(text),
      requests: [
        {
          method: "POST",
          path: "/prod/api/reports/submit",
          headers: { "content-type": "application/json" },
          body: text,
        },
      ],
    }),
  );
  const queries = hostileQueries(Object.keys(SearchQuery.properties));
  for (const [kind, alike] of Map.groupBy(queries, withoutParameter))
    kinds.push({
      name: `query: ${kind}`,
      bytes: Math.max(...alike.map(({ text }) => text.length)),
      requests: alike.map(({ text }) => ({
        method: "GET",
        path: `/prod/api/reports/search?${text}`,
      })),
    });
  return kinds.sort((a, b) => b.bytes - a.bytes);
}

/** The kind without the name of the parameter that it is tried with. */
function withoutParameter({ kind }: Hostile): string {
  return kind.replace(/^\w+: /, "");
}
