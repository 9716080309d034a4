import type { Pool, PoolClient } from "pg";
import { INQUIRY_ENDS, inquiryOf } from "#contracts/events/inquiry/inquiry-fold.ts";
import { ACCOUNT_ENDS } from "#contracts/events/user/account-state.ts";
import { type EventStore, type Position, START, type StoredEvent } from "#event-store/port.ts";
import { FollowedLog } from "../housekeeping/erasure-follower.ts";
import type { AccountPast } from "./exported-account.ts";

/** Kinds of streams, besides its own, in which an account acts. */
export type StreamKind = "session" | "claim" | "inquiry" | "notice";

/** A stream listed for an account. */
export interface AccountStream {
  /** ID of the session, claimed report, inquiry or notice. */
  readonly id: string;
  /** Position of the event that linked the account to it. */
  readonly position: Position;
}

interface Row extends AccountStream {
  readonly account_id: string;
  readonly kind: StreamKind;
}

/** Maximum batches of 500 events read per request; the hourly housekeeping reads the rest. */
const MAX_BATCHES = 20;
const FOLLOWED = {
  types: [
    "SessionStarted",
    "ReportClaimed",
    "InquiryReceived",
    "NoticeReceived",
    ...INQUIRY_ENDS,
    ...ACCOUNT_ENDS,
  ],
};

/** Sessions, claims, inquiries and notices of accounts, including ended ones: `command.account_stream`. */
export class AccountStreams {
  readonly #pool: Pool;
  readonly #followed: FollowedLog;

  constructor(deps: { pool: Pool; store: Pick<EventStore, "readAll" | "head">; epoch: string }) {
    this.#pool = deps.pool;
    this.#followed = new FollowedLog({
      ...deps,
      table: "command.account_stream_position",
      filter: FOLLOWED,
      note,
      restart: async (client) => {
        await client.query("delete from command.account_stream");
      },
    });
  }

  /** Reads the log to its end, however long that takes. */
  async run(): Promise<void> {
    await this.#followed.follow();
  }

  /** @returns false if too much of the log is still unread. */
  catchUp(): Promise<boolean> {
    return this.#followed.follow(MAX_BATCHES);
  }

  /** An account's streams of some kinds, oldest first. @param after last position of the previous page. */
  async of(
    accountId: string,
    kinds: readonly StreamKind[],
    { after, limit }: { readonly after: Position; readonly limit: number },
  ): Promise<readonly (AccountStream & { readonly kind: StreamKind })[]> {
    const { rows } = await this.#pool.query<Row>(
      `select kind, id, position from command.account_stream
       where account_id = $1 and kind = any($2::text[]) and position > $3
       order by position limit $4`,
      [accountId, kinds, after, limit],
    );
    return rows;
  }
}

async function note(client: PoolClient, batch: readonly StoredEvent[]): Promise<void> {
  // In log order, since a session may start just as its account is erased.
  for (const event of batch) {
    const id = event.stream.slice(event.stream.indexOf("-") + 1);
    if (ACCOUNT_ENDS.includes(event.type))
      await client.query("delete from command.account_stream where account_id = $1", [id]);
    else if (INQUIRY_ENDS.some((end) => end === event.type))
      await client.query("delete from command.account_stream where id = $1 and kind = any($2)", [
        id,
        ["inquiry", "notice"],
      ]);
    else {
      const row = rowOf(event, id);
      if (row)
        await client.query(
          `insert into command.account_stream (account_id, kind, id, position)
           values ($1, $2, $3, $4) on conflict do nothing`,
          [row.account_id, row.kind, row.id, row.position],
        );
    }
  }
}

function rowOf({ stream, data, metadata, position }: StoredEvent, id: string): Row | undefined {
  const { account_id: named } = data as { account_id?: string };
  if (named) {
    const kind = stream.startsWith("session-") ? "session" : "claim";
    return { account_id: named, kind, id, position };
  }
  const { id: sender, role } = metadata.actor;
  if (!inquiryOf(stream) || role === "visitor" || role === "system") return undefined;
  return {
    account_id: sender,
    kind: stream.startsWith("notice-") ? "notice" : "inquiry",
    id,
    position,
  };
}

const PAGE = 100;

/** An account's streams since the last confirmation that dropped everything before it. @param after position. */
export async function* walkStreams(
  accountStreams: Pick<AccountStreams, "of">,
  { id, since }: Pick<AccountPast, "id" | "since">,
  kinds: readonly StreamKind[],
  after: string,
): AsyncGenerator<AccountStream & { readonly kind: StreamKind }> {
  let last = after > since ? after : since;
  if (last === "") last = START;
  for (let size = PAGE; size === PAGE; ) {
    const page = await accountStreams.of(id, kinds, { after: last, limit: PAGE });
    for (const stream of page) {
      yield stream;
      last = stream.position;
    }
    size = page.length;
  }
}
