export const OUTBOX_SCHEMA = "outbox";

/** Counts in a weekly summary. */
export interface WeekStats {
  /** The week's Monday, `YYYY-MM-DD`, UTC. */
  readonly week: string;
  readonly views: number;
  readonly approved: number;
  readonly rejected: number;
  /** Published reports by others about people whom the account reported. */
  readonly further: number;
}

/**
 * `outbox.mail`: the emails to send, each once. No rebuild touches it; it is backed up with the keys, and holds
 * no personal data. Rows of a deleted report or an erased account are removed; the mailer removes others 30 days
 * after they are finished. A row has
 * - the `id` of its job, `mail-<event id>`, with kind and account for a further email of an event (no ":", not
 *   all digits);
 * - the report, account, inquiry or notice whose stream holds the event that triggers the email, or an account
 *   that the event names;
 * - the log's `epoch` when the row was written: a row of another epoch waits for a release;
 * - a worker's `lease`, and no further attempt before `next_attempt_at`;
 * - as `recipient`, for a day, the blind index of an address whose caps count the email;
 * - the `state` `queued`, `sent`, or `dropped` with a time and a `dropped_reason`: `deleted`, `erased`,
 *   `superseded`, `unwanted`, `undeliverable`, `restored`, `recipient_cap`, `kind_cap`;
 * - as `last_error` the class of a failure, never an address or a server's message;
 * - for another report about the same person, the two reports;
 * - as `template_kind`, the kind whose templates an event is about;
 * - as `template`, once it is sent, the ID of the template used, or `shipped`; none for kinds without templates;
 * - as `figures`, the counts of a weekly summary ({@link WeekStats});
 * - for an email to an inbox of the registry, the `inbox`, once it is being sent; `held_at` while it waits for the
 *   digest.
 *
 * `outbox.counted`: emails of accounts that have ended, which count toward their recipients' caps until a day has
 * passed. Only the blind index of the address and the kind, nothing that leads to an account or an event.
 *
 * `outbox.approval`: approvals that the authors of other reports about the person have not been notified of yet.
 *
 * `outbox.told`: which account was notified of which other report, so that none is notified twice. Removed with
 * either of them.
 *
 * `outbox.summary_week`: weeks whose summaries are all in `outbox.mail`, or are never sent.
 *
 * `outbox.template_use`: number of emails of a kind sent with a template, by its ID or `shipped`.
 *
 * `outbox.sample_report`: reports of the sample loader, for which no email is ever sent.
 */
/** The columns of `outbox.mail` that query-api may read. */
export interface ReadableMail {
  readonly id: string;
  readonly kind: string;
  readonly report_id: string | null;
  readonly account_id: string | null;
  readonly inquiry_id: string | null;
  readonly created_at: Date;
  readonly state: "queued" | "sent" | "dropped";
  readonly attempts: number;
  readonly next_attempt_at: Date | null;
  readonly sent_at: Date | null;
  readonly dropped_at: Date | null;
  readonly dropped_reason: string | null;
  readonly last_error: string | null;
  readonly inbox: string | null;
  readonly template: string | null;
}

/** When an email was requested, as in page tokens: UTC without a zone, which can be indexed. */
export const MAIL_ASKED_AT = "date_trunc('milliseconds', created_at at time zone 'UTC')";

/** SQL for the owner of an email. */
export const MAIL_OWNER = "coalesce(report_id, account_id, inquiry_id)";

/** SQL for whether sending an email was given up. */
export const FAILED_MAIL = "state = 'dropped' and dropped_reason = 'undeliverable'";

/** SQL for an email's state as staff see it (`MAIL_STATES`). */
export const MAIL_STATE = `(case state when 'queued' then 'waiting' when 'sent' then 'sent'
  else case dropped_reason when 'undeliverable' then 'failed' else 'dropped' end end)`;

/** Usage of a template. */
export interface TemplateUseTable {
  readonly kind: string;
  /** Id of the template, or `shipped`. */
  readonly template: string;
  readonly uses: number;
  readonly last_used_at: Date;
}

export const outboxMigrations = [
  {
    id: "2026-11-29-outbox",
    sql: `
      create table mail (
        id text primary key,
        kind text not null,
        report_id uuid,
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
        recipient text,
        tried_at timestamptz,
        account_id uuid,
        -- ID of an inquiry or a notice, depending on the email's kind.
        inquiry_id uuid,
        own_report_id uuid,
        further_report_id uuid,
        figures jsonb,
        inbox text,
        held_at timestamptz,
        dropped_at timestamptz,
        template_kind text,
        template text,
        constraint sent_has_a_time check ((state = 'sent') = (sent_at is not null)),
        constraint dropped_has_a_reason check ((state = 'dropped') = (dropped_reason is not null)),
        constraint has_one_owner check (num_nonnulls(report_id, account_id, inquiry_id) = 1)
      -- Dead rows of removed emails are vacuumed early.
      ) with (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);
      -- What the relay and the sweeper look for.
      create index mail_queued on mail (position) where state = 'queued';
      -- Removal with the report.
      create index mail_by_report on mail (report_id);
      -- What a recipient got within a day.
      create index mail_by_recipient on mail (recipient, tried_at) where recipient is not null;
      -- For the sweep.
      create index mail_done on mail (created_at) where state <> 'queued';
      -- At most one email of a report is in flight at a time.
      create unique index mail_held on mail (report_id) where lease is not null;
      create index mail_by_inquiry on mail (inquiry_id) where inquiry_id is not null;
      create index mail_by_own_report on mail (own_report_id) where own_report_id is not null;
      create index mail_by_further_report on mail (further_report_id)
        where further_report_id is not null;
      -- What an inbox got within an hour.
      create index mail_by_inbox on mail (kind, inbox, tried_at) where inbox is not null;
      -- What goes into an inbox's next digest.
      create index mail_for_digest on mail (kind, inbox, id)
        where held_at is not null and state = 'queued';
      create index mail_dropped on mail (dropped_at) where dropped_at is not null;
      -- For the number of recent failures.
      create index mail_failed on mail (dropped_at) where ${FAILED_MAIL};
      -- For the list of emails by state, kind and owner, newest first. All emails are those of all states.
      create index mail_by_state on mail (${MAIL_STATE}, ${MAIL_ASKED_AT} desc, id desc);
      create index mail_by_kind on mail (kind, ${MAIL_STATE}, ${MAIL_ASKED_AT} desc, id desc);
      create index mail_by_owner on mail ((${MAIL_OWNER}), ${MAIL_ASKED_AT} desc, id desc);

      create table sample_report (
        report_id uuid primary key
      );
      create table counted (
        recipient text not null,
        kind text not null,
        tried_at timestamptz not null
      ) with (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0);
      create index counted_by_recipient on counted (recipient, tried_at);
      create table approval (
        report_id uuid primary key,
        event_id uuid not null,
        revision int not null,
        position text collate "C" not null,
        epoch text not null,
        created_at timestamptz not null
      );
      create table told (
        account_id uuid not null,
        report_id uuid not null,
        primary key (account_id, report_id)
      );
      create index told_by_report on told (report_id);
      create table summary_week (
        week date primary key
      );
      create table template_use (
        kind text not null,
        template text not null,
        uses bigint not null,
        last_used_at timestamptz not null,
        primary key (kind, template)
      );
    `,
  },
];
