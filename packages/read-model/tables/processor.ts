import type { NullableTimestamp, Timestamp } from "./column-types.ts";

/** Names of the processors. Each has a checkpoint and, except for the reaction, a schema to rebuild. */
export const PROCESSORS = [
  "reports",
  "offenders",
  "audit",
  "accounts",
  "content",
  "settings",
  "users",
  "inquiries",
  "search",
  "outbox",
] as const;
export type ProcessorName = (typeof PROCESSORS)[number];

/**
 * `processor.checkpoint`: the progress of a processor. It advances by compare-and-set in the transaction that
 * writes the rows. The row's lock serializes all writers of a processor's tables: the processor itself, the swap
 * of a rebuild, and a retry of parked events.
 */
export interface CheckpointTable {
  processor: ProcessorName;
  /** Every event up to this position is in the tables, or parked. */
  position: string;
  /** Epoch of the log; null until the first event. */
  epoch: string | null;
  /** Incremented by each rebuild that was swapped in. */
  generation: number;
  /** Lease of the process that may write; null before the first. */
  owner: string | null;
  /** SHA-256 over name, position, epoch and generation, to detect a damaged checkpoint. */
  checksum: string;
  moved_at: Timestamp;
  /** When the tables were last created with new files; null if unknown. */
  rebuilt_at: NullableTimestamp;
}

/** `processor.parked_stream`: streams whose rows lag behind the checkpoint. Replies that use them carry `X-Stale`. */
export interface ParkedStreamTable {
  processor: ProcessorName;
  stream: string;
  /** The first event that could not be applied. */
  position: string;
  since: Timestamp;
}

export const PROCESSOR_SCHEMA = "processor";

/**
 * Also creates `processor.lease`, the owner's heartbeat (a standby takes over when it stops), and
 * `processor.parked_event`, an event that could not be applied or, without a `cause`, is waiting behind one.
 */
export const processorMigrations = [
  {
    id: "2026-11-29-processor",
    sql: `
      create table checkpoint (
        processor text primary key,
        position text collate "C" not null,
        epoch text,
        generation int not null,
        owner uuid,
        checksum text not null,
        moved_at timestamptz not null default now(),
        rebuilt_at timestamptz default now()
      );
      create table lease (
        processor text primary key,
        token uuid not null,
        pid int not null,
        beat_at timestamptz not null
      );
      create table parked_stream (
        processor text not null,
        stream text not null,
        position text collate "C" not null,
        since timestamptz not null default now(),
        primary key (processor, stream)
      );
      create table parked_event (
        processor text not null,
        position text collate "C" not null,
        stream text not null,
        revision int not null,
        event_id uuid not null,
        event_type text not null,
        cause text,
        attempts int not null default 0,
        parked_at timestamptz not null default now(),
        primary key (processor, position)
      );
      create index parked_event_by_stream on parked_event (processor, stream, revision);
      create table outside_index (
        processor text primary key,
        index_name text not null,
        position text collate "C" not null
      );
    `,
  },
];
