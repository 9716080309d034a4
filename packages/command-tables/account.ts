import { SESSION_IDLE_DAYS } from "#contracts/account/deadlines.ts";

/** The columns of `command.account` that query-api may read. */
export interface ReadableAccount {
  id: string;
  role: "user" | "admin" | "auditor";
  status: AccountStatus;
  token_version: number;
}

/** `closed`: no one can sign in, and the account is erased soon unless it is a staff account. */
export type AccountStatus = "active" | "banned" | "closed";

/** Tables of credentials, sessions and known browsers. They are kept outside the log because they must be erasable. */
export const accountTables = `
  create table account (
    id uuid primary key,
    email_sealed jsonb not null,
    -- keyed hash of the normalized address
    email_blind text not null unique,
    -- the account's own profile, so that a sign-in reads no history
    profile_sealed jsonb,
    password_hash text not null,
    role text not null check (role in ('user', 'admin', 'auditor')),
    status text not null check (status in ('active', 'banned', 'closed')),
    -- counted up by a ban, a changed role or a new password: tokens of an older one are void
    token_version integer not null default 1,
    created_at timestamptz not null,
    last_login_at timestamptz,
    -- whether the address was shown to be the account's; an operator's word is enough
    confirmed boolean not null default true,
    -- the second factor that is in force
    factor_id uuid,
    -- when a ban ends, also of an account that is closed; infinity for one without an end, null without one
    banned_until timestamptz
  -- What an erased account leaves in the table goes soon.
  ) with (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);
  create index account_unconfirmed on account (created_at) where not confirmed;
  -- Accounts that are erased soon.
  create index account_closed on account (id) where status = 'closed';
  -- The few accounts of staff among all.
  create index account_staff on account (role) where role <> 'user';
  create index account_banned_until on account (banned_until) where banned_until is not null;
  create table refresh_token (
    -- SHA-256 of the token, which is 256 random bits
    hash text primary key,
    family uuid not null,
    account_id uuid not null references account (id) on delete cascade,
    token_version integer not null,
    expires_at timestamptz not null,
    used_at timestamptz,
    revoked_at timestamptz
  );
  create index refresh_token_family on refresh_token (family);
  create index refresh_token_account on refresh_token (account_id);
  create index refresh_token_expires_at on refresh_token (expires_at);
  create table device (
    account_id uuid not null references account (id) on delete cascade,
    -- SHA-256 of the cookie, which is 256 random bits
    hash text not null,
    -- known from an email link; no sign-in from it yet
    linked boolean not null,
    last_used_at timestamptz not null,
    -- attempts since the last sign-in, within an hour of the first
    attempts int not null default 0,
    attempts_since timestamptz,
    primary key (account_id, hash)
  );
  create index device_last_used_at on device (last_used_at);
  create table password_guess (
    -- keyed hash of the address, whether it has an account or not, or of the account
    email_blind text primary key,
    since timestamptz not null,
    guesses int not null
  );
  create index password_guess_since on password_guess (since);
  -- A session's refresh tokens are those whose family is its id.
  create table session (
    id uuid primary key,
    account_id uuid not null references account (id) on delete cascade,
    started_at timestamptz not null,
    last_used_at timestamptz not null,
    -- when the last event about its use was written, and a keyed hash of that client
    noted_at timestamptz not null,
    client_hash text,
    -- when it ends however much it is used
    expires_at timestamptz not null,
    ended_at timestamptz,
    -- when the account's password was last shown in it
    proved_at timestamptz,
    -- when its owner last did something
    active_at timestamptz not null default now()
  );
  -- The list of an account's sessions.
  create index session_in_use on session (account_id, last_used_at desc)
    where ended_at is null;
  create index session_account on session (account_id);
  create index session_last_used_at on session (last_used_at) where ended_at is null;
  create index session_ended_at on session (ended_at) where ended_at is not null;
  -- Events of accounts and ends of sessions that are in these tables already. The log gets them right after.
  create table credential_outbox (
    -- the account's, or one of its sessions'
    stream text collate "C" not null,
    -- their order in the stream
    n integer not null,
    account_id uuid not null references account (id) on delete cascade,
    -- as they will be appended; chained again if others came first
    events jsonb not null,
    made_at timestamptz not null,
    -- of the last of them in the stream; null until the log has them
    revision integer,
    primary key (stream, n)
  );
  create index credential_outbox_account on credential_outbox (account_id);
  create index credential_outbox_waiting on credential_outbox (made_at) where revision is null;
  -- In force is the one that account.factor_id names; any other was set up and not confirmed.
  create table second_factor (
    factor_id uuid primary key,
    account_id uuid not null references account (id) on delete cascade,
    secret_sealed jsonb not null,
    created_at timestamptz not null,
    -- time step of the last code that counted: no code counts twice
    last_step bigint not null default -1
  );
  create index second_factor_account on second_factor (account_id, created_at);
  create table recovery_code (
    -- in force is the set that the account's events name last
    codes_id uuid not null,
    code int not null,
    account_id uuid not null references account (id) on delete cascade,
    -- keyed hash of the code, which is 80 random bits
    hash text not null,
    primary key (codes_id, code)
  );
  create index recovery_code_account on recovery_code (account_id, hash);
  -- The right password was given; the code of the second factor is still to come.
  create table sign_in_challenge (
    -- SHA-256 of the challenge, which is 256 random bits
    hash text primary key,
    account_id uuid not null references account (id) on delete cascade,
    -- SHA-256 of the secret in the cookie of the browser that gave the password
    device_hash text not null,
    -- as they were when the password was compared
    token_version int not null,
    factor_id uuid not null,
    expires_at timestamptz not null
  );
  create index sign_in_challenge_account on sign_in_challenge (account_id);
  create index sign_in_challenge_expires_at on sign_in_challenge (expires_at);
  -- What an account did in other streams than its own, for its export: sessions that it started,
  -- reports that it claimed, inquiries and notices that it sent. Ids only; erased with the account.
  create table account_stream (
    account_id uuid not null,
    kind text collate "C" not null,
    id uuid not null,
    position text collate "C" not null,
    primary key (account_id, kind, id)
  );
  create index account_stream_in_order on account_stream (account_id, kind, position, id);
  -- For inquiries and notices, which are erased one by one.
  create index account_stream_by_id on account_stream (id);
  -- How far the log was read for it; one row, of one epoch.
  create table account_stream_position (
    single boolean primary key default true check (single),
    position text not null,
    epoch text not null
  );
`;

export const SESSION_IDLE_MS = SESSION_IDLE_DAYS * 24 * 3_600_000;

/** The columns of `command.session` that query-api may read. */
export interface ReadableSession {
  id: string;
  account_id: string;
  started_at: Date;
  last_used_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  /** When the account's password was last entered in it. */
  proved_at: Date | null;
  /** When its owner was last active, accurate to a quarter of a minute. Staff sessions time out. */
  active_at: Date;
}
