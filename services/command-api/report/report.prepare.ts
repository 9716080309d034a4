import { DomainError, refusalOf } from "#contracts/domain-error.ts";
import { type ReportEvent, streams } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { openQuestion } from "#contracts/events/report/reporter-questions.ts";
import type { EditReport } from "#contracts/http/moderation.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { DECISION_MAIL_WAITS_MS } from "#contracts/report/reporter-rules.ts";
import { LETTER } from "#contracts/report/resolution.ts";
import { type ReportStatus, rejectionLabel } from "#contracts/report/words.ts";
import { keptDays } from "#contracts/settings/catalogue.ts";
import type { Settings } from "#contracts/settings/settings-at.ts";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import { ownAddress } from "#search/matching.ts";
import type { StreamDeps } from "#vault/open-stream.ts";
import { accountAggregate } from "../account/account.aggregate.ts";
import { type AddressStore, baseSlug } from "../address/address-store.ts";
import type { Dependencies } from "../dependencies.ts";
import type { UploadClaims } from "../evidence/upload.store.ts";
import type { Moment } from "../kernel/command.ts";
import { type Caller, ownSubject } from "../kernel/envelope.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import { readDeletionContext } from "./deletion-quota.ts";
import { reportAggregate } from "./report.aggregate.ts";
import { blindIndexes, reporterBlindIndexes, sameBlind } from "./report.blind.ts";
import type { PreparedReportCommand, ReportCommand } from "./report.commands.ts";
import { decideReport, requireExisting } from "./report.decider.ts";
import type { LastDecision } from "./report.deletion.ts";
import { afterEdit, diffEdit } from "./report.edit.ts";
import { expiryOf } from "./report.expiry.ts";
import { toNewReport } from "./report.payload.ts";
import { privateTexts, refuseMasked } from "./report.private-texts.ts";
import { restoringEdit } from "./report.restore.ts";
import { reportAt } from "./report.version.ts";

type Deps = Pick<
  Dependencies,
  | "handler"
  | "addresses"
  | "blind"
  | "codec"
  | "keys"
  | "store"
  | "terms"
  | "suspensions"
  | "settings"
  | "quota"
  | "admins"
> & {
  readonly claims: Pick<UploadClaims, "claim">;
};

