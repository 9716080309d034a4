import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { Settings } from "typebox/system";
import { Value } from "typebox/value";
import { DomainError } from "#contracts/domain-error.ts";
import { readAmount } from "#contracts/report/money.ts";
import { type FieldProblems, summarise, wordProblems } from "./problem-wording.ts";

// A form gets all problems at once; the limit keeps a hostile list cheap.
Settings.Set({ maxErrors: 100 });

/** The error for a request that breaks its schema, or a rule that the schema cannot express. */
export function invalidRequest(problems: FieldProblems): DomainError {
  return new DomainError("invalid_request", summarise(problems), problems);
}

const WHOLES: Readonly<Record<string, string>> = {
  body: "The request body",
  querystring: "The query",
  params: "The address",
  headers: "The headers",
};

/**
 * Validates requests with TypeBox. A body is not converted, and an absent one counts as `{}`. Text
 * in query and path is converted to the number (an amount as people write it) or boolean of the
 * schema; empty query parameters count as absent. Whatever a schema does not declare is refused.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  // Compiled on first use: compiling every schema would slow down the start.
  let validator: Validator | undefined;
  const whole = WHOLES[httpPart ?? ""] ?? "The request";
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

/** The value of a text if its spelling is unambiguous; otherwise the text itself. */
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
