import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { openQuestion } from "#contracts/events/report/reporter-questions.ts";
import { type Inbox, mailKinds } from "#contracts/mail/mail-kinds.ts";
import type { UnsubscribeScope } from "#contracts/mail/unsubscribe.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { rejectionText } from "#contracts/report/words.ts";
import type { OneTimeLinks, ReportLinks, UnsubscribeLinks } from "#vault/links/one-time-link.ts";
import type { StreamDeps } from "#vault/open-stream.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import {
  type Letterhead,
  layOut,
  type MailText,
  oneLine,
  type ReportReference,
} from "../layout.ts";
import { type RecipientCount, readAccountMail, recipientOf } from "./account-mail.ts";
import { inboxDigestMail } from "./fixed-mails.ts";
import { readInquiryMail, readNumbers } from "./inquiry-mail.ts";
import type { MailRenderer, RenderedMail, UsedTemplate } from "./mail-renderer.ts";
import type { MailToWrite, OutgoingMail } from "./outgoing-mail.ts";
import {
  loadReport,
  ownerOf,
  type ResolutionMail,
  readDuplicate,
  readFurther,
  readResolutionMail,
  readTakedownMail,
  scopeOf,
  type TakedownMail,
  wantsDecision,
} from "./report-mail.ts";
import type { CaseDetails, MailFacts } from "./template-values.ts";

/** Why an email is no longer sent. */
export type DropReason = "deleted" | "erased" | "superseded" | "unwanted";

/** An email that is ready to be sent. */
export interface WrittenMail {
  readonly mail: OutgoingMail;
  /** Blind index of the recipient whose caps apply; undefined for an email that was requested. */
  readonly countsFor: string | undefined;
  readonly inbox?: Inbox;
  readonly used?: UsedTemplate;
}

/** The emails of one digest. */
export interface DigestMails {
  /** IDs of all of them, including the one that stands in for the rest. */
  readonly ids: readonly string[];
  /** IDs of the reports, inquiries or notices it names, oldest first. */
  readonly owners: readonly string[];
}

interface Deps extends StreamDeps {
  readonly links: OneTimeLinks;
  readonly reportLinks: ReportLinks;
  readonly unsubscribing: UnsubscribeLinks;
  readonly blind: BlindIndexer;
  readonly publicUrl: string;
  readonly letterhead: Letterhead;
  /** The operator's own address, which emails are sent from. */
  readonly operatorEmail: string;
  /** Receives emails about enterprise plans. Other staff emails go to the letterhead's address. */
  readonly salesEmail: () => string;
  readonly words: Pick<MailRenderer, "write" | "writeTest">;
  /** Milliseconds since the epoch; the system clock if absent. */
  readonly now?: () => number;
}

/** The console's list of requests for the RESOLVED banner. */
const RESOLUTIONS_PAGE = "/admin/resolutions";