/** Adds blind indexes, slugs, files, suspensions and terms to a report's commands. @param caller the sender. */
export function reportPreparation(id: string, caller: Caller, deps: Deps) {
  const { handler, addresses, blind: index, claims, store, terms, suspensions, settings } = deps;
  const reserveSlug = slugReserver(id, addresses);
  /** Blind indexes and slug after an edit. */
  const ofEdit = async (report: ReportState, body: EditReport) => {
    if (!report.personal) return {};
    const diff = diffEdit(report, body);
    const personal = afterEdit(report.personal, diff);
    const blind = blindIndexes(personal, index);
    const email = diff.reporter.set.reporter_email;
    const isPublic = (body.status ?? report.status) === "approved";
    return {
      blind: sameBlind(report.blind, blind) ? undefined : blind,
      reporterBlind: typeof email === "string" ? reporterBlindIndexes(email, index) : undefined,
      slug: isPublic ? await reserveSlug({ ...report, personal }) : undefined,
    };
  };
  /** Requires that a duplicate refers to another report that still exists. */
  const requireOther = async (other: string | undefined) => {
    const known =
      other && other !== id ? (await handler.load(reportAggregate(other)))?.state : undefined;
    if (other && !(known?.personal && known.status !== "deleted"))
      throw new DomainError("invalid_request", "The original report was not found", {
        duplicate_of: "Choose another report",
      });
  };
  const suspended = async (state: ReportState | undefined, { now }: Moment) =>
    state && suspensions.ofReport(state, now);
  /** Suspension of an edit that would send email, verify or publish: of the new address, or of the reporter. */
  const suspensionForEdit = async (
    state: ReportState | undefined,
    { reporter_email: email, status, verified }: EditReport,
    moment: Moment,
  ) => {
    if (email && email !== state?.reporter?.reporter_email)
      return suspensions.ofGivenAddress(email, state, moment.now);
    return verified || status === "approved" ? suspended(state, moment) : undefined;
  };
  return async (
    state: ReportState | undefined,
    command: ReportCommand,
    moment: Moment,
  ): Promise<PreparedReportCommand> => {
    switch (command.type) {
      case "SubmitReport": {
        const { personal, reporter } = toNewReport(command.body);
        const { reporter_email: email } = reporter;
        const { suspended, isKnown } = await suspensions.ofAddress(email, moment.now);
        const prepared = {
          ...command,
          termsVersion: await terms.termsVersion(),
          blind: blindIndexes(personal, index),
          reporterBlind: reporterBlindIndexes(reporter.reporter_email, index),
          suspended,
          // Otherwise it would be published as confirmed without another check.
          isConfirmed: isKnown && (await hasConfirmed(email, caller, handler)),
        };
        const { evidence: named = [] } = command.body;
        if (named.length === 0) return prepared;
        // Claim files only if the command is accepted.
        decideReport(state, prepared, moment);
        return { ...prepared, evidence: await claims.claim(id, named, moment.now) };
      }
      case "DeleteReport": {
        // Count only accepted deletions.
        decideReport(state, command, moment);
        if (!state) return command;
        return { ...command, context: await readDeletionContext(id, state, caller, deps) };
      }
      case "DeleteEvidence":
        decideReport(state, command, moment);
        await deps.quota.require(caller.actor.id, command.fileId, caller.now);
        return command;
      case "RejectReport":
        refuseReasonOff(command.body.reason_code, settings());
        await requireOther(command.body.duplicate_of);
        return command;
      case "CorrectReporterAddress":
        return {
          ...command,
          reporterBlind: reporterBlindIndexes(command.email, index),
          suspended: (await suspensions.ofAddress(command.email, moment.now)).suspended,
        };
      case "ResendVerification":
      case "VerifyReport":
      case "VerifyReportByHand":
        return { ...command, suspended: await suspended(state, moment) };
      case "RequestResolution": {
        const prepared = { ...command, termsVersion: await terms.termsVersion() };
        decideReport(state, prepared, moment);
        const [letter] = await claims.claim(id, [command.body.letter], moment.now, LETTER);
        return letter ? { ...prepared, letter } : prepared;
      }
      case "SetReportStatus":
      case "ApproveReport": {
        if (command.type === "SetReportStatus" && command.body.status !== "approved")
          return command;
        // Reserve a slug only if the command is accepted.
        const checked = {
          ...command,
          suspended: state?.verified ? undefined : await suspended(state, moment),
        };
        decideReport(state, checked, moment);
        return { ...checked, slug: await reserveSlug(requireExisting(state)) };
      }
      case "UndoDecision": {
        // Read after the state, so a concurrent change makes the append conflict.
        const decision = await lastDecision(id, deps);
        return { ...command, accountId: caller.actor.id, decision };
      }
      case "PutMaterialBack": {
        if (command.copyId !== undefined) return command;
        const [back] = decideReport(state, command, moment);
        const isPublic = back?.type === "ReportPutBack" && back.data.to === "approved";
        return isPublic ? { ...command, slug: await reserveSlug(requireExisting(state)) } : command;
      }
      case "EditReport": {
        const checked = {
          ...command,
          suspended: await suspensionForEdit(state, command.body, moment),
        };
        decideReport(state, checked, moment);
        return { ...checked, ...(await ofEdit(requireExisting(state), command.body)) };
      }
      case "RestoreReport": {
        const report = requireExisting(state);
        const then = await reportAt(id, command.body.revision, deps);
        refuseMasked(then);
        const changes = restoringEdit(then, report);
        const checked = {
          ...command,
          changes,
          suspended: await suspensionForEdit(report, changes, moment),
        };
        decideReport(state, checked, moment);
        return { ...checked, ...(await ofEdit(report, changes)) };
      }
      case "MaskText":
        // Read after the state, so a concurrent change makes the append conflict.
        requireExisting(state);
        return { ...command, masked: await privateTexts(id, command.body, deps) };
      case "ExpireReport": {
        // Read after the state, so a concurrent change makes the append conflict.
        const events: StoredEvent[] = [];
        for await (const event of store.readStream(streams.report(id))) events.push(event);
        const expiry = expiryOf(events, keptDays(settings()));
        return expiry && expiry.atMs <= Date.parse(moment.now)
          ? { ...command, cause: expiry.cause }
          : command;
      }
      default:
        return command;
    }
  };
}

