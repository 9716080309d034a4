import {
  type DestinationStream,
  type Logger,
  type LoggerOptions as LoggerConfig,
  pino,
} from "pino";

/**
 * Fields whose text may be logged. Numbers and booleans always may; any other text or object is
 * withheld, so that personal data cannot get into a log by the mere shape of a call.
 */
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

/** Fields that their own serialiser reduces to what may be logged. */
const SERIALISED = new Set(["err", "req", "res"]);

export interface LoggerOptions {
  readonly name: string;
  /** `info` when absent. */
  readonly level?: string;
  /** Standard output when absent. */
  readonly destination?: DestinationStream;
}

/** JSON lines without personal data: messages are constant texts, and fields go through a list. */
export function createLogger(options: LoggerOptions): Logger {
  const config: LoggerConfig = {
    level: options.level ?? "info",
    base: { service: options.name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: withhold },
    hooks: {
      // Without its own text an error would bring its message, and texts would take in values.
      logMethod([first, second], method) {
        if (first instanceof Error) method.call(this, { err: first }, textOr(second));
        else if (typeof first === "object") method.call(this, first, textOr(second));
        else method.call(this, String(first));
      },
    },
    serializers: { err: describeError, req: describeRequest, res: describeResponse },
  };
  const logger = options.destination ? pino(config, options.destination) : pino(config);
  // Fields of a child are written by themselves; children inherit this method.
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

/** Classes whose messages repeat input: parsers, the database, address and number conversion. */
const REPEATS_INPUT = new Set(["SyntaxError", "error", "DatabaseError", "AssertionError"]);

/** What of an error may be logged: class, code, place and, where it repeats no input, message. */
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
