import type pg from "pg";
import { ACCOUNT_ENDS } from "#contracts/events/user/account-state.ts";
import type { EventStore, Position } from "#event-store/port.ts";
import { readEpoch } from "#event-store/store-log.ts";
import { inTransaction } from "#runtime/db/migrate.ts";
import {
  announceCheckpoint,
  lockCheckpoint,
  readCheckpoint,
  replaceCheckpoint,
} from "../../daemon/checkpoint.ts";
import { ProcessorStopped } from "../../daemon/errors.ts";
import { forgetParked } from "../../daemon/parked.ts";
import { accountOf, reportOf } from "../../streams.ts";
import { addSamples, removeAccountMails, removeReports } from "./outbox.reaction.ts";

interface ReleaseReport {
  /** Head of the log. Events up to here no longer ask for emails. */
  readonly position: Position;
  /** Number of unsent emails from the log before the restore that are now sent or dropped. */
  readonly unsent: number;
}

/**
 * After a restore of the log or of the outbox, moves the reaction to the head of the log, because
 * emails about earlier events may already have been sent. Also decides what happens to unsent emails.
 * @param unsent `send` to send them under the current log, `drop` to never send them.
 * @throws {ProcessorStopped} `log_not_started`
 */
export async function releaseReactions(
  { pool, store }: { readonly pool: pg.Pool; readonly store: EventStore },
  unsent: "send" | "drop",
): Promise<ReleaseReport> {
  const report = await inTransaction(pool, async (client) => {
    await lockCheckpoint(client, "outbox");
    const epoch = await readEpoch(store);
    if (!epoch) throw new ProcessorStopped("log_not_started", "the event log was not started yet");
    const position = await store.head();
    await catchUp(client, store, position);
    // Whoever had to be told about them may already have been.
    await client.query("delete from outbox.approval");
    const { rowCount } =
      unsent === "send"
        ? await client.query(
            `update outbox.mail set epoch = $1, leased_until = null, lease = null
             where state = 'queued' and epoch <> $1`,
            [epoch],
          )
        : await client.query(
            `update outbox.mail set state = 'dropped', dropped_reason = 'restored',
               leased_until = null, lease = null
             where state = 'queued' and epoch <> $1`,
            [epoch],
          );
    await replaceCheckpoint(client, "outbox", { position, epoch });
    await forgetParked(client, "outbox");
    return { position, unsent: rowCount ?? 0 };
  });
  const checkpoint = await readCheckpoint(pool, "outbox");
  if (checkpoint) await announceCheckpoint(pool, checkpoint);
  return report;
}

/** Records samples, for which no email is sent, and removes the emails of erased reports and accounts. */
async function catchUp(client: pg.ClientBase, store: EventStore, head: Position): Promise<void> {
  const samples = new Set<string>();
  const deleted = new Set<string>();
  const erasedAccounts: string[] = [];
  const filter = { types: ["ReportSubmitted", "ReportErased", ...ACCOUNT_ENDS] };
  for await (const event of store.readAll(undefined, filter)) {
    if (event.position > head) break;
    const account = accountOf(event.stream);
    if (account && ACCOUNT_ENDS.includes(event.type)) erasedAccounts.push(account);
    const report = reportOf(event.stream);
    if (!report) continue;
    if (event.type === "ReportErased") deleted.add(report);
    else if (event.metadata.origin === "sample") samples.add(report);
  }
  await addSamples(client, [...samples]);
  await removeReports(client, [...deleted]);
  await removeAccountMails(client, erasedAccounts);
}
