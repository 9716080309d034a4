import type { Pool } from "pg";
import { type SessionEvent, streams } from "#contracts/events/index.ts";
import { evolveSession, type SessionState } from "#contracts/events/session.ts";
import { given } from "#contracts/given.ts";
import type { ExportedPlace, ExportedSession } from "#contracts/http/account-export.ts";
import type { AccountStream, AccountStreams } from "./account-streams.ts";
import type { Step } from "./export-page.ts";
import type { AccountPast } from "./exported-account.ts";
import { openStream, placeOf, type StreamDeps } from "./opened-stream.ts";
import { walkStreams } from "./walk-streams.ts";

interface Deps extends StreamDeps {
  readonly pool: Pool;
  readonly accountStreams: Pick<AccountStreams, "of">;
}

/** What the table of sessions says of one that has not ended more than a day ago. */
interface Row {
  readonly last_used_at: Date;
  readonly ended_at: Date | null;
}

/**
 * All sessions of the account, oldest first. One that started before a confirmation that dropped
 * everything may be somebody else's.
 * @param after position of the session before; empty for all.
 */
export async function* exportedSessions(
  past: AccountPast,
  currentId: string | undefined,
  after: string,
  deps: Deps,
): AsyncGenerator<Step<ExportedSession>> {
  for await (const found of walkStreams(deps.accountStreams, past, ["session"], after))
    yield { cursor: found.position, item: await exportedSession(found, past, currentId, deps) };
}

async function exportedSession(
  { id }: AccountStream,
  past: AccountPast,
  currentId: string | undefined,
  deps: Deps,
): Promise<ExportedSession | undefined> {
  const { events, keys } = await openStream<SessionEvent>(streams.session(id), past.id, deps);
  const { rows } = await deps.pool.query<Row>(
    "select last_used_at, ended_at from command.session where id = $1",
    [id],
  );
  const [first] = events;
  if (!first) return undefined;
  const row = rows[0];
  let state: SessionState | undefined;
  let lastUsedAt = first.stored.metadata.time;
  let endedAt: string | undefined;
  const uses: ({ at: string } & ExportedPlace)[] = [];
  for (const { event, stored } of events) {
    state = evolveSession(state, event);
    const { time: at } = stored.metadata;
    if (event.type === "SessionEnded") {
      endedAt = at;
      continue;
    }
    lastUsedAt = at;
    const place = placeOf(stored, past, keys);
    const isKnown = Object.keys(place).length > 0;
    if (isKnown && !isSamePlace(place, uses.at(-1))) uses.push({ at, ...place });
  }
  return {
    id,
    started_at: first.stored.metadata.time,
    last_used_at: row?.last_used_at.toISOString() ?? lastUsedAt,
    current: id === currentId,
    ...given({ ended_at: row?.ended_at?.toISOString() ?? endedAt ?? endOf(id, state, past) }),
    uses,
  };
}

/** When the account's own stream ended the session, as a changed password does. */
function endOf(
  id: string,
  session: SessionState | undefined,
  { state, times }: AccountPast,
): string | undefined {
  const end = state?.ends.find(
    ({ revision, kept }) => session && session.accountRevision < revision && kept !== id,
  );
  return end && times.get(end.revision);
}

function isSamePlace(one: ExportedPlace, other: ExportedPlace | undefined): boolean {
  return one.ip === other?.ip && one.network === other?.network && one.device === other?.device;
}
