import { type Static, Type } from "typebox";
import { strict } from "../report/fields.ts";
import type { Role } from "./account.ts";

/** GET: server-sent events about changes (HTML Living Standard, 9.2), resuming from `Last-Event-ID`. */
export const CHANGES = "/prod/api/admin/changes";

/** Kinds of changes, and the roles that receive them. */
export const CHANGED_RESOURCES = {
  "audit-logs": ["admin", "auditor"],
  content: ["admin"],
  inquiries: ["admin"],
  /** Which moderator holds which report of the queue. */
  queue: ["admin"],
  reports: ["admin"],
  settings: ["admin"],
  templates: ["admin"],
  users: ["admin"],
} as const satisfies Readonly<Record<string, readonly Role[]>>;
export type ChangedResource = keyof typeof CHANGED_RESOURCES;

/** `open` comes first. `changes` has a list of {@link Change}. `reset`: reload everything. */
export const CHANGE_EVENTS = { open: "open", changes: "changes", reset: "reset" } as const;

/** One changed record; without an ID, several of its kind. */
export const Change = strict({
  resource: Type.Enum(Object.keys(CHANGED_RESOURCES) as ChangedResource[]),
  id: Type.Optional(Type.String()),
});
export type Change = Static<typeof Change>;
