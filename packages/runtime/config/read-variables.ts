import { type Static, type TSchema, Type } from "typebox";
import type { ServiceName } from "../db/service-roles.ts";
import { isLoopbackHost } from "../net/client-address.ts";
import { ConfigInvalid, type Environment, loadConfig, type VariableNotes } from "./load-config.ts";
import type { Reader, Variable } from "./schemas.ts";
import { listOf } from "./value-problems.ts";
import { variables } from "./variables.ts";

type Declared = typeof variables;

/** Whether a reader gets a value even if the variable is not set. */
type IsThere<V, R extends Reader> = V extends { neededBy: readonly (infer N)[] }
  ? R extends N
    ? true
    : false
  : V extends { default: infer D }
    ? D extends string | number
      ? true
      : R extends keyof D
        ? true
        : false
    : false;

type ValueOf<V extends { schema: TSchema }, R extends Reader> =
  | Static<V["schema"]>
  | (IsThere<V, R> extends true ? never : undefined);

export type NamesOf<R extends Reader> = {
  [N in keyof Declared]: R extends Declared[N]["readBy"][number] ? N : never;
}[keyof Declared];

/** The variables of a reader, as {@link readVariables} reads them. */
export type VariablesOf<R extends Reader> = {
  readonly [N in NamesOf<R>]: ValueOf<Declared[N], R>;
};

/** The variables of a service, except those that only a separate process reads. */
export type ServiceVariables<R extends ServiceName> = Omit<
  VariablesOf<R>,
  | "MASTER_KEY"
  | "OPERATIONS_PORT"
  | "OPERATIONS_URLS"
  | "SUPERVISED"
  | "TLS_CERTIFICATE"
  | "TLS_KEY"
>;

const declared: readonly (readonly [string, Variable])[] = Object.entries(variables);

export function variablesOf(reader: Reader): (readonly [name: string, variable: Variable])[] {
  return declared.filter(([, { readBy }]) => readBy.includes(reader));
}

/** Reads one reader's variables, with defaults and fallbacks. @throws {ConfigInvalid} as {@link loadConfig}. */
export function readVariables<R extends Reader>(reader: R, env: Environment): VariablesOf<R> {
  const own = variablesOf(reader);
  const schemas = own.map(([name, variable]) => [name, schemaOf(reader, variable)]);
  const values: Record<string, unknown> = {
    ...loadConfig(Type.Object(Object.fromEntries(schemas)), env),
  };
  for (const [name, variable] of own) {
    const { standIn } = variable;
    const other = standIn && isNeeded(reader, variable) ? values[standIn] : undefined;
    const value = values[name] ?? other ?? defaultOf(reader, variable);
    if (value !== undefined) values[name] = value;
  }
  return values as VariablesOf<R>;
}

export function defaultOf(reader: Reader, { default: value }: Variable) {
  return typeof value === "object" ? value[reader] : value;
}

function schemaOf(reader: Reader, variable: Variable): TSchema {
  const schema = variable.schemaOf?.[reader] ?? variable.schema;
  return isNeeded(reader, variable) && !variable.standIn ? schema : Type.Optional(schema);
}

function isNeeded(reader: Reader, { neededBy = [] }: Variable): boolean {
  return neededBy.includes(reader);
}

/** Origins as browsers write them: in lower case, without a default port or trailing slash. */
export function originsOf(text: string): string[] {
  return listOf(text).map(originOf);
}

/** Origins of processes as {@link originsOf} writes them, each with its `tlsCAFile` parameter, if any. */
export function processAddressesOf(text: string): string[] {
  return listOf(text).map((address) => originOf(address) + new URL(address).search);
}

/** See {@link originsOf}. */
export function originOf(address: string): string {
  return new URL(address).origin;
}

/** @throws {ConfigInvalid} if rate limiting is off on an address that others can reach. */
export function checkRateLimit({ RATE_LIMIT, HOST }: { RATE_LIMIT: string; HOST: string }): void {
  if (RATE_LIMIT === "off" && !isLoopbackHost(HOST))
    throw new ConfigInvalid([
      `RATE_LIMIT=off is for load tests on this machine, and HOST is ${HOST}: leave one of them out`,
    ]);
}

const secretVariables: readonly string[] = declared
  .filter(([, { schema }]) => (schema as VariableNotes).secret)
  .map(([name]) => name);

const names = new Set([
  ...declared.map(([name]) => name),
  ...secretVariables.map((name) => `${name}_FILE`),
]);

/** Whether an environment variable belongs to the registry or its tests. */
export function isVariable(name: string): boolean {
  return names.has(name);
}

/** The environment without the registry's variables, including secrets, and without `others`. */
export function withoutVariables(env: Environment, others?: RegExp): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !isVariable(name) && !others?.test(name));
  return Object.fromEntries(kept);
}
