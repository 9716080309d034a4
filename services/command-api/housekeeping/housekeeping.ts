import { streams } from "#contracts/events/index.ts";
import { reportOfTextKey, subjects } from "#contracts/sealed.ts";
import type { KeptDays } from "#contracts/settings/catalogue.ts";
import type { EventStore } from "#event-store/port.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { ClosingService } from "../account/closing.service.ts";
import type { Credentials } from "../account/credentials.ts";
import type { RegistrationService } from "../account/registration.service.ts";
import type { SecondFactorStore } from "../account/second-factor.store.ts";
import type { SessionService } from "../account/session.service.ts";
import type { SignInChallengeStore } from "../account/sign-in-challenge.store.ts";
import type { StandingService } from "../account/standing.service.ts";
import type { UploadRemoval } from "../evidence/upload-removal.ts";
import type { AccountStreams } from "../export/account-streams.ts";
import type { InquiryService } from "../inquiry/inquiry.service.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { CommandIds } from "../kernel/command-ids.store.ts";
import type { QueueLeases } from "../queue/queue-leases.store.ts";
import type { StrikeStore } from "../strikes/strike.store.ts";
import type { ViewCounter } from "../views/view-counter.ts";
import type { ErasureFollower } from "./erasure-follower.ts";
import type { ReportExpiry } from "./report-expiry.ts";
import type { SubmissionLooks } from "./submission-looks.ts";

const DAY_MS = 24 * 3_600_000;

/** What is swept. */
export interface HousekeepingDeps {
  readonly store: EventStore;
  readonly keys: KeyStore;
  readonly commandIds: CommandIds;
  readonly credentials: Credentials;
  readonly sessions: SessionService;
  readonly closing: Pick<ClosingService, "eraseDue">;
  readonly inquiries: Pick<InquiryService, "eraseDue">;
  readonly standings: Pick<StandingService, "endDue">;
  readonly registration: Pick<RegistrationService, "expire">;
  readonly factors: SecondFactorStore;
  readonly challenges: SignInChallengeStore;
  readonly views: ViewCounter;
  readonly erasures: ErasureFollower;
  readonly expiry: Pick<ReportExpiry, "run">;
  readonly accountStreams: Pick<AccountStreams, "run">;
  readonly looks: Pick<SubmissionLooks, "run">;
  readonly strikes: Pick<StrikeStore, "follow">;
  readonly leases: Pick<QueueLeases, "sweep">;
  readonly removal: Pick<UploadRemoval, "sweep">;
  readonly jobs: Pick<Jobs, "sweep">;
  readonly keptDays: () => Pick<KeptDays, "security_event">;
}

/**
 * Removes what nothing will use any more. Each step may run twice, and in any number of processes.
 */
export async function houseKeep(deps: HousekeepingDeps, nowMs: number): Promise<void> {
  const {
    store,
    keys,
    commandIds,
    credentials,
    sessions,
    closing,
    inquiries,
    standings,
    registration,
    factors,
    challenges,
    views,
    erasures,
    expiry,
    accountStreams,
    looks,
    strikes,
    leases,
    removal,
    jobs,
  } = deps;
  await credentials.relay(nowMs);
  await erasures.run(new Date(nowMs).toISOString());
  await registration.expire(nowMs);
  await closing.eraseDue(nowMs);
  await standings.endDue(nowMs);
  await inquiries.eraseDue(nowMs);
  await sessions.sweep(nowMs);
  await factors.sweep(nowMs);
  await challenges.sweep(nowMs);
  await removal.sweep(nowMs);
  await jobs.sweep(nowMs);
  await leases.sweep(nowMs);
  const yesterday = new Date(nowMs - DAY_MS);
  await keys.sweepUnused(yesterday, (unused) => reportsInUse(store, unused));
  await commandIds.sweep(new Date(nowMs - 2 * DAY_MS));
  await views.forgetFormerDays(new Date(nowMs).toISOString());
  const gone = await expiredMonths(store, nowMs, deps.keptDays().security_event);
  if (gone.length > 0) {
    await keys.destroy(gone.map(subjects.security), new Date(nowMs).toISOString());
  }
  // Last: their first runs read the whole log.
  await strikes.follow();
  await accountStreams.run();
  await looks.run(new Date(nowMs).toISOString());
  await expiry.run(nowMs);
}

/** Months (`2026-11`) since the start of the log that ended more than so many days ago. */
async function expiredMonths(store: EventStore, nowMs: number, days: number): Promise<string[]> {
  let started: string | undefined;
  for await (const event of store.readStream(streams.log, 0, { limit: 1 })) {
    started = event.metadata.time;
  }
  if (!started) return [];
  const months: string[] = [];
  const first = new Date(started);
  for (let i = 0; ; i += 1) {
    const year = first.getUTCFullYear();
    const month = first.getUTCMonth() + i;
    if (Date.UTC(year, month + 1, 1) + days * DAY_MS > nowMs) return months;
    months.push(new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7));
  }
}

/** The subjects whose stream is there, and those that belong to no report, inquiry or text. */
async function reportsInUse(
  store: EventStore,
  unused: readonly string[],
): Promise<ReadonlySet<string>> {
  const inUse = new Set<string>();
  for (const subject of unused) {
    if (await isInUse(store, subject)) inUse.add(subject);
  }
  return inUse;
}

async function isInUse(store: EventStore, subject: string): Promise<boolean> {
  const report = reportOfTextKey(subject);
  if (report) return isThere(store, streams.report(report));
  const [, kind, id] = /^(personal|reporter|inquiry|content)-(.+)$/.exec(subject) ?? [];
  if (!id) return true;
  if (kind === "content") return isThere(store, streams.content(id));
  if (kind !== "inquiry") return isThere(store, streams.report(id));
  return (await isThere(store, streams.inquiry(id))) || isThere(store, streams.notice(id));
}

async function isThere(store: EventStore, stream: string): Promise<boolean> {
  for await (const _ of store.readStream(stream, 0, { limit: 1 })) return true;
  return false;
}
