import type { RegistryEvent, ReportEvent } from "#contracts/events/index.ts";
import { openQuestion } from "#contracts/events/report/question-fold.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { given } from "#contracts/given.ts";
import { ERASE_HOURS } from "#contracts/report/deletion-rules.ts";
import { TERMS_VERSION } from "#contracts/report/words.ts";
import { subjects } from "#contracts/sealed.ts";
import { blindIndexes, reporterBlindIndexes } from "#services/command-api/report/report.blind.ts";
import type { PreparedReportCommand } from "#services/command-api/report/report.commands.ts";
import { decideReport } from "#services/command-api/report/report.decider.ts";
import { toNewReport } from "#services/command-api/report/report.payload.ts";
import { restoringEdit } from "#services/command-api/report/report.restore.ts";
import type { LastDecision } from "#services/command-api/report/report.undo.ts";
import type { BlindIndexer } from "#vault/sealing/blind-index.ts";
import { type MadeUpPerson, makeReport } from "./made-up-reports.ts";
import type { Random } from "./random.ts";
import type { Step } from "./report-plan.ts";

/** The steps that set a status. */
const DECISIONS: ReadonlySet<Step> = new Set<Step>(["review", "approve", "reject"]);

/** One copyright notice is about all. */
const NOTICE = "7f3a9c21-b0d4-4c6e-8f00-000000000000";

export interface StoryContext {
  readonly random: Random;
  readonly blind: BlindIndexer;
  /** Assigns the report its address. */
  readonly slugOf: (person: MadeUpPerson, reportId: string) => string;
}

/** One report, whose events come from the real deciders. */
export class ReportStory {
  readonly id: string;
  readonly person: MadeUpPerson;
  readonly #context: StoryContext;
  #state: ReportState | undefined;
  /** As it was submitted. */
  #first: ReportState | undefined;
  #revision = -1;
  #decision: LastDecision | undefined;

  constructor(id: string, person: MadeUpPerson, context: StoryContext) {
    this.id = id;
    this.person = person;
    this.#context = context;
  }

  /** Names of the two keys of the report. */
  get subjects(): string[] {
    return [subjects.personal(this.id), subjects.reporter(this.id)];
  }

  /** Id of the moderator whose decision is the last thing that happened. */
  get decidedBy(): string | undefined {
    return this.#decision?.by;
  }

  /** @returns the step's events for the report's own stream; none if the step is impossible now. */
  take(step: Step, now: string, moderator: string): ReportEvent[] {
    const events = this.#decide(step, now);
    this.#decision = this.#decisionIn(events, now, moderator);
    for (const event of events) this.#state = evolveReport(this.#state, event);
    this.#first ??= this.#state;
    this.#revision += events.length;
    return events;
  }

