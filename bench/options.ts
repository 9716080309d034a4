import { parseArgs } from "node:util";
import { UsageError, unknownWord } from "#runtime/lifecycle/usage-error.ts";

export const PARTS = [
  "rebuild",
  "mails",
  "reads",
  "visible",
  "hostile",
  "resend",
  "files",
  "submits",
] as const;
export type PartName = (typeof PARTS)[number];

export interface BenchOptions {
  /** What is measured, in the order of `PARTS`: each part uses what the parts before it left. */
  readonly parts: readonly PartName[];
  /** Events in the log before anything is measured. */
  readonly events: number;
  /** Seconds that each rate is measured for, after a warm-up of a quarter as long. */
  readonly seconds: number;
  /** Numbers of connections over which submits are sent, one row for each. */
  readonly connections: readonly number[];
  /** Number of approvals that are timed until the search finds them. */
  readonly samples: number;
  /** Number of kinds of hostile requests, largest first. */
  readonly kinds: number;
  /** Number of resends for right addresses in each of three runs, and as many for wrong ones. */
  readonly tries: number;
  /** Seed of everything that is made up. */
  readonly seed: number;
  /** File for the rows as JSON, one per line. */
  readonly json: string | undefined;
  /** Folder for CPU profiles of what is measured. */
  readonly cpuProfile: string | undefined;
}

export const USAGE = `Usage: npm run bench -- [${PARTS.join("] [")}] [options]
  --events N    events in the log (200000)
  --seconds N   seconds a rate is measured for (8)
  --connections N,N  connections over which submits are sent (1,8,32)
  --samples N   approvals that are followed into the search (300)
  --kinds N     kinds of hostile requests, the largest first (all)
  --tries N     resends for a right address, and for a wrong one, in each run (1000)
  --seed N      seed of the made-up reports (1)
  --json FILE   write the rows there too, one JSON object a line
  --cpu-profile DIR  leave CPU profiles of the measured processes there`;

/** @throws {UsageError} */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parse(args);
  const unknown = positionals.find((name) => !PARTS.some((part) => part === name));
  if (unknown !== undefined) throw unknownWord("part", unknown, PARTS);
  const parts = PARTS.filter((part) => positionals.length === 0 || positionals.includes(part));
  return {
    parts,
    events: integer("events", values.events, 200_000, 200),
    seconds: integer("seconds", values.seconds, 8, 1),
    connections: (values.connections ?? "1,8,32")
      .split(",")
      .map((text) => integer("connections", text, 1, 1)),
    samples: integer("samples", values.samples, 300, 1),
    kinds: integer("kinds", values.kinds, Number.MAX_SAFE_INTEGER, 1),
    tries: integer("tries", values.tries, 1000, 1),
    seed: integer("seed", values.seed, 1, 0),
    json: values.json,
    cpuProfile: values["cpu-profile"],
  };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const options = {
    events: text,
    seconds: text,
    connections: text,
    samples: text,
    kinds: text,
    tries: text,
    seed: text,
    json: text,
    "cpu-profile": text,
  };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function integer(name: string, value: string | undefined, usual: number, least: number): number {
  const number = Number(value ?? usual);
  if (Number.isSafeInteger(number) && number >= least && value !== "") return number;
  throw new UsageError(`--${name} must be a whole number of ${least} or more, not ${value}.`);
}
