import { expect } from "vitest";
import type { ReportEvent } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { maskAccount, maskEmail, maskPhone } from "#contracts/report/masks.ts";
import { chargebackTotal, totalDueCents } from "#contracts/report/submission-rules.ts";
import { rejectionText } from "#contracts/report/words.ts";
import type { EventStore, Position, StoredEvent } from "#event-store/port.ts";
import { identifierKeys, identifierOfKey, identityKeys } from "#search/matching.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { slugHash } from "#vault/sealing/hashes.ts";
import { waitColumns } from "./stats-oracle.ts";

/** What the tables must contain, folded from the log stream by stream, one event at a time. */
export interface Expected {
  readonly reports: readonly Record<string, unknown>[];
  /** Addresses of existing reports. Those of erased reports are left out, because the log no longer shows them. */
  readonly addresses: readonly Address[];
  readonly persons: readonly Record<string, unknown>[];
  readonly documents: readonly Record<string, unknown>[];
  readonly mails: readonly { readonly id: string; readonly kind: string }[];
  readonly entries: readonly { readonly event_id: string; readonly position: string }[];
  /** Number of entries that share type, command, role and kind of stream, one line for each. */
  readonly facets: readonly string[];
}

interface Address {
  readonly report_id: string;
  readonly slug_hash: string;
  readonly gone: boolean;
}

interface Folded {
  readonly id: string;
  readonly state: ReportState;
  readonly events: readonly StoredEvent[];
  readonly read: readonly ReadEvent[];
}

/** An event of the log, opened if it is about a report. */
export interface ReadEvent {
  readonly stored: StoredEvent;
  readonly event: ReportEvent | undefined;
  /** Keyed hash of the address that it gives the report. */
  readonly slug_hash: string | undefined;
}

/** Reads and opens the whole log with the current keys. */
export async function readLog(store: EventStore, keys: KeyStore): Promise<ReadEvent[]> {
  const codec = registryCodec;
  const all: StoredEvent[] = [];
  for await (const event of store.readAll()) all.push(event);
  const ofReports = all.filter(({ stream }) => stream.startsWith("report-"));
  const lookups = await keys.get(codec.subjectsOf(ofReports));
  const slugKey = await keys.serviceKey("slugs");
  return all.map((stored) => {
    if (!stored.stream.startsWith("report-"))
      return { stored, event: undefined, slug_hash: undefined };
    const event = codec.openEvent(stored, lookups) as ReportEvent;
    const slug = slugOf(event);
    return { stored, event, slug_hash: slug === undefined ? undefined : slugHash(slugKey, slug) };
  });
}

function slugOf(event: ReportEvent): string | undefined {
  if (event.type === "ReportEdited" || event.type === "ReportApproved")
    return event.data.personal?.slug;
  return undefined;
}

/** Folds the log to its end, or up to a position, without any code of the projector. */
export function foldEvents(log: readonly ReadEvent[], until?: Position): Expected {
  const seen = until === undefined ? log : log.filter(({ stored }) => stored.position <= until);
  const streams = new Map<string, ReadEvent[]>();
  for (const read of seen) {
    const { stream } = read.stored;
    const events = streams.get(stream);
    if (events) events.push(read);
    else streams.set(stream, [read]);
  }
  const folded: Folded[] = [];
  for (const [stream, events] of streams) {
    let state: ReportState | undefined;
    for (const { event } of events) if (event) state = evolveReport(state, event);
    const id = stream.slice("report-".length);
    if (state) folded.push({ id, state, read: events, events: events.map(({ stored }) => stored) });
  }
  const living = folded.filter(({ state }) => state.status !== "deleted" && state.personal);
  const approved = living.filter(({ state }) => state.status === "approved");
  return {
    reports: living.map(reportRow).toSorted(byId),
    addresses: living.flatMap(addressesOf).toSorted(bySlug),
    persons: persons(approved).toSorted(byId),
    documents: approved.map(document).toSorted(byId),
    mails: folded.flatMap(mails).toSorted(byId),
    entries: seen.map(({ stored: { id, position } }) => ({ event_id: id, position })),
    facets: facets(seen.map(({ stored }) => stored)),
  };
}

function facets(log: readonly StoredEvent[]): string[] {
  const shared = log.map(({ type, stream, metadata: { command, actor } }) =>
    [type, command, actor.role, stream.split("-")[0]].join(" "),
  );
  return [...Map.groupBy(shared, (each) => each)]
    .map(([each, all]) => `${each} ${all.length}`)
    .toSorted();
}

