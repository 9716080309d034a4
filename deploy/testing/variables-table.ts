import { defaultOf } from "#runtime/config/read-variables.ts";
import type { Reader, Variable } from "#runtime/config/variable.ts";
import { variables } from "#runtime/config/variables.ts";

const PROCESSES: readonly Reader[] = variables.OPERATIONS_PORT.readBy;

/** The lines of the README's table of variables, derived from their declarations. */
export function variablesTable(): string[] {
  const rows = Object.entries<Variable>(variables).map(([name, variable]) => [
    `\`${name}\``,
    variable.meaning,
    defaultText(variable),
    readersText(variable),
  ]);
  const cells = [
    ["variable", "meaning", "default", "read by"],
    ["---", "---", "---", "---"],
    ...rows,
  ];
  return cells
    .map((row) => `| ${row.join(" | ")} |`)
    .map((line) => line.replaceAll(" --- ", "---"));
}

function defaultText(variable: Variable): string {
  const { default: value, otherwise = "none", readBy } = variable;
  if (value === undefined) return otherwise;
  if (typeof value !== "object") return `\`${value}\``;
  const byValue = Map.groupBy(
    readBy.filter((reader) => defaultOf(reader, variable) !== undefined),
    (reader) => defaultOf(reader, variable),
  );
  const texts = [...byValue].map(([each, readers]) => `${namesText(readers)} \`${each}\``);
  return texts.join("; ");
}

/** Readers that do not start without the variable are bold. */
function readersText({ readBy, neededBy = [], standIn }: Variable): string {
  const isNeeded = (reader: Reader) => !standIn && neededBy.includes(reader);
  const [needed, others] = [readBy.filter(isNeeded), readBy.filter((reader) => !isNeeded(reader))];
  return [
    ...(others.length > 0 ? [namesText(others)] : []),
    ...needed.map((name) => `**${nameText(name)}**`),
  ].join(", ");
}

function namesText(readers: readonly Reader[]): string {
  const isAll = PROCESSES.every((name) => readers.includes(name));
  const named = isAll ? readers.filter((name) => !PROCESSES.includes(name)) : readers;
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
