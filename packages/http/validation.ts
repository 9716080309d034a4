import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import type { TLocalizedValidationError } from "typebox/error";
import { Settings } from "typebox/system";
import { Value } from "typebox/value";
import { DomainError } from "#contracts/domain-error.ts";
import {
  fieldSentence,
  isOneLineError,
  lengthRule,
  ONE_LINE_RULE,
} from "#contracts/report/fields.ts";
import { readAmount } from "#contracts/report/money.ts";
import { inputBounds } from "./bounds.ts";

/** One sentence per field, keyed by the field's path in the request (`chargebacks.0.amount`). */
export type FieldProblems = Record<string, string>;

/** Collects as many problems as one reply lists. */
export interface ProblemList {
  /** @param rank a problem of a lower rank replaces one of a higher rank on the same field. */
  add(path: string, text: string, rank?: number): void;
  /** Whether further problems would be dropped. */
  isFull(): boolean;
  found(): FieldProblems | undefined;
}

export function problemList(): ProblemList {
  const problems = new Map<string, { text: string; rank: number }>();
  const isFull = () => problems.size >= inputBounds.problems;
  return {
    isFull,
    add(path, text, rank = 0) {
      const key = clip(path, inputBounds.pathLength);
      const before = problems.get(key);
      if (before ? rank < before.rank : !isFull()) problems.set(key, { text, rank });
    },
    found() {
      if (problems.size === 0) return undefined;
      // A problem with the object itself is reported only if none of its fields has one.
      if (problems.size > 1) problems.delete("");
      return Object.fromEntries([...problems].map(([path, { text }]) => [path || "body", text]));
    },
  };
}

const ABBREVIATIONS = new Map([
  ["id", "ID"],
  ["ip", "IP"],
  ["zip", "ZIP"],
]);

/** Turns `first_name`, `refreshToken` or `idempotency-key` into words: "First name". */
export function fieldLabel(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[_\s-]+/)
    .filter(Boolean)
    .map((word) => ABBREVIATIONS.get(word.toLowerCase()) ?? word.toLowerCase());
  const [first = "this field", ...rest] = words;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(" ");
}

/** Converts a JSON pointer to a dotted path. */
export function pathOf(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");
}

/** The last named part: "amount" for `chargebacks.0.amount`. */
function nameOf(path: string): string {
  const names = path.split(".").filter((part) => part !== "" && !/^\d+$/.test(part));
  return names.at(-1) ?? "";
}

const TYPES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  integer: "a whole number",
  null: "null",
  number: "a number, for example 12.50",
  object: "an object",
  string: "text",
};

const FORMATS: Readonly<Record<string, string>> = {
  date: "a date in the format YYYY-MM-DD",
  "date-time": "a date and time (RFC 3339)",
  email: "a valid email address",
  uri: "a valid URL",
  url: "a valid URL",
  uuid: "a UUID",
};

/** Keywords of competing errors on one value, most informative first. */
const ORDER = ["~refine", "type", "enum", "const", "anyOf"];
function rank(error: TLocalizedValidationError): number {
  const { keyword } = error;
  const index = ORDER.indexOf(keyword);
  if (keyword === "~refine") return 0;
  // "Must be null" hides what else a clearable field accepts.
  if (keyword === "type" && error.params.type === "null") return ORDER.length + 2;
  return index === -1 ? 1 : index + 2;
}

/** Turns the validator's errors into sentences. @param whole name of the whole value: "The request body". */
export function wordProblems(
  errors: readonly TLocalizedValidationError[],
  whole: string,
): FieldProblems {
  const problems = problemList();
  for (const error of errors) {
    if (problems.isFull()) break;
    const path = pathOf(error.instancePath);
    const under = (name: string) => (path === "" ? name : `${path}.${name}`);
    if (error.keyword === "required") {
      for (const name of error.params.requiredProperties)
        problems.add(under(name), `${fieldLabel(name)} is required`);
    } else if (error.keyword === "additionalProperties") {
      for (const name of error.params.additionalProperties.slice(0, inputBounds.problems))
        problems.add(under(clip(name)), `${clip(name)} isn't a field of this request`);
    } else if (error.keyword !== "boolean") {
      const name = nameOf(path);
      const label = path === "" ? whole : fieldLabel(name);
      const told = error.keyword === "~refine" ? error.message : fieldSentence(name, error);
      problems.add(path, told ?? `${label} ${say(error)}`, rank(error) + 1);
    }
  }
  return problems.found() ?? {};
}

/** Joins all sentences into one text. After five, says how many more there are. */
export function summarize(problems: FieldProblems): string {
  const texts = [...new Set(Object.values(problems))];
  const shown = texts.slice(0, 5).map((text) => (/[.!?]$/.test(text) ? text : `${text}.`));
  const more = texts.length - shown.length;
  return more > 0 ? `${shown.join(" ")} And ${more} more.` : shown.join(" ");
}

function clip(name: string, length = 60): string {
  return name.length > length ? `${name.slice(0, length).toWellFormed()}…` : name;
}

