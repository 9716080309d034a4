import { parseSync } from "vite";
import { eventDefinitions } from "#contracts/events/index.ts";

/** A source file's imports and uses, as needed by the architecture rules. */
export type SourceFacts = { imports: ImportFact[]; uses: UseFact[] };

export type ImportFact = {
  /** As written in the source, such as `../port.ts`, `#http/service.ts`, `node:fs`, `pg`. */
  specifier: string;
  line: number;
};

/** Things a pure function must not use: environment, PostgreSQL, the name of an event. */
export type Use =
  | "environment"
  | "clock"
  | "random"
  | "asynchrony"
  | "connection"
  | "event"
  | "variable";
export type UseFact = { what: Use; line: number };

type Node = { type: string; start: number; [key: string]: unknown };

/** Returns a file's imports in every form, and its uses per {@link Use}. @throws Error if it can't be parsed. */
export function readSourceFacts(file: string, source: string): SourceFacts {
  const { program, errors } = parseSync(file, source);
  const [error] = errors;
  if (error) throw new Error(`${file}: ${error.message}`);
  const facts: SourceFacts = { imports: [], uses: [] };
  const lineOf = lineFinder(source);
  walk(program as unknown as Node, (node) => {
    const line = lineOf(node.start);
    const specifier = importedFrom(node);
    if (specifier !== undefined) facts.imports.push({ specifier, line });
    const what = findUse(node);
    if (what) facts.uses.push({ what, line });
  });
  return facts;
}

function importedFrom(node: Node): string | undefined {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration":
    case "ImportExpression":
    case "TSImportType":
      return literalText(node.source);
    case "CallExpression":
      return nameOf(node.callee) === "require"
        ? literalText((node.arguments as Node[])[0])
        : undefined;
  }
  return undefined;
}

const eventTypes = new Set<unknown>(eventDefinitions.map(({ type }) => type));

function findUse(node: Node): Use | undefined {
  switch (node.type) {
    case "AwaitExpression":
      return "asynchrony";
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return node.async === true ? "asynchrony" : undefined;
    case "ForOfStatement":
      return node.await === true ? "asynchrony" : undefined;
    case "NewExpression":
      return newUse(node);
    case "CallExpression":
      return nameOf(node.callee) === "Date" ? "clock" : undefined;
    case "MemberExpression":
      if (isOwnVariable(node)) return "variable";
      return memberUse(nameOf(node.object), nameOf(node.property) ?? literalText(node.property));
    case "Literal":
      return eventTypes.has(node.value) ? "event" : undefined;
    case "ImportDeclaration":
      return importsEnvironment(node) ? "environment" : undefined;
  }
  return undefined;
}

function newUse({ callee, arguments: given }: Node): Use | undefined {
  if (nameOf(callee) === "Date") return (given as Node[]).length === 0 ? "clock" : undefined;
  const { object, property } = callee as Node;
  const isOfPg = nameOf(callee) === "Pool" || nameOf(object) === "pg";
  return isOfPg && /^(Pool|Client)$/.test(nameOf(property) ?? nameOf(callee) ?? "")
    ? "connection"
    : undefined;
}

function memberUse(object: string | undefined, property: string | undefined): Use | undefined {
  if (object === "process" && property === "env") return "environment";
  if (object === "Date" && property === "now") return "clock";
  if (object === "performance") return "clock";
  if (object === "Math" && property === "random") return "random";
  if (object === "crypto") return "random";
  return undefined;
}

/** Whether it is `process.env.NAME`, except for variables read by Node, npm and Java. */
function isOwnVariable({ object, property }: Node): boolean {
  const { object: outer, property: inner } = object as Node;
  if (memberUse(nameOf(outer), nameOf(inner) ?? literalText(inner)) !== "environment") return false;
  return !/^(NODE_|npm_|JAVA_)/.test(nameOf(property) ?? literalText(property) ?? "");
}

/** Whether it is `import { env } from "node:process"`. */
function importsEnvironment(node: Node): boolean {
  if (!["process", "node:process"].includes(literalText(node.source) ?? "")) return false;
  return (node.specifiers as Node[]).some(({ imported }) => nameOf(imported) === "env");
}

function nameOf(node: unknown): string | undefined {
  const { type, name } = (node ?? {}) as { type?: string; name?: string };
  return type === "Identifier" ? name : undefined;
}

function literalText(node: unknown): string | undefined {
  const { type, value, quasis, literal } = (node ?? {}) as {
    type?: string;
    value?: unknown;
    literal?: unknown;
    quasis?: { value: { raw: string } }[];
  };
  if (type === "TSLiteralType") return literalText(literal);
  // The text before a template's first placeholder is enough to show where the import leads.
  if (type === "TemplateLiteral") return quasis?.[0]?.value.raw;
  return typeof value === "string" ? value : undefined;
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof (child as Node).type === "string") walk(child as Node, visit);
}

function lineFinder(source: string): (offset: number) => number {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1))
    starts.push(at + 1);
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}
