import {
  type InquiryEvent,
  type ReportEvent,
  type SessionEvent,
  streams,
} from "#contracts/events/index.ts";
import { evolveInquiry, type InquiryState } from "#contracts/events/inquiry/inquiry-fold.ts";
import { evolveSession, type SessionState } from "#contracts/events/session.ts";
import type {
  ExportedClaim,
  ExportedInquiry,
  ExportedPlace,
  ExportedSession,
} from "#contracts/http/account-export.ts";
import {
  answersText,
  caseNumber,
  inquiryForms,
  threadText,
} from "#contracts/inquiry/inquiry-forms.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { openStream, type StreamDeps } from "#vault/open-stream.ts";
import type { Dependencies } from "../dependencies.ts";
import { type AccountStream, type AccountStreams, walkStreams } from "./account-streams.ts";
import type { Step } from "./export-page.ts";
import type { AccountPast } from "./exported-account.ts";
import { ownKey, placeOf } from "./exported-place.ts";

type Deps = StreamDeps & Pick<Dependencies, "pool" | "accountStreams">;

/** Row of a session that is active or ended within the last day. */
interface Row {
  readonly last_used_at: Date;
  readonly ended_at: Date | null;
}

/** The account's sessions, oldest first, since the last confirmation that dropped data. @param after position. */
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
  const { events, keys } = await openStream<SessionEvent>(streams.session(id), deps, ownKey(past));
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
    ...omitUndefined({
      ended_at: row?.ended_at?.toISOString() ?? endedAt ?? endOf(id, state, past),
    }),
    uses,
  };
}

/** When the account's own stream ended the session, for example by a password change. */
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

interface ExportedOthersDeps extends StreamDeps {
  readonly accountStreams: Pick<AccountStreams, "of">;
}

/** The reports that the account claimed, oldest first: which one, when and from where. */
export async function* exportedClaims(
  past: AccountPast,
  after: string,
  deps: ExportedOthersDeps,
): AsyncGenerator<Step<ExportedClaim>> {
  for await (const { id, position } of walkStreams(deps.accountStreams, past, ["claim"], after)) {
    const { events, keys } = await openStream<ReportEvent>(streams.report(id), deps, ownKey(past));
    const claimed = events.find(({ stored }) => stored.position === position);
    const taken = events.find(
      ({ event, stored }) =>
        event.type === "ReportDisowned" &&
        event.data.account_id === past.id &&
        stored.position > position,
    );
    const item = claimed && {
      report_id: id,
      at: claimed.stored.metadata.time,
      ...omitUndefined({ taken_back_at: taken?.stored.metadata.time }),
      ...placeOf(claimed.stored, past, keys),
    };
    yield { cursor: position, item };
  }
}

/** The forms that the account sent to the registry's staff, oldest first, except erased ones. */
export async function* exportedInquiries(
  past: AccountPast,
  after: string,
  deps: ExportedOthersDeps,
): AsyncGenerator<Step<ExportedInquiry>> {
  const kinds = ["inquiry", "notice"] as const;
  for await (const found of walkStreams(deps.accountStreams, past, kinds, after)) {
    const { id, position } = found;
    const family = found.kind === "notice" ? "notice" : "inquiry";
    const { events, keys } = await openStream<InquiryEvent>(
      streams[family](id),
      deps,
      ownKey(past),
    );
    const state = events.reduce<InquiryState | undefined>(
      (before, { event }) => evolveInquiry(before, event),
      undefined,
    );
    const [first] = events;
    if (!first || !state?.sender) {
      yield { cursor: position };
      continue;
    }
    const { kind, sender } = state;
    const { name, type, bytes } = sender.document ?? {};
    const item: ExportedInquiry = {
      id,
      ...(kind ? { number: caseNumber(kind, id), form: inquiryForms[kind].title } : {}),
      sent_at: first.stored.metadata.time,
      ...placeOf(first.stored, past, keys),
      answers: [
        ...(kind
          ? answersText(kind, sender)
          : sender.answers.map(({ field, text }) => ({ label: field, text }))),
        ...threadText(state.answers),
      ].map(({ label, text }) => ({ label, text })),
      ...(name && type && bytes ? { document: { name, type, bytes } } : {}),
    };
    yield { cursor: position, item };
  }
}