function say(error: TLocalizedValidationError): string {
  switch (error.keyword) {
    case "type": {
      const types = [error.params.type].flat().map((type) => TYPES[type] ?? type);
      return `must be ${types.join(" or ")}`;
    }
    case "minLength":
      return error.params.limit === 1
        ? "must not be empty"
        : `must have at least ${error.params.limit} characters`;
    case "maxLength":
      return lengthRule(error.params.limit);
    case "minimum":
      return `must be at least ${error.params.limit}`;
    case "maximum":
      return `must be at most ${error.params.limit}`;
    case "exclusiveMinimum":
      return `must be more than ${error.params.limit}`;
    case "exclusiveMaximum":
      return `must be less than ${error.params.limit}`;
    case "multipleOf":
      return `must be a multiple of ${error.params.multipleOf}`;
    case "minItems":
      return `must have at least ${entries(error.params.limit)}`;
    case "maxItems":
      return `must have at most ${entries(error.params.limit)}`;
    case "uniqueItems":
      return "must not contain the same entry twice";
    case "enum":
      return `must be one of: ${error.params.allowedValues.join(", ")}`;
    case "const":
      return `must be ${String(error.params.allowedValue)}`;
    case "format":
      return `must be ${FORMATS[error.params.format] ?? "in the right format"}`;
    case "pattern":
      if (isOneLineError(error)) return ONE_LINE_RULE;
      return describePattern(String(error.params.pattern));
    default:
      return "is not valid";
  }
}

function entries(number: number | bigint): string {
  return `${number} ${Number(number) === 1 ? "entry" : "entries"}`;
}

/** Describes patterns of codes: digits or capital letters, and how many. */
function describePattern(pattern: string): string {
  const found = /^\/?\^(\\d|\[0-9\]|\[A-Z\])\{(\d+)(?:,(\d+))?\}\$\/?$/.exec(pattern);
  if (!found) return "is not in the right format";
  const [, set, from, to] = found;
  const what = set === "[A-Z]" ? "capital letters" : "digits";
  return to ? `must be ${from} to ${to} ${what}` : `must be exactly ${from} ${what}`;
}

// A form gets all problems at once; the limit keeps malicious lists cheap.
Settings.Set({ maxErrors: 100 });

/** The error for a request that violates its schema, or a rule that the schema can't express. */
export function invalidRequest(problems: FieldProblems): DomainError {
  return new DomainError("invalid_request", summarize(problems), problems);
}

const PART_NAMES: Readonly<Record<string, string>> = {
  body: "The request body",
  querystring: "The query",
  params: "The URL",
  headers: "The headers",
};

/**
 * Validates requests with TypeBox. A body is not converted, and an absent one counts as `{}`. Text in
 * query and path is converted to the schema's number (amounts as people write them) or boolean; empty
 * query parameters count as absent. Anything that a schema doesn't declare is rejected.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  // Compiled on first use: compiling every schema would slow down startup.
  let validator: Validator | undefined;
  const whole = PART_NAMES[httpPart ?? ""] ?? "The request";
  return (input: unknown) => {
    let value = input;
    if (httpPart === "body") value = input ?? {};
    else if (httpPart === "querystring") value = Value.Default(schema, readQuery(schema, input));
    else if (httpPart === "params") value = readTexts(schema, input);
    validator ??= Compile(schema);
    if (validator.Check(value)) return { value };
    return { error: invalidRequest(wordProblems(validator.Errors(value), whole)) };
  };
};

function readQuery(schema: TSchema, input: unknown): Record<string, unknown> {
  const given = Object.entries((input ?? {}) as Record<string, unknown>);
  return readTexts(schema, Object.fromEntries(given.filter(([, value]) => value !== "")));
}

function readTexts(schema: TSchema, input: unknown): Record<string, unknown> {
  const properties = (schema as { properties?: Record<string, TSchema> }).properties ?? {};
  const entries = Object.entries((input ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      Object.hasOwn(properties, name) ? readText(properties[name] as TSchema, value) : value,
    ]),
  );
}

interface Shape {
  readonly type?: string;
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
}

/** Converts a text if its spelling is unambiguous; otherwise returns the text itself. */
function readText(schema: TSchema, value: unknown): unknown {
  const shape = schema as Shape;
  const shapes = [shape, ...(shape.anyOf ?? [])];
  const list = shapes.find((entry) => entry.type === "array");
  if (list && value !== undefined) {
    const items = (list.items ?? {}) as TSchema;
    return [value].flat().map((entry) => readText(items, entry));
  }
  if (typeof value !== "string") return value;
  const wants = (type: string) => shapes.some((entry) => entry.type === type);
  const amount = wants("number") ? readAmount(value) : undefined;
  if (amount !== undefined) return amount;
  if ((wants("integer") || wants("number")) && /^-?(0|[1-9]\d{0,15})(\.\d{1,15})?$/.test(value))
    return Number(value);
  if (wants("boolean") && (value === "true" || value === "false")) return value === "true";
  return value;
}
