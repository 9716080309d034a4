import type { Pool } from "pg";
import { type SessionEvent, streams } from "#contracts/events/index.ts";
import { given } from "#contracts/given.ts";
import { EXPORTED_SESSIONS, type ExportedSession } from "#contracts/http/account-export.ts";
import type { Position } from "#event-store/port.ts";
import { openStream, placeOf, type StreamDeps } from "./opened-stream.ts";

interface Row {
  readonly id: string;
  readonly started_at: Date;
  readonly last_used_at: Date;
  readonly ended_at: Date | null;
}

/**
 * The account's sessions, those used last first, also those that ended within the last day. One that
 * started before a confirmation that dropped everything may be somebody else's.
 * @param since the position of that confirmation.
 */
export async function exportedSessions(
  accountId: string,
  currentId: string | undefined,
  since: Position,
  deps: StreamDeps & { readonly pool: Pool },
): Promise<ExportedSession[]> {
  const { rows } = await deps.pool.query<Row>(
    `select id, started_at, last_used_at, ended_at from command.session
     where account_id = $1 order by last_used_at desc, id limit $2`,
    [accountId, EXPORTED_SESSIONS],
  );
  const sessions: ExportedSession[] = [];
  for (const { id, started_at, last_used_at, ended_at } of rows) {
    const opened = await openStream<SessionEvent>(streams.session(id), accountId, deps);
    const [first] = opened.events;
    if (!first || first.stored.position <= since) continue;
    const places = opened.events.map(({ stored }) => placeOf(stored, accountId, opened.keys));
    sessions.push({
      id,
      started_at: started_at.toISOString(),
      last_used_at: last_used_at.toISOString(),
      current: id === currentId,
      ...places.findLast(({ device }) => device !== undefined),
      ...given({ ended_at: ended_at?.toISOString() }),
    });
  }
  return sessions;
}
