import { readFileSync } from "node:fs";
import type { Static, TObject, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { Value } from "typebox/value";

/** The configuration is invalid. The message lists every missing or invalid variable. */
export class ConfigInvalid extends Error {
  override readonly name = "ConfigInvalid";
  /** One sentence per variable. */
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((line) => `  - ${line}`).join("\n")}`);
    this.problems = problems;
  }
}

/** Additional properties of a variable's schema; see `variables.ts`. */
export interface VariableNotes {
  /** Whether `<NAME>_FILE` may name a file that holds the value. */
  readonly secret?: boolean;
  /** The variable that holds the password for a `postgres://` URL with a user and no password. */
  readonly passwordIn?: string;
  /** Completes the sentence "NAME must ...", replacing the schema's own message. */
  readonly must?: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads environment variables by a TypeBox schema of their names. Empty variables count as absent,
 * defaults are filled in, and numbers and booleans are parsed. Variables not in the schema are left
 * out. A secret may be in a file.
 * @throws {ConfigInvalid} which never repeats a value, as it may be a secret.
 */
export function loadConfig<T extends TObject>(schema: T, env: Environment): Readonly<Static<T>> {
  const properties = schema.properties as Record<string, TSchema & VariableNotes>;
  const secrets = Object.keys(properties).filter((name) => properties[name]?.secret);
  const { values, problems } = readSecretFiles(env, secrets);
  const raw: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const text = values[name]?.trim();
    if (text) raw[name] = withPassword(readVariable(property, text), values, property);
  }
  const config = Value.Default(schema, raw);
  const validator = Compile(schema);
  if (problems.size === 0 && validator.Check(config)) return Object.freeze(config as Static<T>);
  describe(validator.Errors(config), properties, problems);
  throw new ConfigInvalid([...problems.values()]);
}

/** Replaces each `<NAME>_FILE` with the file's content. @returns the environment, and a sentence for each failure. */
export function readSecretFiles(
  env: Environment,
  names: readonly string[],
): { values: Environment; problems: Map<string, string> } {
  const values: Record<string, string | undefined> = { ...env };
  const problems = new Map<string, string>();
  for (const name of names) {
    const file = env[`${name}_FILE`]?.trim();
    if (!file) continue;
    if (env[name]?.trim()) {
      problems.set(name, `${name} and ${name}_FILE are both set: leave one of them out`);
      continue;
    }
    try {
      values[name] = readFileSync(file, "utf8").trim();
      if (!values[name]) problems.set(name, `${name}_FILE names a file that is empty`);
    } catch (error) {
      const { code = "unknown error" } = error as NodeJS.ErrnoException;
      problems.set(name, `${name}_FILE names a file that cannot be read (${code})`);
    }
  }
  return { values, problems };
}

function withPassword(value: unknown, values: Environment, notes: VariableNotes): unknown {
  const password = values[notes.passwordIn ?? ""]?.trim();
  if (!password || typeof value !== "string") return value;
  const user = /^(postgres(?:ql)?:\/\/[^/?#@:]+)(?=@)/i;
  return value.replace(user, (start) => `${start}:${encodeURIComponent(password)}`);
}

function readVariable(schema: TSchema, text: string): unknown {
  const { type } = schema as { type?: string };
  if ((type === "integer" || type === "number") && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text))
    return Number(text);
  if (type === "boolean" && /^(true|false)$/.test(text)) return text === "true";
  return text;
}

function describe(
  errors: ReturnType<ReturnType<typeof Compile>["Errors"]>,
  properties: Readonly<Record<string, VariableNotes>>,
  problems: Map<string, string>,
): void {
  for (const error of errors) {
    if (error.keyword === "required") {
      for (const name of error.params.requiredProperties)
        if (!problems.has(name)) problems.set(name, `${name} is missing`);
      continue;
    }
    const name = error.instancePath.slice(1);
    if (!name || problems.has(name)) continue;
    const must = error.keyword === "~refine" ? undefined : properties[name]?.must;
    problems.set(name, must ? `${name} must ${must}` : `${name} ${error.message}`);
  }
}
