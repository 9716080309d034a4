/**
 * Pages derived from declarations: `npm run docs` writes them, and these tests compare them, so that a right
 * granted by mistake is noticed. `docs/routes.md` is written by `e2e/roles.int.test.ts`.
 */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { EventDefinition } from "#contracts/events/definition.ts";
import { eventDefinitions } from "#contracts/events/index.ts";
import { OWNED, RIGHTS } from "#launcher/migrate/rights.ts";
import { defaultOf } from "#runtime/config/read-variables.ts";
import type { Reader, Variable } from "#runtime/config/schemas.ts";
import { variables } from "#runtime/config/variables.ts";
import { SERVICE_NAMES, SERVICE_ROLES } from "#runtime/db/service-roles.ts";
import { KEY_USERS } from "#vault/keys/service-keys.ts";

const root = path.resolve(import.meta.dirname, "../..");
const HEAD = "<!-- Written by `npm run docs`; do not edit. -->";

it.each([
  ["configuration", configuration],
  ["events", events],
  ["rights", rights],
])("docs/%s.md is what `npm run docs` writes", async (name, write) => {
  const text = `${[HEAD, ...write()].join("\n")}\n`;
  await expect(text).toMatchFileSnapshot(path.join(root, `docs/${name}.md`));
});

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.join(" | ")} |`.replaceAll(/ {2}(?=\|)/g, " ");
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)];
}

const code = (text: string) => `\`${text}\``;

function configuration(): string[] {
  const rows = Object.entries<Variable>(variables).map(([name, variable]) => [
    code(name),
    variable.meaning,
    defaultText(variable),
    readersText(variable),
  ]);
  return [
    "# Configuration",
    "",
    "Every process reads its configuration from environment variables. With `npm start` each variable has a default.",
    "A separate process does not start without the variables whose readers are in **bold**. A store without a URL of",
    "its own is in `DATABASE_URL`. The operator's commands read the same variables as `npm start`.",
    "",
    "- A secret (the URL of a store, `SMTP_URL`, `FILES_URL`, `MASTER_KEY`, a password) can be read from a file: set",
    "  `<NAME>_FILE` to its path.",
    "- Users and passwords in URLs are percent-encoded.",
    "- A process with an invalid value does not start. It prints which variable is wrong and what it must be.",
    "- Keep `.data/master-key` apart from backups of the database and of `.data/files`: together they reveal everything.",
    "",
    ...table(["variable", "meaning", "default", "read by"], rows),
  ];
}

function defaultText(variable: Variable): string {
  const { default: value, otherwise = "none", readBy } = variable;
  if (value === undefined) return otherwise;
  if (typeof value !== "object") return code(`${value}`);
  const byValue = Map.groupBy(
    readBy.filter((reader) => defaultOf(reader, variable) !== undefined),
    (reader) => defaultOf(reader, variable),
  );
  return [...byValue].map(([each, readers]) => `${namesText(readers)} \`${each}\``).join("; ");
}

/** Bolds the readers that cannot start without the variable. */
function readersText({ readBy, neededBy = [], standIn }: Variable): string {
  const isNeeded = (reader: Reader) => !standIn && neededBy.includes(reader);
  const [needed, others] = [readBy.filter(isNeeded), readBy.filter((reader) => !isNeeded(reader))];
  return [
    ...(others.length > 0 ? [namesText(others)] : []),
    ...needed.map((name) => `**${nameText(name)}**`),
  ].join(", ");
}

function namesText(readers: readonly Reader[]): string {
  const processes: readonly Reader[] = variables.OPERATIONS_PORT.readBy;
  const isAll = processes.every((name) => readers.includes(name));
  const named = isAll ? readers.filter((name) => !processes.includes(name)) : readers;
  return [...named.map(nameText), ...(isAll ? ["every process"] : [])].join(", ");
}

function nameText(reader: Reader): string {
  const commands: Partial<Record<Reader, string>> = {
    launcher: "`npm start`",
    migrate: "`npm run migrate`",
    bench: "`npm run bench`",
  };
  return commands[reader] ?? reader;
}