/** Folds the current log. */
export async function foldLog(store: EventStore, keys: KeyStore): Promise<Expected> {
  return foldEvents(await readLog(store, keys));
}

function byId(a: { id?: unknown }, b: { id?: unknown }): number {
  return String(a.id) < String(b.id) ? -1 : 1;
}

function bySlug(a: Address, b: Address): number {
  return a.slug_hash < b.slug_hash ? -1 : 1;
}

function addressesOf({ id, read }: Folded): Address[] {
  const given = read.flatMap(({ slug_hash }) => slug_hash ?? []);
  const present = given.at(-1);
  return [...new Set(given)].map((slug_hash) => ({
    report_id: id,
    slug_hash,
    gone: slug_hash !== present,
  }));
}

function timeOf(event: StoredEvent | undefined): Date | null {
  return event ? new Date(event.metadata.time) : null;
}

function keysOf({ personal, blind }: ReportState): string[] {
  const { first_name = "", last_name = "" } = personal ?? {};
  return identityKeys({ first_name, last_name, blind: blind ?? {} });
}

function reportRow({ id, state, events, read }: Folded): Record<string, unknown> {
  const { clear, personal, reporter } = state;
  if (!personal) throw new Error("erased");
  const first = events[0];
  const last = events.at(-1);
  const approval = events.findLast(({ type, data }) => type === "ReportApproved" && !data.undoes);
  const bad = state.report_type === "bad_check";
  return {
    id,
    report_type: state.report_type,
    verified: state.verified,
    resolved: state.resolved,
    slug: state.slug,
    first_name: personal.first_name,
    last_name: personal.last_name,
    title: personal.title,
    description: personal.description,
    email_mask: personal.email ? maskEmail(personal.email) : null,
    phone_mask: personal.phone ? maskPhone(personal.phone) : null,
    city: personal.city,
    state: personal.state,
    country: personal.country,
    tracking_number: personal.tracking_number ?? null,
    first_6: personal.first_6 ?? null,
    last_4: personal.last_4 ?? null,
    bank_name: personal.bank_name ?? null,
    bank_account_mask: personal.bank_account ? maskAccount(personal.bank_account) : null,
    currency: clear.currency,
    amount_cents: (bad ? clear.check_amount_cents : clear.amount_cents) ?? 0,
    check_amount_cents: clear.check_amount_cents ?? null,
    chargeback_fee_cents: clear.chargeback_fee_cents ?? null,
    other_fees_cents: clear.other_fees_cents ?? null,
    total_due_cents: totalDueCents(state.report_type, clear, clear.chargebacks),
    transaction_date: clear.transaction_date ?? null,
    chargeback_date: clear.chargeback_date ?? null,
    check_date: clear.check_date ?? null,
    chargeback_reason: clear.chargeback_reason ?? null,
    check_reason: clear.check_reason ?? null,
    shipping_status: clear.shipping_status ?? null,
    resolution_status: clear.resolution_status,
    chargebacks: clear.chargebacks.map((item, i) => {
      const { first_6, last_4 } = personal.chargebacks[i] ?? {};
      return {
        ...item,
        total_due_cents: chargebackTotal(item),
        ...(first_6 ? { first_6 } : {}),
        ...(last_4 ? { last_4 } : {}),
      };
    }),
    copies: copiesOf(state, read, false),
    public_username: reporter?.public_username ?? null,
    origin: first?.metadata.origin,
    created_at: timeOf(first),
    updated_at: timeOf(events.findLast(({ type }) => type !== "ModeratorNoteWritten")),
    approved_at: timeOf(approval),
    decided_at: timeOf({ approved: approval, rejected: rejectionOf(events) }[String(state.status)]),
    ...waitColumns(events),
    revision: last?.revision,
    position: last?.position,
    status: state.status,
    reporter_email_mask: reporter ? maskEmail(reporter.reporter_email) : null,
    files: state.evidence
      .filter(({ erased }) => !erased)
      .map(({ file_id, kind, type }) => ({
        file_id,
        kind,
        type,
        added_at: timeOfFile(read, "EvidenceAdded", file_id),
      })),
    holds: state.holds.map((notice) => holdOf(read, "ReportTakenDown", notice)),
    withheld: copiesOf(state, read, true),
    rejection_reason: rejectionText(state.rejection_reason, state.rejection_code),
    blind: state.blind,
    match_keys: identifierKeys(state.blind ?? {}),
    ...ownerOf(reporter ? first : undefined, events),
    reporter_blind: reporter ? reporterBlindOf(read) : null,
    address_confirmed: state.address_confirmed,
    questions: questionsOf(state, read),
    moderator_notes: read
      .filter(({ event }) => event?.type === "ModeratorNoteWritten")
      .map(({ stored: { metadata } }, i) => ({
        ...state.moderator_notes[i],
        at: metadata.time,
        by: metadata.actor.id,
      })),
    asked_until: openUntil(state),
    answered_at: answeredAt(events),
    resolution: state.resolution,
    deletion_request: null,
    resolution_at: timeOf(events.findLast((event) => isOfResolution(event, events))),
  };
}

