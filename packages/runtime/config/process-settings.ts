import { readFileSync } from "node:fs";
import path from "node:path";
import { Type } from "typebox";
import type { Environment } from "./load-config.ts";
import { portVariable, variables } from "./variables.ts";

/** What every process of its own is told, whatever else it needs. */
export interface ProcessSettings {
  readonly version: string;
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Port of the operators' answers, 0 for any free one; without it only this machine has them. */
  readonly operationsPort?: number;
  readonly logLevel: string;
  /** Whether npm started it: it then ends with npm, also when npm is killed. */
  readonly startedByNpm: boolean;
}

/** Variables of every process of its own, for its schema. */
export function processVariables(defaultPort: number) {
  return {
    HOST: variables.HOST,
    PORT: portVariable(defaultPort),
    OPERATIONS_PORT: Type.Optional(variables.OPERATIONS_PORT),
    LOG_LEVEL: variables.LOG_LEVEL,
  };
}

/** @param config as read by a schema with {@link processVariables}. */
export function processSettings(
  config: {
    readonly HOST: string;
    readonly PORT: number;
    readonly OPERATIONS_PORT?: number | undefined;
    readonly LOG_LEVEL: string;
  },
  env: Environment,
): ProcessSettings {
  return {
    version: packageVersion(),
    host: config.HOST,
    port: config.PORT,
    ...(config.OPERATIONS_PORT === undefined ? {} : { operationsPort: config.OPERATIONS_PORT }),
    logLevel: config.LOG_LEVEL,
    startedByNpm: env.npm_lifecycle_event !== undefined,
  };
}

/** Version of the software, from its package.json. */
export function packageVersion(): string {
  const file = path.resolve(import.meta.dirname, "../../../package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
