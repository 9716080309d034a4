import { type Static, Type } from "typebox";
import { strict } from "../report/fields.ts";
import type { Role } from "./account.ts";

/**
 * GET: a stream of server-sent events that says what changes (`text/event-stream`, HTML Living Standard,
 * 9.2). `Last-Event-ID` asks for what has changed since. Without `Accept: text/event-stream` the reply ends
 * with that.
 */
export const CHANGES = "/prod/api/admin/changes";

/** What may change, and who is told. */
export const CHANGED_RESOURCES = {
  "audit-logs": ["admin", "auditor"],
  content: ["admin"],
  inquiries: ["admin"],
  /** Who has which report of the queue. */
  queue: ["admin"],
  reports: ["admin"],
  settings: ["admin"],
  templates: ["admin"],
  users: ["admin"],
} as const satisfies Readonly<Record<string, readonly Role[]>>;
export type ChangedResource = keyof typeof CHANGED_RESOURCES;

/**
 * The types of its events. `open` comes first and says from where on it tells. `changes` has a list of
 * {@link Change}. `reset`: too much has changed since, so everything is read again.
 */
export const CHANGE_EVENTS = { open: "open", changes: "changes", reset: "reset" } as const;

/** One thing that has changed; without an id, several of its kind. */
export const Change = strict({
  resource: Type.Enum(Object.keys(CHANGED_RESOURCES) as ChangedResource[]),
  id: Type.Optional(Type.String()),
});
export type Change = Static<typeof Change>;
