import type { Logger } from "pino";
import type { ProjectorStores } from "../composition.ts";
import type { ProjectorConfig } from "../config.ts";

/** What every command of the operator receives. */
export interface OperatorContext {
  readonly config: ProjectorConfig;
  readonly log: Logger;
  readonly print: (line: string) => void;
  /** Writes a line to standard error, e.g. what the command waits for. */
  readonly warn: (line: string) => void;
}

/** A command of the operator: its arguments and what it does. */
export interface OperatorCommand<Given> {
  readonly usage: string;
  /** @throws {UsageError} for invalid arguments. */
  parse(args: readonly string[]): Given;
  /** @returns the exit code: 0, or 1 when it could not do its work. */
  run(given: Given, context: OperatorContext): Promise<number>;
}

/** Opens the stores, runs the work on them and closes them again. */
export async function withProjectorStores<T>(
  { config, log }: OperatorContext,
  command: (stores: ProjectorStores) => Promise<T>,
): Promise<T> {
  // Where it is used, since a wrong argument is said without loading the projector.
  const { openProjectorStores } = await import("../composition.ts");
  const stores = await openProjectorStores(config, log, { statementMs: "unlimited" });
  try {
    return await command(stores);
  } finally {
    await stores.close();
  }
}
