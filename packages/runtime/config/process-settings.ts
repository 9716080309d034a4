import { readFileSync } from "node:fs";
import path from "node:path";
import type { Environment } from "./load-config.ts";
import type { VariablesOf } from "./read-variables.ts";

/** Settings of every separate process. */
export interface ProcessSettings {
  readonly version: string;
  readonly host: string;
  /** 0 means any free one. */
  readonly port: number;
  /**
   * Port for operators, 0 for any free one. Without it, only this machine gets the operators'
   * replies.
   */
  readonly operationsPort?: number | undefined;
  readonly logLevel: string;
  /** Whether what runs it starts it again whenever it ends, whatever its exit code. */
  readonly isSupervised: boolean;
  /** Whether npm started it. It then ends when npm does, also when npm is killed. */
  readonly startedByNpm: boolean;
}

/** @param variables of a process, as they were read. */
export function processSettings(
  variables: Pick<VariablesOf<"web">, "HOST" | "PORT" | "OPERATIONS_PORT" | "LOG_LEVEL"> &
    Partial<Pick<VariablesOf<"mailer">, "SUPERVISED">>,
  env: Environment,
): ProcessSettings {
  return {
    version: packageVersion(),
    host: variables.HOST,
    port: variables.PORT,
    operationsPort: variables.OPERATIONS_PORT,
    logLevel: variables.LOG_LEVEL,
    isSupervised: variables.SUPERVISED === "on",
    startedByNpm: env.npm_lifecycle_event !== undefined,
  };
}

export function packageVersion(): string {
  const file = path.resolve(import.meta.dirname, "../../../package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
