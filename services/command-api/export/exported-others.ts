import { type InquiryEvent, type ReportEvent, streams } from "#contracts/events/index.ts";
import { evolveInquiry, type InquiryState } from "#contracts/events/inquiry/inquiry-fold.ts";
import { given } from "#contracts/given.ts";
import type { ExportedClaim, ExportedInquiry } from "#contracts/http/account-export.ts";
import { answersInWords, caseNumber, inquiryForms } from "#contracts/inquiry/inquiry-forms.ts";
import type { AccountStreams } from "./account-streams.ts";
import type { Step } from "./export-page.ts";
import type { AccountPast } from "./exported-account.ts";
import { openStream, placeOf, type StreamDeps } from "./opened-stream.ts";
import { walkStreams } from "./walk-streams.ts";

interface Deps extends StreamDeps {
  readonly accountStreams: Pick<AccountStreams, "of">;
}

/** The reports that the account claimed, oldest first: which, when, from where. */
export async function* exportedClaims(
  past: AccountPast,
  after: string,
  deps: Deps,
): AsyncGenerator<Step<ExportedClaim>> {
  for await (const { id, position } of walkStreams(deps.accountStreams, past, ["claim"], after)) {
    const { events, keys } = await openStream<ReportEvent>(streams.report(id), past.id, deps);
    const claimed = events.find(({ stored }) => stored.position === position);
    const taken = events.find(
      ({ event, stored }) =>
        event.type === "ReportDisowned" &&
        event.data.account_id === past.id &&
        stored.position > position,
    );
    const item = claimed && {
      report_id: id,
      at: claimed.stored.metadata.time,
      ...given({ taken_back_at: taken?.stored.metadata.time }),
      ...placeOf(claimed.stored, past, keys),
    };
    yield { cursor: position, item };
  }
}

/** The forms for the registry's staff that the account sent, oldest first; not those that are erased. */
export async function* exportedInquiries(
  past: AccountPast,
  after: string,
  deps: Deps,
): AsyncGenerator<Step<ExportedInquiry>> {
  const kinds = ["inquiry", "notice"] as const;
  for await (const found of walkStreams(deps.accountStreams, past, kinds, after)) {
    const { id, position } = found;
    const family = found.kind === "notice" ? "notice" : "inquiry";
    const { events, keys } = await openStream<InquiryEvent>(streams[family](id), past.id, deps);
    const state = events.reduce<InquiryState | undefined>(
      (before, { event }) => evolveInquiry(before, event),
      undefined,
    );
    const [first] = events;
    if (!first || !state?.sender) {
      yield { cursor: position };
      continue;
    }
    const { kind, sender } = state;
    const { name, type, bytes } = sender.document ?? {};
    const item: ExportedInquiry = {
      id,
      ...(kind ? { number: caseNumber(kind, id), form: inquiryForms[kind].title } : {}),
      sent_at: first.stored.metadata.time,
      ...placeOf(first.stored, past, keys),
      answers: kind
        ? answersInWords(kind, sender).map(({ label, text }) => ({ label, text }))
        : sender.answers.map(({ field, text }) => ({ label: field, text })),
      ...(name && type && bytes ? { document: { name, type, bytes } } : {}),
    };
    yield { cursor: position, item };
  }
}
