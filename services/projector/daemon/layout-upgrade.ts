import { setTimeout as delay } from "node:timers/promises";
import { type RebuildDeps, type RebuildProgress, rebuild } from "../rebuild.ts";
import { RebuildRuns } from "../rebuild-failed.ts";
import type { Projection } from "./projection.ts";

/** Milliseconds between checks whether another process's rebuild has ended. */
const POLL_MS = 200;

export interface LayoutUpgradeDeps
  extends Omit<RebuildDeps, "onProgress" | "signal" | "parks" | "isDue"> {
  readonly projections: readonly Projection[];
}

/** Rebuilds tables of an earlier version in one process, reading the log once for all processors. */
export class LayoutUpgrade {
  readonly #deps: LayoutUpgradeDeps;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #progress: RebuildProgress | undefined;

  constructor(deps: LayoutUpgradeDeps) {
    this.#deps = deps;
  }

  /** Progress of this process's rebuild; undefined while none is running. */
  get progress(): RebuildProgress | undefined {
    return this.#progress;
  }

  /**
   * Resolves when no tables are from an earlier version. @throws {RebuildFailed} and others; nothing is changed
   * then.
   */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      this.#progress = undefined;
    });
    return this.#running;
  }

  /** Cancels a running rebuild. The next start begins again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running?.catch(() => undefined);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      signal.throwIfAborted();
      const earlier = await this.#ofEarlierVersion();
      if (earlier.length === 0) return;
      try {
        await this.#rebuild(earlier);
      } catch (error) {
        if (!(error instanceof RebuildRuns)) throw error;
        await delay(POLL_MS, undefined, { signal });
      }
    }
  }

  async #rebuild(projections: readonly Projection[]): Promise<void> {
    const { log, pool } = this.#deps;
    const processors = projections.map(({ name }) => name);
    const onProgress = (progress: RebuildProgress) => {
      if (!this.#progress) log.info({ processors }, "rebuilding tables of an earlier version");
      this.#progress = progress;
    };
    const { signal } = this.#stopping;
    const isDue = (projection: Projection) => projection.isOfEarlierVersion(pool);
    // An event that the earlier version parked must not stop this one from serving the rest.
    await rebuild({ ...this.#deps, onProgress, signal, isDue, parks: true }, projections);
  }

  async #ofEarlierVersion(): Promise<Projection[]> {
    const { projections, pool } = this.#deps;
    const found: Projection[] = [];
    for (const projection of projections)
      if (await projection.isOfEarlierVersion(pool)) found.push(projection);
    return found;
  }
}