/** The copies that are shown, or those that notices withhold. */
function copiesOf({ copies }: ReportState, read: readonly ReadEvent[], isWithheld: boolean) {
  return copies
    .filter(({ hidden, erased, holds }) => !hidden && !erased && holds.length > 0 === isWithheld)
    .map(({ copy_id, file_id, kind, page, personal, holds }) => ({
      copy_id,
      file_id,
      kind,
      ...(page === undefined ? {} : { page }),
      width: personal?.width,
      height: personal?.height,
      bytes: personal?.bytes,
      published_at: timeOfFile(read, "EvidencePublished", copy_id),
      ...(isWithheld
        ? { holds: holds.map((notice) => holdOf(read, "EvidenceWithheld", notice, copy_id)) }
        : {}),
    }));
}

/** Returns a notice with the time since which it holds the report or the copy. */
function holdOf(read: readonly ReadEvent[], type: string, notice_id: string, copy?: string) {
  const began = read.findLast(({ event }) => {
    if (event?.type !== type) return false;
    const data = event.data as { notice_id: string; copy_id?: string };
    return data.notice_id === notice_id && data.copy_id === copy;
  });
  return { notice_id, since: began?.stored.metadata.time };
}

/** When a file was added, or a copy published. */
function timeOfFile(read: readonly ReadEvent[], type: string, id: string): string | undefined {
  const found = read.find(({ event }) => {
    const data = event?.type === type ? (event.data as { copy_id?: string; file_id?: string }) : {};
    return (data.copy_id ?? data.file_id) === id;
  });
  return found?.stored.metadata.time;
}

/** Returns the questions with the times of the events that asked and ended them. */
function questionsOf({ questions }: ReportState, all: readonly ReadEvent[]) {
  const undone = new Set(
    all.flatMap(({ event }) =>
      event?.type === "ReportStatusSet" ? (event.data.undoes?.revision ?? []) : [],
    ),
  );
  const read = all.filter(({ stored }) => !undone.has(stored.revision));
  return questions.map((question) => {
    const isIts = ({ event }: ReadEvent) =>
      (event?.type === "ReporterAsked" && event.data.link.link_id === question.question_id) ||
      ((event?.type === "ReporterAnswered" || event?.type === "ReporterQuestionWithdrawn") &&
        event.data.question_id === question.question_id);
    const at = read.findIndex(isIts);
    const end = read.findIndex((each, i) => i > at && (isIts(each) || closes(each)));
    const ended_at = read[end]?.stored.metadata.time;
    const isOver = question.state !== "open";
    return {
      ...question,
      asked_at: read[at]?.stored.metadata.time,
      ...(isOver && ended_at ? { ended_at } : {}),
    };
  });
}

/** Whether an event leaves no question open. */
function closes({ event }: ReadEvent): boolean {
  if (event?.type === "ReportEdited") return event.data.fields.includes("reporter_email");
  return (
    event !== undefined &&
    [
      "ReportApproved",
      "ReportRejected",
      "ReportVerificationWithdrawn",
      "ReporterAddressCorrected",
      "ReporterErased",
      "ReporterAsked",
    ].includes(event.type)
  );
}

/** Returns the last rejection; if that only undoes something, the one that is in force again. */
function rejectionOf(events: readonly StoredEvent[]): StoredEvent | undefined {
  const last = events.findLast(({ type }) => type === "ReportRejected");
  const undoes = last?.data.undoes as { readonly revision: number } | undefined;
  return undoes ? rejectionOf(events.slice(0, undoes.revision)) : last;
}

function openUntil({ questions }: ReportState): Date | null {
  const open = questions.find(({ state }) => state === "open");
  return open ? new Date(open.expires_at) : null;
}

