import type { Static, TObject, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { Value } from "typebox/value";

/** The configuration cannot be used; the message lists every variable that is missing or wrong. */
export class ConfigInvalid extends Error {
  override readonly name = "ConfigInvalid";
  /** One sentence a variable. */
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((line) => `  - ${line}`).join("\n")}`);
    this.problems = problems;
  }
}

/**
 * Reads environment variables by a TypeBox schema of their names, once, at the start.
 * Empty variables count as absent, defaults are filled in, numbers and booleans read from text;
 * variables that the schema does not name are left out.
 * @throws {ConfigInvalid} which never repeats a value: it may be a secret.
 */
export function loadConfig<T extends TObject>(
  schema: T,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Static<T>> {
  const raw: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties as Record<string, TSchema>)) {
    const text = env[name]?.trim();
    if (text) raw[name] = readVariable(property, text);
  }
  const config = Value.Default(schema, raw);
  const validator = Compile(schema);
  if (validator.Check(config)) return Object.freeze(config as Static<T>);
  throw new ConfigInvalid(describe(validator.Errors(config)));
}

function readVariable(schema: TSchema, text: string): unknown {
  const { type } = schema as { type?: string };
  if ((type === "integer" || type === "number") && /^-?\d+(\.\d+)?$/.test(text))
    return Number(text);
  if (type === "boolean" && /^(true|false)$/.test(text)) return text === "true";
  return text;
}

function describe(errors: ReturnType<ReturnType<typeof Compile>["Errors"]>): string[] {
  const problems = new Map<string, string>();
  for (const error of errors) {
    if (error.keyword === "required") {
      for (const name of error.params.requiredProperties) problems.set(name, `${name} is missing`);
      continue;
    }
    const name = error.instancePath.slice(1);
    if (name && !problems.has(name)) problems.set(name, `${name} ${error.message}`);
  }
  return [...problems.values()];
}
