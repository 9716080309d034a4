import {
  type DestinationStream,
  type Logger,
  type LoggerOptions as LoggerConfig,
  pino,
} from "pino";

/** Fields whose text may be logged. Other text and objects are withheld because they may be personal. */
const TEXT_FIELDS = new Set([
  "actorRole",
  "cause",
  "check",
  "code",
  "command",
  "correlationId",
  "errorClass",
  "eventId",
  "eventType",
  "host",
  "job",
  "limit",
  "method",
  "migration",
  "name",
  "origin",
  "position",
  "processor",
  "queue",
  "reason",
  "reportId",
  "requestId",
  "route",
  "schema",
  "service",
  "signal",
  "state",
  "step",
  "stream",
  "task",
]);

/** Fields whose own serializers keep only what may be logged. */
const SERIALISED = new Set(["err", "req", "res"]);

export interface LoggerOptions {
  readonly name: string;
  /** `info` by default. */
  readonly level?: string;
  /** Standard output by default. */
  readonly destination?: DestinationStream;
}

/** Minimum level that a logger and its children write, as a pino level number. */
interface Threshold {
  readonly configured: number;
  present: number;
}

const THRESHOLD = Symbol("threshold");
const DEBUG = pino.levels.values.debug as number;
const thresholdOf = (logger: object) => (logger as { [THRESHOLD]?: Threshold })[THRESHOLD];

/** Turns debug lines on or off for a logger from `createLogger` and all its children. */
export function logDebug(logger: object, on: boolean): void {
  const threshold = thresholdOf(logger);
  if (!threshold) return;
  const { configured } = threshold;
  threshold.present = on ? Math.min(configured, DEBUG) : configured;
}

/** JSON lines without personal data: messages are constant texts, and fields are checked against a list. */
export function createLogger(options: LoggerOptions): Logger {
  const level = options.level ?? "info";
  const configured = pino.levels.values[level] ?? Number.POSITIVE_INFINITY;
  const threshold: Threshold = { configured, present: configured };
  const config: LoggerConfig = {
    // A child keeps the level it was created with, so the threshold decides what is written.
    level: configured > DEBUG ? "debug" : level,
    base: { service: options.name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: withhold },
    hooks: {
      // Without text, the logger would use an error's message; with extra arguments, it would put values
      // into the text.
      logMethod([first, second], method, number) {
        if (number < threshold.present) return;
        if (first instanceof Error) method.call(this, { err: first }, textOr(second));
        else if (typeof first === "object") method.call(this, first, textOr(second));
        else method.call(this, String(first));
      },
    },
    serializers: { err: describeError, req: describeRequest, res: describeResponse },
  };
  const logger = options.destination ? pino(config, options.destination) : pino(config);
  Object.defineProperty(logger, THRESHOLD, { value: threshold });
  // A child's fields are serialized separately, so they are filtered here. Children inherit this method.
  const { child } = logger;
  logger.child = function guarded(this: Logger, bindings, childOptions) {
    return child.call(this, withhold(bindings), childOptions);
  } as typeof child;
  return logger;
}

function textOr(message: unknown): string {
  return typeof message === "string" ? message : "an event without a message";
}

function withhold(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const plain = typeof value === "number" || typeof value === "boolean" || value === null;
    const allowed = typeof value === "string" && TEXT_FIELDS.has(name);
    kept[name] = plain || allowed || SERIALISED.has(name) ? value : "[withheld]";
  }
  return kept;
}

/** Classes whose messages repeat input: parsers, the database, conversion of addresses and numbers. */
const REPEATS_INPUT = new Set(["SyntaxError", "error", "DatabaseError", "AssertionError"]);

/** The part of an error that may be logged: class, code, location, and the message if it repeats no input. */
export function describeError(error: unknown): Record<string, unknown> {
  return describeCause(error, 0);
}

function describeCause(error: unknown, depth: number): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint, table, routine } = error as unknown as Record<string, unknown>;
  const type = error.constructor.name;
  const described: Record<string, unknown> = { type };
  if (!REPEATS_INPUT.has(error.name) && !REPEATS_INPUT.has(type) && code !== "22P02")
    described.message = error.message;
  for (const [name, value] of Object.entries({ code, constraint, table, routine }))
    if (typeof value === "string") described[name] = value;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  described.stack = frames.map((line) => line.trim()).join("\n");
  if (error.cause !== undefined && depth < 3)
    described.cause = describeCause(error.cause, depth + 1);
  return described;
}

function describeRequest(request: unknown): Record<string, unknown> {
  const { id, method, routeOptions } = request as {
    id?: unknown;
    method?: unknown;
    routeOptions?: { url?: unknown };
  };
  return { id, method, route: routeOptions?.url };
}

function describeResponse(response: unknown): Record<string, unknown> {
  return { statusCode: (response as { statusCode?: unknown }).statusCode };
}