function answeredAt(events: readonly StoredEvent[]): Date | null {
  const at = events.findLastIndex(({ type }) =>
    ["ReporterAnswered", "ReporterAsked"].includes(type),
  );
  const answered = timeOf(events[at]);
  if (events[at]?.type !== "ReporterAnswered" || !answered) return null;
  const after = events.slice(at + 1).map(({ type }) => type);
  if (![...DECISIONS, "ReportStatusSet"].some((type) => after.includes(type))) return answered;
  // If it was decided and set back, the answer counts as long as the report has waited since before it.
  const { settled_at, waiting_since } = waitColumns(events);
  return settled_at === null && waiting_since && answered > waiting_since ? answered : null;
}

const OF_RESOLUTIONS = /^(Resolution|Payment|ReportResolved|ReportUnresolved)/;

/** In these tests' histories, letters are erased with a withdrawal. */
function isOfResolution({ type, data }: StoredEvent, events: readonly StoredEvent[]): boolean {
  const letter = events.findLast((event) => event.type === "ResolutionRequested")?.data.file_id;
  return OF_RESOLUTIONS.test(type) || (type === "EvidenceErased" && data.file_id === letter);
}

const DECISIONS = ["ReportApproved", "ReportRejected"];

function reporterBlindOf(read: readonly ReadEvent[]): string | null {
  let blind: string | null = null;
  for (const { event } of read) {
    const isNew =
      event?.type === "ReportSubmitted" ||
      (event?.type === "ReportEdited" && event.data.fields.includes("reporter_email"));
    if (isNew || event?.type === "ReporterAddressCorrected")
      blind = event.data.reporter?.blind?.email ?? null;
  }
  return blind;
}

function ownerOf(
  submitted: StoredEvent | undefined,
  events: readonly StoredEvent[],
): Record<string, unknown> {
  const moves = ["ReportClaimed", "ReportDisowned"];
  const last = submitted && events.findLast(({ type }) => moves.includes(type));
  if (last?.type === "ReportClaimed")
    return { owner_id: last.data.account_id, owned_since: last.position };
  const isUnclaimed = events.some(({ data }) => data.cause === "address_change_undone");
  const { id, role } = submitted?.metadata.actor ?? {};
  const isOwned = !isUnclaimed && (role === "user" || role === "admin" || role === "auditor");
  if (last) return { owner_id: isOwned ? id : null, owned_since: null };
  return isOwned
    ? { owner_id: id, owned_since: submitted?.position }
    : { owner_id: null, owned_since: null };
}

const WORDS: Record<string, string> = {
  email: "email",
  phone: "phone",
  card: "card",
  bank_account: "bank account",
  street_zip: "street and ZIP",
};

/** Merges each report with all groups that share one of its keys. */
function persons(approved: readonly Folded[]): Record<string, unknown>[] {
  let groups: { keys: Set<string>; members: Folded[] }[] = [];
  for (const report of approved) {
    const keys = keysOf(report.state);
    const apart: typeof groups = [];
    const joined = { keys: new Set(keys), members: [report] };
    for (const group of groups) {
      if (!keys.some((key) => group.keys.has(key))) {
        apart.push(group);
        continue;
      }
      for (const key of group.keys) joined.keys.add(key);
      joined.members.push(...group.members);
    }
    groups = [...apart, joined];
  }
  return groups.filter(({ members }) => members.length > 1).map(({ members }) => person(members));
}

