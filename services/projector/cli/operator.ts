import type { Logger } from "pino";
import { openProjectorStores, type ProjectorStores } from "../composition.ts";
import type { ProjectorConfig } from "../config.ts";

/** What a command of the operator is given. */
export interface OperatorContext {
  readonly config: ProjectorConfig;
  readonly log: Logger;
  readonly print: (line: string) => void;
  /** Writes a line to the standard error stream: what keeps the command waiting. */
  readonly warn: (line: string) => void;
}

/** A command of the operator: how it is called, and what it does. */
export interface OperatorCommand<Given> {
  readonly usage: string;
  /** @throws {UsageError} for arguments that make no sense. */
  parse(args: readonly string[]): Given;
  /** @returns the exit code: 0, or 1 when it could not do its work. */
  run(given: Given, context: OperatorContext): Promise<number>;
}

/** Runs the command on stores that are open for as long as it takes. */
export async function withProjectorStores<T>(
  { config, log }: OperatorContext,
  command: (stores: ProjectorStores) => Promise<T>,
): Promise<T> {
  const stores = await openProjectorStores(config, log, { statementMs: "unlimited" });
  try {
    return await command(stores);
  } finally {
    await stores.close();
  }
}