/** Writes emails from the log when they are sent, so that no table stores addresses. */
export class MailWriter {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws {UnknownEvent} @throws {KeyMissing} @throws {StoreUnavailable} @throws {KeyStoreUnavailable} */
  async write(mail: MailToWrite): Promise<WrittenMail | { readonly drop: DropReason }> {
    const { owner: about } = mailKinds[mail.kind];
    if (about === "account") return this.#writeAccountMail(mail);
    if (about !== "report") return this.#writeInquiryMail(mail);
    if (mailKinds[mail.kind].isForInbox) return this.#writeResolutionForInbox(mail);
    const { submitted, revision, state, events, statusSince } = await loadReport(
      mail.ownerId,
      this.#deps,
    );
    const asking = events[mail.revision];
    if (!state || state.status === "deleted") return { drop: "deleted" };
    const { reporter, personal, address_confirmed: isConfirmed } = state;
    if (!reporter || !personal || !asking) return { drop: "erased" };
    const { letterhead, blind, publicUrl } = this.#deps;
    const takedown = readTakedownMail(asking, state);
    const banner =
      takedown === undefined ? readResolutionMail(mail.ownerId, asking, state) : takedown;
    if (banner === null) return { drop: "superseded" };
    const url = banner
      ? `${publicUrl}${banner.path}`
      : this.#urlOf(mail, statusSince, asking, state);
    if (!url) return { drop: "superseded" };
    const { isRequested, setting } = mailKinds[mail.kind];
    const owner = setting && submitted && (await ownerOf(submitted, state, this.#deps));
    if (setting && !wantsDecision(state, owner)) return { drop: "unwanted" };
    const to = reporter.reporter_email;
    const other = isConfirmed && (await readDuplicate(asking, to, owner || undefined, this.#deps));
    const facts: MailFacts = {
      productName: letterhead.productName,
      url,
      ...omitUndefined({ until: takedown?.until, about: caseOf(takedown) }),
      ...(isConfirmed ? confirmedWords(state, banner, other || undefined) : {}),
    };
    const off = setting && scopeOf(mail.ownerId, to, owner);
    const { text, ...used } = await this.#deps.words.write(mail.kind, facts);
    return {
      ...used,
      mail: {
        ...this.#layOut(mail, to, text, { off, ...this.#status(mail, to) }),
        ...omitUndefined({ revision }),
      },
      countsFor: isConfirmed && isRequested ? undefined : recipientOf(to, blind, countOf(asking)),
    };
  }

  /** Writes the one email that represents all those held for an inbox. @throws as {@link write} does. */
  async writeDigest(mail: MailToWrite, inbox: Inbox, held: DigestMails): Promise<WrittenMail> {
    const { letterhead, publicUrl } = this.#deps;
    const numbers = await readNumbers(mail.kind, held.owners, this.#deps);
    const text = inboxDigestMail({
      kind: mail.kind,
      count: held.ids.length,
      numbers,
      consoleUrl: `${publicUrl}${RESOLUTIONS_PAGE}`,
    });
    const { id, ownerId } = mail;
    const to = this.#inboxes()[inbox];
    return {
      mail: { id, ownerId, to, ...layOut(text, letterhead) },
      countsFor: undefined,
      inbox,
    };
  }

  async #writeAccountMail(mail: MailToWrite): Promise<WrittenMail | { readonly drop: DropReason }> {
    const { letterhead, blind } = this.#deps;
    const read = await readAccountMail(mail, new Date(this.#now()), this.#deps);
    if ("drop" in read) return read;
    const { to, url, firstName, count, until, reason } = read;
    const { productName } = letterhead;
    const { setting } = mailKinds[mail.kind];
    const further = mail.kind === "same_person" ? await readFurther(mail, this.#deps) : undefined;
    if (further && "drop" in further) return further;
    const named = { firstName, title: further?.title ?? "" };
    const { figures } = mail;
    const words = firstName ? { words: named } : {};
    const facts = {
      productName,
      url,
      at: mail.at,
      ...words,
      ...omitUndefined({ until, reason, figures }),
    };
    const off = setting && ({ scope: setting, id: mail.ownerId } as const);
    const worded = await this.#wordsFor(mail, facts);
    if (!worded) return { drop: "superseded" };
    const { text, ...used } = worded;
    return {
      ...used,
      // Its text quotes a report, so it must be removed with that report.
      mail: { ...this.#layOut(mail, to, text, omitUndefined({ off })), ...further?.from },
      countsFor: count && recipientOf(to, blind, count),
    };
  }

  async #wordsFor(
    { kind, templateKind, revision }: MailToWrite,
    facts: MailFacts,
  ): Promise<RenderedMail | undefined> {
    const { words } = this.#deps;
    if (kind !== "template_test") return words.write(kind, facts);
    const text = await words.writeTest(templateKind ?? "", revision);
    return text && { text };
  }

  #layOut(
    { id, kind, ownerId, at }: MailToWrite,
    to: string,
    text: MailText,
    {
      report,
      off,
    }: {
      readonly report?: ReportReference;
      /** What the unsubscribe link turns off; undefined for an email that is always sent. */
      readonly off?: { readonly scope: UnsubscribeScope; readonly id: string } | undefined;
    } = {},
  ): OutgoingMail {
    const { letterhead, operatorEmail, unsubscribing, publicUrl } = this.#deps;
    if (mailKinds[kind].repliesToOperator) {
      const operators = { ...letterhead, supportEmail: operatorEmail };
      return { id, ownerId, to, ...layOut(text, operators), answersToSender: true };
    }
    if (!off) return { id, ownerId, to, ...layOut(text, letterhead, omitUndefined({ report })) };
    const token = unsubscribing.makeToken(off.scope, off.id, to, at);
    const unsubscribe = { scope: off.scope, url: `${publicUrl}/unsubscribe/${token}` };
    const unsubscribeUrl = `${publicUrl}/prod/api/unsubscribe/${token}`;
    const laidOut = layOut(text, letterhead, { unsubscribe, ...omitUndefined({ report }) });
    return { id, ownerId, to, ...laidOut, unsubscribeUrl };
  }

  /** The report's number and a link to its status. Neither reveals its contents. */
  #status({ ownerId, at }: MailToWrite, to: string): { report: ReportReference } {
    const { reportLinks, publicUrl } = this.#deps;
    const url = `${publicUrl}/report-status/${reportLinks.statusToken(ownerId, to, at)}`;
    return { report: { number: reportNumber(ownerId), url } };
  }

  async #writeInquiryMail(mail: MailToWrite): Promise<WrittenMail | { readonly drop: DropReason }> {
    const { letterhead, blind, publicUrl, reportLinks } = this.#deps;
    const read = await readInquiryMail(mail, { ...this.#deps, inboxes: this.#inboxes() });
    if ("drop" in read) return read;
    const { to, inbox, words: about, link } = read;
    if (link && this.#isOver(link.expires_at)) return { drop: "superseded" };
    const { productName } = letterhead;
    const { id, ownerId, kind } = mail;
    const reply = link && `/inquiry-answer/${reportLinks.answerToken(ownerId, link)}`;
    const facts = { productName, url: `${publicUrl}${reply ?? ""}`, about };
    const { text, ...used } = await this.#deps.words.write(kind, facts);
    return {
      ...used,
      mail: { id, ownerId, to, ...layOut(text, letterhead) },
      countsFor: mailKinds[kind].isRequested ? undefined : recipientOf(to, blind, "mail.recipient"),
      ...omitUndefined({ inbox }),
    };
  }

  /** Notifies the inbox that an owner requests the RESOLVED banner. Names no one. */
  async #writeResolutionForInbox(
    mail: MailToWrite,
  ): Promise<WrittenMail | { readonly drop: DropReason }> {
    const { letterhead, publicUrl } = this.#deps;
    const { revision, state, events } = await loadReport(mail.ownerId, this.#deps);
    const asking = events[mail.revision];
    if (!state || state.status === "deleted") return { drop: "deleted" };
    if (asking?.type !== "ResolutionRequested") return { drop: "superseded" };
    const { request_id, stage } = state.resolution ?? {};
    if (request_id !== asking.data.request_id || stage !== "requested")
      return { drop: "superseded" };
    const { id, ownerId } = mail;
    const { productName } = letterhead;
    const url = `${publicUrl}${RESOLUTIONS_PAGE}`;
    const about = { title: "", promise: "", number: reportNumber(ownerId) };
    const { text } = await this.#deps.words.write(mail.kind, { productName, url, about });
    return {
      mail: {
        ...{ id, ownerId, to: this.#inboxes().support },
        ...layOut(text, letterhead),
        ...omitUndefined({ revision }),
      },
      countsFor: undefined,
      inbox: "support",
    };
  }

  #now(): number {
    return this.#deps.now?.() ?? Date.now();
  }

  /** @param time RFC 3339. */
  #isOver(time: string): boolean {
    return Date.parse(time) <= this.#now();
  }

  #inboxes(): Readonly<Record<Inbox, string>> {
    const { letterhead, salesEmail } = this.#deps;
    return { sales: salesEmail(), support: letterhead.supportEmail };
  }

  /** @returns undefined if the link expired or is for an earlier address, or the report is verified. */
  #verificationUrl(mail: MailToWrite, state: ReportState, asking: ReportEvent): string | undefined {
    if (!("link" in asking.data)) return undefined;
    const { link_id: linkId, expires_at: expiresAt } = asking.data.link ?? {};
    // A resent email can be older than its link.
    if (!linkId || !expiresAt || this.#isOver(expiresAt)) return undefined;
    // A suspended address gets another email instead.
    if (state.held_back) return undefined;
    if (!state.links.some(({ link_id }) => link_id === linkId)) return undefined;
    const content = { aggregateId: mail.ownerId, linkId, expiresAt };
    const token = this.#deps.links.makeToken("verify-email", content);
    return `${this.#deps.publicUrl}/verify-email/${token}`;
  }

  /** Returns the email's target; undefined if the email is out of date. */
  #urlOf(
    mail: MailToWrite,
    statusSince: number | undefined,
    asking: ReportEvent,
    state: ReportState,
  ): string | undefined {
    if (mail.kind === "verification") return this.#verificationUrl(mail, state, asking);
    if (mail.kind === "question") return this.#questionUrl(mail, state, asking);
    // The status has changed since the event that triggered the email.
    if (statusSince !== mail.revision) return undefined;
    return `${this.#deps.publicUrl}/search`;
  }

  /** @returns undefined if the question is no longer open. */
  #questionUrl(mail: MailToWrite, state: ReportState, asking: ReportEvent): string | undefined {
    if (asking.type !== "ReporterAsked") return undefined;
    const { link } = asking.data;
    if (openQuestion(state.questions)?.question_id !== link.link_id) return undefined;
    if (this.#isOver(link.expires_at)) return undefined;
    const { reportLinks, publicUrl } = this.#deps;
    return `${publicUrl}/report-question/${reportLinks.questionToken(mail.ownerId, link)}`;
  }
}

/** The notice that an email quotes. */
function caseOf(takedown: TakedownMail | null | undefined): CaseDetails | undefined {
  const { number } = takedown ?? {};
  return number === undefined ? undefined : { title: "", promise: "", number };
}

/** Strangers' submissions must not use up the resends that a reporter requests. */
function countOf({ type }: ReportEvent): RecipientCount {
  return type === "ReportVerificationResent" ? "mail.recipient.resent" : "mail.recipient";
}

/** The reporter's text that an email may quote once the address is confirmed. */
function confirmedWords(
  state: ReportState,
  banner: ResolutionMail | undefined,
  other: string | undefined,
): Pick<MailFacts, "words" | "reason" | "question"> {
  const { reporter, personal } = state;
  const rejection = () => rejectionText(state.rejection_reason, state.rejection_code);
  const reason = banner
    ? banner.reason
    : [rejection(), other].filter((part) => part).join(" ") || undefined;
  return {
    words: {
      firstName: oneLine(reporter?.reporter_first_name ?? ""),
      title: oneLine(personal?.title ?? ""),
    },
    ...omitUndefined({ reason, question: openQuestion(state.questions)?.question }),
  };
}