function person(group: readonly Folded[]): Record<string, unknown> {
  const members = group.toSorted(byId);
  const totals: Record<string, number> = {};
  const counts = new Map<string, number>();
  for (const { state } of members) {
    const { clear } = state;
    const owed = totalDueCents(state.report_type, clear, clear.chargebacks);
    totals[clear.currency] = (totals[clear.currency] ?? 0) + owed;
    for (const key of keysOf(state)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const shared = [...counts].filter(([, n]) => n > 1).map(([key]) => identifierOfKey(key));
  const newest = members.reduce((a, b) =>
    (a.events[0]?.metadata.time ?? "") > (b.events[0]?.metadata.time ?? "") ? a : b,
  );
  return {
    id: members[0]?.id,
    report_count: members.length,
    report_ids: members.map(({ id }) => id),
    totals: Object.keys(totals)
      .toSorted()
      .map((currency) => ({ currency, amount_cents: totals[currency] })),
    usd_total_cents: totals.USD ?? 0,
    shares: Object.keys(WORDS)
      .filter((kind) => shared.includes(kind as never))
      .map((kind) => WORDS[kind]),
    latest_report_id: newest.id,
    latest_at: timeOf(newest.events[0]),
  };
}

function document({ id, state, events }: Folded): Record<string, unknown> {
  const { personal, clear } = state;
  if (!personal) throw new Error("erased");
  const bad = state.report_type === "bad_check";
  const reasons = [
    clear.chargeback_reason,
    clear.check_reason,
    ...clear.chargebacks.map(({ reason }) => reason),
  ].filter((reason) => reason !== undefined);
  return {
    id,
    first_name: personal.first_name,
    last_name: personal.last_name,
    title: personal.title,
    description: personal.description,
    city: personal.city,
    state: personal.state,
    country: personal.country,
    amount_cents: (bad ? clear.check_amount_cents : clear.amount_cents) ?? 0,
    reasons: [...new Set(reasons)],
    submitted_ms: Date.parse(events[0]?.metadata.time ?? ""),
  };
}

const MAIL_KINDS: Record<string, string> = {
  ReportSubmitted: "verification",
  ReportVerificationResent: "verification",
  ReporterAddressCorrected: "verification",
  ReporterAsked: "question",
  ReportApproved: "approved",
  ReportRejected: "rejected",
  ReportTakenDown: "taken_down",
  EvidenceWithheld: "evidence_withheld",
  EvidenceReleased: "evidence_released",
  SubmissionHeldBack: "submission_held_back",
  ResolutionLetterAccepted: "letter_accepted",
  ResolutionLetterRefused: "letter_refused",
  ResolutionRequested: "resolution_for_inbox",
  ReportResolved: "resolved",
  PaymentRefunded: "payment_refunded",
};

function mails({ state, events }: Folded): { id: string; kind: string }[] {
  if (state.status === "deleted" || events[0]?.metadata.origin === "sample") return [];
  // Emails from before a deletion that was undone are gone.
  const since = events.findLastIndex(({ type }) => type === "ReportDeleted") + 1;
  return events.slice(since).flatMap(({ id, type, data }) => {
    if (data.undoes) return [];
    const isBack = type === "ReportPutBack" && data.to === "approved";
    const status = type === "ReportStatusSet" ? String(data.to) : undefined;
    const isAccounts = data.account_id !== undefined;
    if (type === "ReporterWarned" && data.step !== "warning" && isAccounts) return [];
    if (data.counted_before !== undefined) return [];
    const warned = data.step === "warning" ? "infringer_warned" : "infringer_suspended";
    const ofStatus = isBack ? "put_back" : status;
    const kind = type === "ReporterWarned" ? warned : (ofStatus ?? MAIL_KINDS[type]);
    return kind ? [{ id: `mail-${id}`, kind }] : [];
  });
}

type Rows = <T extends object>(text: string) => Promise<T[]>;

/** Reads the current tables in the form of {@link Expected}. */
export async function readTables(rows: Rows): Promise<Expected> {
  const slugs = await rows<Address & { erased: boolean }>(
    `select s.slug_hash, s.report_id, s.gone_at is not null as gone, r.id is null as erased
     from address.slug s left join reports.report r on r.id = s.report_id`,
  );
  for (const { erased, gone } of slugs)
    if (erased && !gone) throw new Error("a deleted report has an address");
  const reports = await rows<Record<string, unknown>>("select * from reports.report order by id");
  return {
    // What an undo restores shows in the other columns once it is done.
    reports: reports.map(({ before_decision: _, ...report }) => report),
    addresses: slugs
      .filter(({ erased }) => !erased)
      .map(({ erased: _, ...address }) => address)
      .toSorted(bySlug),
    persons: await rows("select * from offenders.person order by id"),
    documents: await rows(
      `select id, first_name, last_name, title, description, city, state, country, amount_cents,
         reasons, submitted_ms
       from search.documents order by id`,
    ),
    mails: await rows('select id, kind from outbox.mail order by id collate "C"'),
    entries: await rows("select event_id, position from audit.entry order by position"),
    facets: (
      await rows<{ line: string }>(
        `select concat_ws(' ', event_type, command, actor_role, stream_kind, sum(entries)) as line
         from audit.figure_facet group by event_type, command, actor_role, stream_kind`,
      )
    )
      .map(({ line }) => line)
      .toSorted(),
  };
}

interface Registry {
  readonly stores: { readonly store: EventStore; readonly keys: KeyStore };
  rows: Rows;
}

/** Compares the tables with the log. */
export async function expectRowsOfTheLog({ stores, rows }: Registry): Promise<void> {
  expect(await readTables(rows)).toEqual(await foldLog(stores.store, stores.keys));
}
