/** The columns of `command.job` that query-api may read: all but the job's input. */
export interface ReadableJob {
  id: string;
  kind: string;
  account_id: string;
  state: string;
  done: number;
  total: number | null;
  error_code: string | null;
  error_message: string | null;
  stop_asked_by: string | null;
  /** Log position of its last action. */
  position: string | null;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
}

export interface JobLineTable {
  job_id: string;
  number: number;
  target: string | null;
  outcome: string;
  code: string | null;
  message: string | null;
  at: Date;
}

/** Tables of jobs, command IDs and strikes. */
export const jobTables = `
  create table job (
    id uuid primary key,
    kind text not null,
    account_id uuid not null,
    state text not null
      check (state in ('queued', 'running', 'stopping', 'stopped', 'done', 'failed')),
    -- what it is given and from where, under the account's key; emptied at its end
    sealed jsonb,
    -- of what it was given: the same key with another body is refused
    body_mac text not null,
    done int not null default 0,
    total int,
    position text collate "C",
    error_code text,
    error_message text,
    stop_asked_by uuid,
    -- set where only one of its kind may be unfinished
    single text,
    -- how often a process has begun it
    attempts int not null default 0,
    -- the process that runs it, and when its lease ends
    runner uuid,
    lease_until timestamptz,
    created_at timestamptz not null default now(),
    started_at timestamptz,
    ended_at timestamptz
  );
  create index job_unfinished on job (created_at) where ended_at is null;
  create unique index job_single on job (single) where ended_at is null;
  create index job_created_at on job (created_at desc);
  create index job_ended_at on job (ended_at) where ended_at is not null;
  create table job_line (
    job_id uuid not null references job (id) on delete cascade,
    number int not null,
    target text,
    outcome text not null,
    code text,
    message text,
    at timestamptz not null default now(),
    primary key (job_id, number)
  );
  -- Which of its ids a create has while the key of command ids is being replaced.
  create table command_id (
    -- Id under the oldest key that counts.
    oldest text primary key,
    id text not null,
    chosen_at timestamptz not null default now()
  );
  create index command_id_chosen_at on command_id (chosen_at);
  -- Notices that took someone's material down. Everything here comes from the log.
  create table strike (
    report_id uuid not null,
    notice_id uuid not null,
    -- Keyed hash of the reporter's address; null once the reporter is erased, or if the address was never confirmed.
    blind text,
    -- Null once the account is erased, or where there was none.
    account_id uuid,
    at timestamptz not null,
    lifted_at timestamptz,
    primary key (report_id, notice_id)
  );
  create index strike_blind on strike (blind) where lifted_at is null;
  create index strike_account on strike (account_id) where lifted_at is null;
  -- How far the log was read for it; one row, of one epoch.
  create table strike_position (
    single boolean primary key default true check (single),
    position text not null,
    epoch text not null
  );
`;
