import type { Logger } from "pino";
import type { ProcessSettings } from "../config/process-settings.ts";
import { createLogger } from "../log.ts";
import { explainAddress, explainFailure } from "./explain-failure.ts";
import { createLifecycle, type Lifecycle, stopOnSignals } from "./lifecycle.ts";
import { untilParentEnds } from "./parent.ts";

/** Whatever listens: a Fastify instance, or a port that several share. */
export interface Listener {
  listen(address: { host: string; port: number }): Promise<unknown>;
}

export interface ProcessOptions<C extends ProcessSettings> {
  readonly name: string;
  /** @throws {ConfigInvalid} */
  readonly readConfig: () => C;
  /**
   * Opens what the configuration names, and notes with the lifecycle what is to be stopped.
   * @returns what then listens on the process's own port.
   */
  readonly start: (
    config: C,
    tools: { readonly log: Logger; readonly lifecycle: Lifecycle },
  ) => Promise<Listener>;
}

/**
 * Runs a service as a process of its own, until SIGTERM or SIGINT. When it cannot start it says why
 * on the standard error stream, in a sentence for each wrong or missing variable, and ends with
 * exit code 1.
 */
export async function runProcess<C extends ProcessSettings>(
  options: ProcessOptions<C>,
): Promise<void> {
  const { name } = options;
  let stopping = false;
  try {
    const config = options.readConfig();
    const log = createLogger({ name, level: config.logLevel });
    const lifecycle = createLifecycle({ log });
    for (const signal of ["SIGTERM", "SIGINT"] as const)
      process.once(signal, () => {
        stopping = true;
      });
    stopOnSignals(lifecycle, log);
    untilParentEnds(config.startedByNpm, () => process.kill(process.pid, "SIGTERM"));
    const listener = await options.start(config, { log, lifecycle });
    const address = { host: config.host.replace(/^\[(.*)\]$/, "$1"), port: config.port };
    await listener.listen(address).catch((error: unknown) => {
      const reason = explainAddress(error, address);
      if (reason) refuse(reason);
      throw error;
    });
  } catch (error) {
    // Told to stop, a start ends with whatever error its present step makes of it.
    if (!stopping) refuse(explainFailure(error, name));
  }
}

function refuse(reason: string): never {
  console.error(reason);
  process.exit(1);
}
