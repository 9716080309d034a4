import { parseArgs } from "node:util";
import { UsageError, unknownWord } from "#runtime/lifecycle/usage.ts";

export const PARTS = [
  "rebuild",
  "mails",
  "reads",
  "visible",
  "queue",
  "hostile",
  "submits",
] as const;
export type PartName = (typeof PARTS)[number];

export type BenchOptions = ReturnType<typeof readOptions>;

export const USAGE = `Usage: npm run bench -- [${PARTS.join("] [")}] [options]
  --events N    least number of events in the log before anything is measured (200000)
  --seconds N   seconds a rate is measured for, after a warm-up of a quarter as long (8)
  --connections N,N  connections over which submits are sent (1,8,32)
  --samples N   approvals that are timed (300)
  --kinds N     kinds of hostile requests, the largest first (1000)`;

/** `parts` in the order of `PARTS`, because each part uses the state left by earlier ones. @throws {UsageError} */
export function readOptions(args: readonly string[]) {
  const { values, positionals } = parse(args);
  const unknown = positionals.find((name) => !PARTS.some((part) => part === name));
  if (unknown !== undefined) throw unknownWord("part", unknown, PARTS);
  return {
    parts: PARTS.filter((part) => positionals.length === 0 || positionals.includes(part)),
    events: integer("events", values.events, 200),
    seconds: integer("seconds", values.seconds, 1),
    connections: values.connections.split(",").map((text) => integer("connections", text, 1)),
    samples: integer("samples", values.samples, 1),
    kinds: integer("kinds", values.kinds, 1),
  };
}

function parse(args: readonly string[]) {
  const text = (usual: string) => ({ type: "string", default: usual }) as const;
  const options = {
    events: text("200000"),
    seconds: text("8"),
    connections: text("1,8,32"),
    samples: text("300"),
    kinds: text("1000"),
  };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function integer(name: string, value: string, least: number): number {
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= least && value !== "") return number;
  throw new UsageError(`--${name} must be a whole number of ${least} or more, not ${value}.`);
}
