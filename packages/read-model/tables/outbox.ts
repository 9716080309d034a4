import type { ColumnType, Generated } from "kysely";
import type { NullableTimestamp, Timestamp } from "./report.ts";

/** `verification`: a link to confirm the address. The others tell the reporter of a new status. */
export type MailKind = "verification" | "approved" | "rejected" | "under_review" | "pending";

/** `queued` until it was sent, or dropped for a reason (`dropped_reason`). */
export type MailState = "queued" | "sent" | "dropped";

/**
 * `outbox.mail`: the mails that are to go out, each once. Operational: no rebuild touches it, it is
 * backed up with the keys, and holds no personal data. Rows of a deleted report are removed.
 */
export interface MailTable {
  /** `mail-<event id>`; also the id of the job (no ":", not all digits). */
  id: string;
  kind: MailKind;
  report_id: string;
  /** The event that asks for this mail: its stream is the report's. */
  event_id: string;
  revision: number;
  position: string;
  /** Epoch of the log when the row was written: one of another epoch waits for a release. */
  epoch: string;
  created_at: Timestamp;
  state: ColumnType<MailState, MailState | undefined, MailState>;
  /** A worker holds the row until then. */
  leased_until: NullableTimestamp;
  /** Names the worker's lease. */
  lease: string | null;
  attempts: Generated<number>;
  /** Not tried again before then. */
  next_attempt_at: NullableTimestamp;
  sent_at: NullableTimestamp;
  /** Why it will never be sent, for instance `deleted`, `erased`, `superseded`, `undeliverable`. */
  dropped_reason: string | null;
  /** Class of the last failure; never an address or a server's sentence. */
  last_error: string | null;
}

/** `outbox.sample_report`: reports of the sample loader; no mail goes out for them, ever. */
export interface SampleReportTable {
  report_id: string;
}

export const OUTBOX_SCHEMA = "outbox";

export const outboxMigrations = [
  {
    id: "0001-mail",
    sql: `
      create table mail (
        id text primary key,
        kind text not null,
        report_id uuid not null,
        event_id uuid not null,
        revision int not null,
        position text collate "C" not null,
        epoch text not null,
        created_at timestamptz not null default now(),
        state text not null default 'queued' check (state in ('queued', 'sent', 'dropped')),
        leased_until timestamptz,
        lease text,
        attempts int not null default 0,
        next_attempt_at timestamptz,
        sent_at timestamptz,
        dropped_reason text,
        last_error text,
        constraint sent_has_a_time check ((state = 'sent') = (sent_at is not null)),
        constraint dropped_has_a_reason check ((state = 'dropped') = (dropped_reason is not null))
      );
      -- What the relay and the sweeper look for.
      create index mail_queued on mail (position) where state = 'queued';
      -- Removal with the report.
      create index mail_by_report on mail (report_id);

      create table sample_report (
        report_id uuid primary key
      );
    `,
  },
];
