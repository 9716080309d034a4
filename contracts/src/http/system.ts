import { type Static, Type } from "typebox";
import { codes, strict } from "../report/fields.ts";
import { BACKUP_CHECK_ACTION, SYSTEM_ACTION_NAMES } from "../system/actions.ts";
import { BACKUP_NAME } from "./backups.ts";
import { reply } from "./envelope.ts";

/** Components of the registry, with the titles of their cards. The console has always shown the first four. */
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

/** `disconnected`: no response. `error`: the response is a refusal. */
export const PART_STATUSES = {
  connected: "Connected",
  disconnected: "Disconnected",
  error: "Error",
} as const;
export type PartStatus = keyof typeof PART_STATUSES;

/** `embedded`: part of the registry. `external`: a server run by the operator. */
const PART_MODES = ["embedded", "external"] as const;
export type PartMode = (typeof PART_MODES)[number];

const status = codes(PART_STATUSES);

/** A component as one process sees it. */
export const PartReport = strict({
  part: codes(SYSTEM_PARTS),
  mode: Type.Enum([...PART_MODES]),
  status,
  /** Duration of the check in milliseconds. */
  ms: Type.Integer({ minimum: 0 }),
});
export type PartReport = Static<typeof PartReport>;

/** How far a processor of the projector is behind the event log. */
export const ProcessorReport = strict({
  name: Type.String({ maxLength: 40 }),
  state: Type.String({ maxLength: 40 }),
  /** How long it has been behind without interruption. */
  seconds_behind: Type.Integer({ minimum: 0 }),
  /** Streams with an event that could not be applied. */
  parked: Type.Integer({ minimum: 0 }),
});
export type ProcessorReport = Static<typeof ProcessorReport>;

/** Maximum number of processes in a reply. */
export const MAX_PROCESSES = 100;

const SystemProcess = strict({
  id: Type.String({ format: "uuid" }),
  services: Type.Array(Type.String()),
  version: Type.String(),
  /** `gone`: it has not reported for a while, although it announced no shutdown. */
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

/** Maximum number of processes that are polled. */
export const MAX_ASKED = 32;

/** A process without a database to report to, which is polled instead. */
const AskedProcess = strict({
  /** Its number among the addresses that query-api has, from 1. */
  address: Type.Integer({ minimum: 1 }),
  /** Absent if it did not respond in time, or not as expected. */
  figures: Type.Optional(
    strict({
      service: Type.Enum(["web", "haproxy"]),
      /** Seconds. */
      uptime: Type.Integer({ minimum: 0 }),
      /** Bytes: resident for web; allocated for its work by HAProxy. */
      memory: Type.Integer({ minimum: 0 }),
      /** Share of one core, in percent: of web since the last poll, of the HAProxy thread that responded. */
      cpu: Type.Number({ minimum: 0 }),
    }),
  ),
});
export type AskedProcess = Static<typeof AskedProcess>;

const PartSummary = strict({
  part: codes(SYSTEM_PARTS),
  status,
  mode: Type.Enum([...PART_MODES]),
  /** The slowest check; absent if no process can check it. */
  ms: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type PartSummary = Static<typeof PartSummary>;

/** The state of the whole registry. */
export const SystemStatus = strict({
  database: status,
  redis: status,
  s3: status,
  email: status,
  /** Uptime of the oldest process, in seconds. */
  uptime: Type.Integer({ minimum: 0 }),
  /** Bytes of all running processes. */
  memory: Type.Integer({ minimum: 0 }),
  /** Share of one core used by all running processes together, in percent. */
  cpu: Type.Number({ minimum: 0 }),
  /** Each component with the worst status that any process sees. */
  parts: Type.Array(PartSummary),
  processes: Type.Array(SystemProcess, { maxItems: MAX_PROCESSES }),
  /** web and HAProxy; empty if query-api does not have their addresses. */
  asked: Type.Array(AskedProcess, { maxItems: MAX_ASKED }),
  /** Empty while no projector runs. */
  processors: Type.Array(ProcessorReport),
  /** A sentence for each server known to be older than the oldest safe version. */
  old_servers: Type.Array(Type.String()),
  /** RFC 3339 */
  checked_at: Type.String(),
});
export type SystemStatus = Static<typeof SystemStatus>;

/** GET /prod/api/system/status */
export const SystemStatusReply = reply(SystemStatus);

/** POST /prod/api/system/actions. Returns a job's ID. */
export const SystemActionBody = strict({
  action: Type.Enum([...SYSTEM_ACTION_NAMES, BACKUP_CHECK_ACTION]),
  /** The backup to read completely; only for a check of backups. */
  backup: Type.Optional(Type.String({ pattern: BACKUP_NAME })),
});
export type SystemActionBody = Static<typeof SystemActionBody>;
