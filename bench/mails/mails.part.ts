import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Pool } from "pg";
import type { StoredEvent } from "#event-store/port.ts";
import { MAILS_AT_ONCE } from "#runtime/config/variables.ts";
import { openPool } from "#runtime/db/pool.ts";
import type { ProjectorStores } from "#services/projector/composition.ts";
import type { Rate } from "../load/rate.ts";
import type { BenchOptions } from "../options.ts";
import { type Row, rounded, rowOf } from "../row.ts";
import type { BenchStores } from "../stores.ts";
import { startSystem } from "../system.ts";
import { bareSmtp, bareWrites, readMails } from "./bare-mails.ts";
import { startSmtpSink } from "./smtp-sink.ts";
import { type Emptied, fillOutbox, standingApprovals, untilEmpty } from "./waiting-mails.ts";

/** Mails that wait for each second of the measurement, as far as the log has approvals. */
const A_SECOND = 250;
const TARGET = 200;
/** Milliseconds without a single mail after which a run fails. */
const LIMIT_MS = 60_000;

interface Run {
  readonly stores: BenchStores;
  readonly opened: ProjectorStores;
  readonly pool: Pool;
  readonly approvals: readonly StoredEvent[];
  readonly started: AsyncDisposableStack;
  readonly cpuProfile: string | undefined;
}

/**
 * A mailer in a process of its own that finds many mails in the outbox, against bare writes of the same files, and
 * against the same mails handed to the same SMTP server.
 */
export async function* mailRows(
  stores: BenchStores,
  started: AsyncDisposableStack,
  { seconds, cpuProfile }: BenchOptions,
): AsyncGenerator<Row> {
  const opened = await stores.open();
  const pool = openPool({ url: stores.databaseUrl, name: "bench mails", max: 1 });
  const sink = await startSmtpSink();
  try {
    const approvals = await standingApprovals(opened.store, seconds * A_SECOND);
    const run: Run = { stores, opened, pool, approvals, started, cpuProfile };
    const load = { connections: MAILS_AT_ONCE, seconds };
    const folder = path.join(stores.folder, "mails");

    const written = await emptied(run, pathToFileURL(folder).href);
    const mails = await readMails(folder);
    const bare = await bareWrites(path.join(stores.folder, "bare-mails"), mails, load);
    yield rowOfMails("mails to files", stores, written, bare, "bare writes");

    const sent = await emptied(run, sink.url);
    yield rowOfMails(
      "mails over SMTP",
      stores,
      sent,
      await bareSmtp(sink.url, mails, load),
      "bare SMTP",
    );
  } finally {
    await sink.stop();
    await pool.end();
    await opened.close();
  }
}

/** Starts a mailer on a full outbox, and stops it when that is empty. */
async function emptied(
  { stores, opened, pool, approvals, started, cpuProfile }: Run,
  smtpUrl: string,
): Promise<Emptied> {
  await fillOutbox(pool, opened.store, approvals);
  const mailer = await startSystem("mailer", stores, started, cpuProfile, {
    PUBLIC_URL: "https://registry.example",
    SMTP_URL: smtpUrl,
  });
  const outcome = await untilEmpty(pool, LIMIT_MS);
  await mailer.stop();
  return outcome;
}

function rowOfMails(
  name: string,
  stores: BenchStores,
  { perSecond, sent, dropped }: Emptied,
  bare: Rate,
  baselineName: string,
): Row {
  return rowOf({
    name,
    profile: stores.profile.name,
    value: rounded(perSecond),
    unit: "mails/s",
    baseline: bare.perSecond,
    baselineName,
    target: { of: "value", atLeast: TARGET },
    detail: { sent, dropped, bareP50: bare.p50, bareP99: bare.p99 },
  });
}
