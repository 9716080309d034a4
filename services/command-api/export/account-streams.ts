import type { Pool, PoolClient } from "pg";
import { INQUIRY_ENDS, inquiryOf } from "#contracts/events/inquiry/inquiry-fold.ts";
import { ACCOUNT_ENDS } from "#contracts/events/user/account-state.ts";
import { type EventStore, type Position, START, type StoredEvent } from "#event-store/port.ts";
import { FollowedLog } from "../housekeeping/erasure-follower.ts";
import type { AccountPast } from "./exported-account.ts";

/** What an account does in streams other than its own. */
export type StreamKind = "session" | "claim" | "inquiry" | "notice";

/** A stream of a kind that an account is listed with. */
export interface AccountStream {
  /** Of the session, the claimed report, the inquiry or the notice. */
  readonly id: string;
  /** Of the event with which the account came to it. */
  readonly position: Position;
}

interface Row extends AccountStream {
  readonly account_id: string;
  readonly kind: StreamKind;
}

/** Batches of 500 events that a request reads on; the hourly housekeeping reads the rest. */
const MOST_BATCHES = 20;
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

/** Sessions, claims, inquiries and notices of an account, also ended ones: `command.account_stream`. */
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

  /** Follows the log to its end, however long that takes. */
  async run(): Promise<void> {
    await this.#followed.follow();
  }

  /** @returns false where too much of the log is not read yet. */
  catchUp(): Promise<boolean> {
    return this.#followed.follow(MOST_BATCHES);
  }

  /** An account's streams of some kinds, oldest first. @param after the last position of the page before. */
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
  // In their order: a session may start in the moment in which its account is erased.
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

/** An account's streams, without those from before a confirmation that dropped everything. @param after position. */
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
