import type { StoredEvent } from "#event-store/port.ts";

/** Returns the `audit.entry` row that the projector writes for an event without details. */
export function auditEntryOf(event: StoredEvent): Record<string, unknown> {
  const { metadata, stream } = event;
  return {
    position: event.position,
    event_id: event.id,
    at: metadata.time,
    actor_id: metadata.actor.id,
    actor_role: metadata.actor.role,
    command: metadata.command,
    event_type: event.type,
    stream,
    revision: event.revision,
    schema_version: metadata.schemaVersion,
    status: "success",
    origin: metadata.origin,
    report_id: stream.startsWith("report-") ? stream.slice("report-".length) : null,
    client: metadata.client ? JSON.stringify(metadata.client) : null,
  };
}

/** Counts the table's entries as the projector does. */
export async function countFacets(db: { query(text: string): Promise<unknown> }): Promise<void> {
  await db.query("truncate audit.figure_facet");
  await db.query(
    `insert into audit.figure_facet
     select event_type, command, actor_role, status, split_part(stream, '-', 1), count(*)
     from audit.entry group by 1, 2, 3, 4, 5`,
  );
}
