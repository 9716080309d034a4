import { type TSchema, Type } from "typebox";
import type { ServiceName } from "../db/service-roles.ts";
import type { VariableNotes } from "./load-config.ts";
import { type ProblemOf, urlProblem } from "./value-problems.ts";

/** Readers of variables. `launcher` is `npm start` and the operator's commands. */
export type Reader = ServiceName | "web" | "launcher" | "migrate" | "bench" | "tests";

type Plain = string | number;

/** A variable's declaration, from which the readers' schemas and the table in docs/configuration.md derive. */
export interface Variable {
  readonly schema: TSchema;
  /** Stricter schemas for some readers. */
  readonly schemaOf?: Partial<Record<Reader, TSchema>>;
  /** Its text in docs/configuration.md, in Markdown. */
  readonly meaning: string;
  readonly readBy: readonly Reader[];
  /** Readers that cannot start without it. */
  readonly neededBy?: readonly Reader[];
  /** The fallback variable when a reader needs this one and it is not set. */
  readonly standIn?: string;
  /** One default for all readers, or one per reader. */
  readonly default?: Plain | Partial<Record<Reader, Plain>>;
  /** What applies if it is not set, for docs/configuration.md, when `default` does not say. */
  readonly otherwise?: string;
}

/** A string with its own check, whose problem becomes the error message. */
export function sensible(problemOf: ProblemOf, notes: VariableNotes = {}) {
  return Type.Refine(
    Type.String({ ...notes }),
    (value) => problemOf(value) === undefined,
    (value) => problemOf(value) ?? "",
  );
}

/** A URL with one of these schemes. It may contain a password, so it may be given in a file. */
export function storeUrl(...schemes: readonly string[]) {
  return sensible(urlProblem(...schemes), { secret: true, passwordIn: "DATABASE_PASSWORD" });
}

export function secretText() {
  return Type.String({ secret: true });
}

/** Password of a service's role. It needs no URL encoding and no SASLprep (RFC 4013). */
export function rolePassword() {
  return Type.String({
    pattern: "^[A-Za-z0-9._~-]{16,200}$",
    must: "have 16 to 200 letters of A to Z, digits, or . _ ~ -",
    secret: true,
  });
}

export function oneLine(most: number) {
  return Type.String({
    pattern: `^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]{1,${most}}$`,
    must: `be one line of at most ${most} characters`,
  });
}

export function wholeNumber() {
  return Type.Integer({ minimum: 0, must: "be a whole number from 0 on" });
}

export function portNumber() {
  return Type.Integer({
    minimum: 0,
    maximum: 65_535,
    must: "be a number from 0 (any free port) to 65535",
  });
}

export function mailsAtOnce() {
  return Type.Integer({
    minimum: 1,
    maximum: 100,
    must: "be a number of mails from 1 to 100",
  });
}

export function connectionsFrom(least: number) {
  return Type.Integer({
    minimum: least,
    maximum: 1_000,
    must: `be a number of connections from ${least} to 1000`,
  });
}

/** Readers of variables that are often used together. */
export const SERVICES = ["command-api", "query-api", "projector", "mailer", "backup"] as const;
export const PROCESSES = [...SERVICES, "web"] as const;
export const APIS = ["command-api", "query-api"] as const;
