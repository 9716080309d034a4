import type { FastifyBaseLogger } from "fastify";
import type { KeyLookups } from "#vault/sealing/event-codec.ts";
import { type ClientView, maskClient } from "../actors/client-masks.ts";
import type { SessionRow } from "./sessions.queries.ts";

/** From where a session was last used, masked; nothing before the audit log has it. */
export function clientOf(row: SessionRow, keys: KeyLookups, log: FastifyBaseLogger): ClientView {
  const { event_id: id, stream, event_type: type, schema_version: schemaVersion, client } = row;
  if (!id || !stream || !type || !schemaVersion || !client) return {};
  return maskClient({ id, stream, type, data: {}, metadata: { schemaVersion, client } }, keys, log);
}