  /** The event for a moderator who opens the report's sealed data, or one of its files. */
  viewed(): RegistryEvent {
    const file = this.#state?.evidence.find(({ erased }) => !erased);
    if (file && this.#context.random.chance(0.5)) {
      return { type: "EvidenceViewed", data: { report_id: this.id, file_id: file.file_id } };
    }
    return { type: "PersonalDataViewed", data: { report_id: this.id, revision: this.#revision } };
  }

  #decisionIn([event]: readonly ReportEvent[], at: string, by: string): LastDecision | undefined {
    if (event?.type !== "ReportApproved" && event?.type !== "ReportRejected") return undefined;
    const question_id = openQuestion(this.#state?.questions ?? [])?.question_id;
    const { from } = event.data;
    return { revision: this.#revision + 1, from, by, at, ...given({ question_id }) };
  }

  #decide(step: Step, now: string): ReportEvent[] {
    const moment = { now, newId: this.#context.random.uuid() };
    if (step === "unsubscribe")
      return [
        { type: "ReporterNotificationsSet", data: { by: "unsubscribe_link", decisions: false } },
      ];
    if (step === "withdraw") return [{ type: "ReportVerificationWithdrawn", data: {} }];
    if (step === "request_banner" && this.#state?.status !== "approved") return [];
    const command = this.#command(step, now);
    const events = command ? decideReport(this.#state, command, moment) : [];
    const counted = countedWith(step, this.#state);
    // What is not hidden counts against nobody, and what is not put back counts on.
    if (!counted || events.length === 0) return events;
    return [...events, ...decideReport(this.#state, counted, moment)];
  }

  #command(
    step: Exclude<Step, "withdraw" | "unsubscribe">,
    now: string,
  ): PreparedReportCommand | undefined {
    const { random, blind, slugOf } = this.#context;
    const state = this.#state;
    // While a notice holds the report, only what is decided about the notice changes its status.
    if (state?.holds.length && DECISIONS.has(step)) return undefined;
    switch (step) {
      case "submit":
      case "submit_confirmed": {
        const body = makeReport(random, this.person);
        const { personal, reporter } = toNewReport(body);
        return {
          type: "SubmitReport",
          body,
          termsVersion: TERMS_VERSION,
          blind: blindIndexes(personal, blind),
          reporterBlind: reporterBlindIndexes(reporter.reporter_email, blind),
          isConfirmed: step === "submit_confirmed",
          evidence: random.chance(0.3) ? [madeUpFile(random)] : [],
        };
      }
      case "resend":
        return { type: "ResendVerification", email: state?.reporter?.reporter_email ?? "" };
      case "correct": {
        const number = random.integer(1, 9999);
        const email = `r${number}@right.example`;
        const reporterBlind = reporterBlindIndexes(email, blind);
        const suspended = number < 3000 ? {} : undefined;
        return { type: "CorrectReporterAddress", email, reporterBlind, suspended };
      }
      case "ask": {
        // Only an address that a link confirmed is written to.
        if (!state?.address_confirmed) return undefined;
        return { type: "AskReporter", body: { question: "Which carrier delivered the parcel?" } };
      }
      case "withdraw_question":
        return openQuestion(state?.questions ?? [])
          ? { type: "WithdrawQuestion", body: {} }
          : undefined;
      case "answer": {
        const questionId = openQuestion(state?.questions ?? [])?.question_id;
        if (!questionId) return undefined;
        return { type: "AnswerQuestion", questionId, answer: "It was signed for at the door." };
      }
      case "note":
        return { type: "WriteNote", body: { note: "The same parcel as in an earlier report." } };
      case "verify_by_link":
        return { type: "VerifyReport", linkId: state?.links.at(-1)?.link_id ?? "" };
      case "verify_by_hand":
        return { type: "VerifyReportByHand", body: {} };
      case "edit": {
        const first = this.#first;
        const isChanged = first?.personal?.title !== state?.personal?.title;
        if (first && state?.personal && isChanged && random.chance(0.7))
          return {
            type: "RestoreReport",
            body: { revision: 0 },
            changes: restoringEdit(first, state),
          };
        const title = `${state?.personal?.title ?? "Disputed payment"}, ${random.integer(2, 99)}`;
        const edit = random.chance(0.5) ? { title } : { title, other_fees: random.integer(1, 90) };
        return { type: "EditReport", body: edit };
      }
      case "review":
        return { type: "SetReportStatus", body: { status: "under_review" } };
      case "approve": {
        const slug = state?.published ? undefined : slugOf(this.person, this.id);
        return { type: "ApproveReport", body: {}, slug };
      }
      case "undo": {
        const decision = this.#decision;
        return decision && { type: "UndoDecision", body: {}, accountId: decision.by, decision };
      }
      case "claim": {
        // Only what a link confirmed can be claimed, and is.
        if (!state?.address_confirmed || state.status === "deleted") return undefined;
        const email = state.reporter?.reporter_email ?? "";
        return { type: "ClaimReport", accountId: random.uuid(), email, isVisitors: true };
      }
      case "publish": {
        const file = state?.evidence.find(({ kind, erased }) => kind === "evidence" && !erased);
        if (!file || state?.status !== "approved") return undefined;
        const { bytes, sha256 } = madeUpFile(random);
        const copy = { id: random.uuid(), width: 1414, height: 2000, bytes, sha256 };
        return {
          type: "PublishEvidence",
          fileId: file.file_id,
          kind: "evidence",
          page: 1,
          boxes: random.integer(0, 6),
          copy: { ...copy, type: "image/webp" },
        };
      }
      case "hide": {
        const copyId = state?.copies.find(({ erased }) => !erased)?.copy_id;
        const file = state?.evidence.find(({ kind, erased }) => kind === "evidence" && !erased);
        if (file && random.chance(0.5))
          return {
            type: "DeleteEvidence",
            fileId: file.file_id,
            body: { reason_code: "unrelated" },
          };
        return copyId === undefined ? undefined : { type: "HideEvidence", copyId };
      }
      case "take_down": {
        if (state?.status !== "approved") return undefined;
        const copyId = state.copies.find(({ erased }) => !erased)?.copy_id;
        return { type: "TakeDownMaterial", noticeId: NOTICE, copyId, reason: "It is from a book." };
      }
      case "put_back": {
        const copyId = state?.copies.find(({ holds }) => holds.includes(NOTICE))?.copy_id;
        return { type: "PutMaterialBack", noticeId: NOTICE, copyId };
      }
      case "disown": {
        const accountId = state?.claimed_by;
        if (!accountId) return undefined;
        const cause = "address_change_undone" as const;
        return { type: "DisownReport", accountId, submittedBy: undefined, cause };
      }
      case "request_banner":
        return {
          type: "RequestResolution",
          body: { terms_version: TERMS_VERSION, letter: { id: "", secret: "", name: "" } },
          letter: { ...madeUpFile(random), name: "letter.pdf" },
          termsVersion: TERMS_VERSION,
        };
      case "decide_banner":
        return bannerDecision(random, state);
      case "reject":
        return {
          type: "RejectReport",
          body: { reason: "The evidence does not show what is claimed." },
        };
      case "delete":
        return {
          type: "DeleteReport",
          body: { reason_code: random.chance(0.5) ? "subject_request" : "false_report" },
          standing: {
            eraseAt: new Date(Date.parse(now) + ERASE_HOURS.default * 3_600_000).toISOString(),
            isSecond: false,
            mayAlone: true,
            told: [],
          },
        };
      case "erase":
        return state?.deletion ? { type: "EraseReport", reasonCode: "other" } : undefined;
      case "view":
        return undefined;
    }
  }
}

/** What follows for the reporter from what a notice does. */
function countedWith(
  step: Step,
  state: ReportState | undefined,
): PreparedReportCommand | undefined {
  const noticeId = NOTICE;
  if (step === "put_back") return { type: "LiftReporterWarning", noticeId };
  if (step !== "take_down" || !state?.verified) return undefined;
  return { type: "WarnReporter", noticeId, step: "warning", strike: 1, isCounted: false };
}

/** What staff do next about a request for the RESOLVED banner; undefined where they have nothing to do. */
function bannerDecision(
  random: Random,
  state: ReportState | undefined,
): PreparedReportCommand | undefined {
  const { request_id, stage, payments = [] } = state?.resolution ?? {};
  if (!request_id || state?.status !== "approved") return undefined;
  const who = { by: random.uuid(), submittedBy: undefined, told: [] };
  if (stage === "requested")
    return random.chance(0.8)
      ? { type: "AcceptLetter", body: { request_id }, ...who }
      : {
          type: "RefuseLetter",
          body: { request_id, reason: "The notary's seal is missing." },
          ...who,
        };
  if (stage === "letter_accepted" && random.chance(0.2))
    return { type: "WithdrawResolution", requestId: request_id };
  const [checkout] = state.checkouts.filter((each) => each.request_id === request_id);
  if (stage === "letter_accepted" && !checkout && random.chance(0.3))
    return {
      type: "OpenCheckout",
      requestId: request_id,
      page: {
        payment_id: random.uuid(),
        processor: "stripe",
        live: true,
        expires_at: "2027-01-01T00:00:00.000Z",
        session_id: `cs_live_${random.uuid()}`,
      },
    };
  if (stage === "letter_accepted")
    return {
      type: "NotePayment",
      body: { request_id, method: "bank_transfer", reference: random.uuid() },
      ...who,
    };
  const [payment] = payments;
  if (stage !== "resolved" || !payment || !random.chance(0.3)) return undefined;
  const { payment_id } = payment;
  return {
    type: "RefundPayment",
    body: { payment_id, reason_code: "mistaken", reason: "Meant for another report." },
    ...who,
  };
}

function madeUpFile(random: Random) {
  const bytes = random.integer(20_000, 4_000_000);
  const sha256 = random.uuid().replaceAll("-", "").repeat(2);
  return {
    id: random.uuid(),
    name: "invoice.pdf",
    type: "application/pdf",
    bytes,
    sha256,
  } as const;
}
