import { type Static, Type } from "typebox";
import { codes, strict } from "../report/fields.ts";
import { BACKUP_CHECK_ACTION, SYSTEM_ACTION_NAMES } from "../system/actions.ts";
import { BACKUP_NAME } from "./backups.ts";
import { reply } from "./envelope.ts";

/** What the registry stands on, as its cards are named. The first four are those that the console has always shown. */
export const SYSTEM_PARTS = {
  database: "Database",
  redis: "Redis Cache",
  s3: "S3 Storage",
  email: "Email Service",
  search: "Search",
  event_log: "Event Log",
  keys: "Keys",
} as const;
export type SystemPart = keyof typeof SYSTEM_PARTS;
export const SYSTEM_PART_NAMES = Object.keys(SYSTEM_PARTS) as SystemPart[];

/** `disconnected`: no one answers. `error`: someone answers, and refuses. */
export const PART_STATUSES = {
  connected: "Connected",
  disconnected: "Disconnected",
  error: "Error",
} as const;
export type PartStatus = keyof typeof PART_STATUSES;

/** `embedded`: the registry brings it along. `external`: a server of the operator's. */
const PART_MODES = ["embedded", "external"] as const;
export type PartMode = (typeof PART_MODES)[number];

const status = codes(PART_STATUSES);

/** One part as one process sees it. */
export const PartReport = strict({
  part: codes(SYSTEM_PARTS),
  mode: Type.Enum([...PART_MODES]),
  status,
  /** How long the check took. */
  ms: Type.Integer({ minimum: 0 }),
});
export type PartReport = Static<typeof PartReport>;

/** How far a processor of the projector is behind the event log. */
export const ProcessorReport = strict({
  name: Type.String({ maxLength: 40 }),
  state: Type.String({ maxLength: 40 }),
  /** For how long it has been behind without interruption. */
  seconds_behind: Type.Integer({ minimum: 0 }),
  /** Streams with an event that could not be applied. */
  parked: Type.Integer({ minimum: 0 }),
});
export type ProcessorReport = Static<typeof ProcessorReport>;

/** Processes that an answer lists at most. */
export const MOST_PROCESSES = 100;

const SystemProcess = strict({
  id: Type.String({ format: "uuid" }),
  /** The services that run in it. */
  services: Type.Array(Type.String()),
  version: Type.String(),
  /** `gone`: it has not reported for a while, and did not say that it would stop. */
  state: Type.Enum(["running", "gone"]),
  /** Seconds. */
  uptime: Type.Integer({ minimum: 0 }),
  /** Resident bytes. */
  memory: Type.Integer({ minimum: 0 }),
  /** Share of one core, in percent. */
  cpu: Type.Number({ minimum: 0 }),
  /** Seconds since it last reported. */
  reported: Type.Integer({ minimum: 0 }),
  parts: Type.Array(PartReport),
});
export type SystemProcess = Static<typeof SystemProcess>;

/** Processes that are asked at most. */
export const MOST_ASKED = 32;

/** A process that has no database to report in, and is asked. */
const AskedProcess = strict({
  /** Which one it is of the addresses that query-api has, from 1. */
  address: Type.Integer({ minimum: 1 }),
  /** Absent when it did not answer in time, or with something else. */
  figures: Type.Optional(
    strict({
      service: Type.Enum(["web", "haproxy"]),
      /** Seconds. */
      uptime: Type.Integer({ minimum: 0 }),
      /** Bytes: resident ones of web, those that HAProxy has allocated for its work. */
      memory: Type.Integer({ minimum: 0 }),
      /** Share of one core, in percent: of web since the last look, of HAProxy's thread that answered. */
      cpu: Type.Number({ minimum: 0 }),
    }),
  ),
});
export type AskedProcess = Static<typeof AskedProcess>;

const PartSummary = strict({
  part: codes(SYSTEM_PARTS),
  status,
  mode: Type.Enum([...PART_MODES]),
  /** The slowest check of those that were made; absent when no process can check it. */
  ms: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type PartSummary = Static<typeof PartSummary>;

/** The state of the whole registry. */
export const SystemStatus = strict({
  database: status,
  redis: status,
  s3: status,
  email: status,
  /** Seconds for which the oldest process has been running. */
  uptime: Type.Integer({ minimum: 0 }),
  /** Bytes of all running processes. */
  memory: Type.Integer({ minimum: 0 }),
  /** Share of one core that all running processes use together, in percent. */
  cpu: Type.Number({ minimum: 0 }),
  /** Each part, as bad as the process sees it that sees it worst. */
  parts: Type.Array(PartSummary),
  processes: Type.Array(SystemProcess, { maxItems: MOST_PROCESSES }),
  /** web and HAProxy; empty where query-api has no addresses of theirs. */
  asked: Type.Array(AskedProcess, { maxItems: MOST_ASKED }),
  /** Empty while no projector runs. */
  processors: Type.Array(ProcessorReport),
  /** A sentence for each server that is known to be older than the oldest safe version. */
  old_servers: Type.Array(Type.String()),
  /** RFC 3339 */
  checked_at: Type.String(),
});
export type SystemStatus = Static<typeof SystemStatus>;

/** GET /prod/api/system/status */
export const SystemStatusReply = reply(SystemStatus);

/** POST /prod/api/system/actions. It answers with a job's id. */
export const SystemActionBody = strict({
  action: Type.Enum([...SYSTEM_ACTION_NAMES, BACKUP_CHECK_ACTION]),
  /** Which backup is read to its end; for a check of backups alone. */
  backup: Type.Optional(Type.String({ pattern: BACKUP_NAME })),
});
export type SystemActionBody = Static<typeof SystemActionBody>;
