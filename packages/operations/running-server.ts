import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";
import type { Program } from "./safe-versions.ts";

/** A server that a process uses. */
export interface RunningServer {
  /** Name of its line. */
  readonly target: string;
  readonly program: Program;
  /** Whether it is the one that `npm start` brings along. */
  readonly isEmbedded: boolean;
  /** Asks the server. */
  readonly version: () => Promise<string>;
}

/** A server with the version that it said. */
export type SeenServer = Omit<RunningServer, "version"> & { readonly version: string };

/** Milliseconds for one server, beside the others, and for which its answer is used. */
const LIMIT_MS = 2_000;
const KEPT_MS = 60_000;

/** Asks servers for their versions, once a minute at most. One that does not answer is left out. Never rejects. */
export function seenServers(
  servers: readonly RunningServer[],
  now: () => number = () => performance.now(),
): () => Promise<SeenServer[]> {
  let kept: { readonly at: number; readonly seen: SeenServer[] } | undefined;
  return async () => {
    if (kept && now() - kept.at < KEPT_MS) return kept.seen;
    const found = await Promise.all(
      servers.map(async ({ version, ...server }) => {
        const said = withDeadline(version(), LIMIT_MS, () => new Error("out of time"));
        return { ...server, version: await said.catch(() => "") };
      }),
    );
    const seen = found.filter(({ version }) => version !== "");
    kept = { at: now(), seen };
    return seen;
  };
}