/** Reserves, once, the slug that a public report needs for its name, unless it already has one. */
function slugReserver(id: string, addresses: AddressStore) {
  const taken = new Map<string, string>();
  return async ({ personal, slug }: ReportState): Promise<string | undefined> => {
    if (!personal) return undefined;
    const base = baseSlug(personal.first_name, personal.last_name);
    if (slug && addresses.isOf(slug, base, id)) return undefined;
    const address = taken.get(base) ?? (await addresses.take(personal, id));
    taken.set(base, address);
    return address;
  };
}

/** @throws {DomainError} `invalid_request` if an admin has turned the reason off. */
function refuseReasonOff(
  code: string | undefined,
  { rejectReasonsOff }: Pick<Settings, "rejectReasonsOff">,
): void {
  if (code === undefined || !rejectReasonsOff.includes(code)) return;
  throw refusalOf({
    reason_code: `“${rejectionLabel(code)}” is no longer a reason for rejection. Choose another one.`,
  });
}

/** Whether the caller is an account that has confirmed this address. */
async function hasConfirmed(
  email: string,
  caller: Caller,
  handler: Pick<CommandHandler, "load">,
): Promise<boolean> {
  if (ownSubject(caller) === undefined) return false;
  const account = (await handler.load(accountAggregate(caller.actor.id)))?.state;
  if (!account?.confirmed || account.closed || !account.profile) return false;
  return ownAddress(account.profile.email) === ownAddress(email);
}

const DECISIONS: ReadonlySet<string> = new Set<ReportEvent["type"]>([
  "ReportApproved",
  "ReportRejected",
  "ReportStatusSet",
]);

/** The last decision on a report, unless something else has happened since. Moderator notes don't count. */
async function lastDecision(id: string, deps: StreamDeps): Promise<LastDecision | undefined> {
  const { store } = deps;
  const last = await newest(id, store, ({ type }) => type !== "ModeratorNoteWritten");
  if (!last || !DECISIONS.has(last.type) || last.data.undoes) return undefined;
  const { revision, data, metadata } = last;
  const before = await reportAt(id, revision - 1, deps);
  const question_id = openQuestion(before.questions)?.question_id;
  const rejection = await newest(
    id,
    store,
    (event) => event.type === "ReportRejected" && event.revision < revision,
  );
  const due = await mailDue(id, store, revision);
  return {
    revision,
    from: data.from as ReportStatus,
    by: metadata.actor.id,
    at: metadata.time,
    ...omitUndefined({
      question_id,
      reason: before.rejection_reason ?? undefined,
      reason_code: before.rejection_code ?? undefined,
      duplicate_of: rejection?.data.duplicate_of as string | undefined,
      untold: due !== undefined && due > Date.parse(metadata.time) ? true : undefined,
    }),
  };
}

/** When the email about the decision before a revision is due, in milliseconds; undefined if there is none. */
async function mailDue(
  id: string,
  store: Pick<EventStore, "readStream">,
  before: number,
): Promise<number | undefined> {
  const asking = await newest(id, store, ({ type, revision, data }) => {
    const to = type === "ReportApproved" ? "approved" : (data.to ?? "rejected");
    return revision < before && DECISIONS.has(type) && data.from !== to;
  });
  const undoes = asking?.data.undoes as { revision: number; untold?: true } | undefined;
  if (undoes && !undoes.untold) return mailDue(id, store, undoes.revision);
  return asking && Date.parse(asking.metadata.time) + DECISION_MAIL_WAITS_MS;
}

async function newest(
  id: string,
  store: Pick<EventStore, "readStream">,
  matches: (event: StoredEvent) => boolean,
): Promise<StoredEvent | undefined> {
  const newestFirst = { direction: "backwards" } as const;
  for await (const event of store.readStream(streams.report(id), "end", newestFirst))
    if (matches(event)) return event;
  return undefined;
}