/** Maps "report/resolution.ts" to events of "report", "mail-events.ts" to "mail". */
const kindOf = (file: string) => file.split("/")[0]?.replace(/(-events)?\.ts$/, "") ?? "";

function events(): string[] {
  const folder = "contracts/src/events";
  const declared = new Map<string, { kind: string; about: string }>();
  for (const file of globSync("**/*.ts", { cwd: path.join(root, folder) })) {
    const text = readFileSync(path.join(root, folder, file), "utf8");
    for (const [, about = "", type = ""] of text.matchAll(
      /(?:\/\*\*((?:[^*]|\*(?!\/))*)\*\/\n)?export const (\w+) = \w+\(/g,
    )) {
      const words = about.replaceAll(/\s*\n? \* ?/g, " ").replaceAll(/\{@link (\w+)\}/g, "`$1`");
      declared.set(type, { kind: kindOf(file), about: words.trim() });
    }
  }
  const byKind = Map.groupBy<string, EventDefinition>(
    eventDefinitions,
    ({ type }) => declared.get(type)?.kind ?? "",
  );
  return [
    "# Events",
    "",
    "Every event that the log can hold, by the part of `contracts/src/events` that declares it.",
    "[event-format.md](event-format.md) describes what all of them have in common. Clear fields can be read in",
    "the log; sealed parts need their key.",
    ...[...byKind].flatMap(([kind, definitions]) => [
      "",
      `## ${kind}`,
      "",
      ...table(
        ["event", "clear fields", "sealed parts", "meaning"],
        definitions.map(({ type, clear, parts }) => [
          code(type),
          Object.keys(clear.properties).map(code).join(", "),
          Object.keys(parts).map(code).join(", "),
          declared.get(type)?.about ?? "",
        ]),
      ),
    ]),
  ];
}

function rights(): string[] {
  return [
    "# Rights of the database roles",
    "",
    "`npm run migrate` creates a PostgreSQL role for each service when `COMMAND_API_PASSWORD`, `QUERY_API_PASSWORD`,",
    "`PROJECTOR_PASSWORD`, `MAILER_PASSWORD` and `BACKUP_PASSWORD` are set. It grants the rights below and revokes all",
    "others. `npm start` does the same in its embedded PostgreSQL. When all services share one `DATABASE_URL`, they share",
    "its role. `/readyz` shows operators which case applies (`database`, `rights`).",
    "",
    "- The role that runs `npm run migrate` owns the tables, the log and the keys. It needs to own the database and to",
    "  have `CREATEROLE`.",
    "- Roles and passwords belong to the whole PostgreSQL server. Give each registry its own server.",
    "- A role writes only the rows of `ops.process` and `ops.answer` that belong to its service (row-level security).",
    "- Only query-api reads `reports.report.reporter_blind`, the blind index of a reporter's email address. No reply has it.",
    "",
    ...table(
      ["service", "role", "owns"],
      SERVICE_NAMES.map((service) => [
        service,
        code(SERVICE_ROLES[service]),
        (OWNED[service] ?? []).map(code).join(", "),
      ]),
    ),
    "",
    "The projector may create schemas for rebuilds, and the mailer for its queue.",
    "",
    "`schema.*` means every table of a schema except `migration` and those with a row of their own. Every role with a",
    "right in a schema can read its `migration`. `maintain` (VACUUM, ANALYZE, REINDEX) needs PostgreSQL 17.",
    "",
    ...table(
      ["service", "object", "rights"],
      SERVICE_NAMES.flatMap((service) =>
        Object.entries(RIGHTS[service]).map(([object, granted]) => [
          service,
          code(object),
          String(granted),
        ]),
      ),
    ),
    "",
    "## Service keys",
    "",
    "A role sees only the rows of `keys.service_key` that its service uses (row-level security); the role of backups sees",
    "all of them, wrapped. The view `keys.public_key` shows only public keys.",
    "",
    ...table(
      ["key", "services"],
      Object.entries(KEY_USERS).map(([name, users]) => [code(name), users.join(", ")]),
    ),
  ];
}
