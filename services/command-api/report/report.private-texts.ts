import { DomainError, refusalOf } from "#contracts/domain-error.ts";
import { type ReportEvent, streams } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { textAt } from "#contracts/events/report/report-texts.ts";
import { toWire } from "#contracts/events/report/stored-report.ts";
import type { ModerationBody } from "#contracts/http/moderation.ts";
import { findPrivateText } from "#contracts/report/private-text/find-private-text.ts";
import {
  FEWEST_CHARACTERS,
  isMaskable,
  masker,
} from "#contracts/report/private-text/mask-places.ts";
import { ownNumbers } from "#contracts/report/private-text/private-texts.ts";
import { rejectionWords } from "#contracts/report/words.ts";
import { reportOfTextKey } from "#contracts/sealed.ts";
import { openStream, type StreamDeps } from "#vault/open-stream.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { maskedSince, type PrivateTexts } from "./report.mask.ts";
import { noRevision } from "./report.restore.ts";

/**
 * Reads the private texts at their places in a revision, and which events have them.
 * @param body places, or none for all that looks private, in earlier versions too. Each is a place in the text as it was at the revision: whatever
 *   was edited since, what is masked is what its sender saw.
 * @throws {DomainError} `not_found` for an unknown revision; `invalid_request` for a place that is none;
 *   `conflict` for one that is masked.
 */
export async function privateTexts(
  id: string,
  body: ModerationBody<"mask">,
  deps: StreamDeps,
): Promise<PrivateTexts> {
  const { events } = await openStream<ReportEvent>(streams.report(id), deps);
  const opened = events.map(({ event }) => event);
  const until = opened.slice(0, body.revision + 1);
  const last = until.at(-1);
  if (!last || body.revision >= opened.length) throw noRevision(body.revision);
  const texts = body.places ? textsOfPlaces(until, last, body.places) : textsThatLookPrivate(until);
  const mask = masker(texts);
  const having = events
    .filter(({ event }) => readableTexts(event).some((text) => mask(text) !== text))
    .map(({ stored }) => stored);
  return { texts, keys: registryCodec.subjectsOf(having).filter(reportOfTextKey) };
}

/** The free texts of an event whose key is there. */
function readableTexts(event: ReportEvent): readonly string[] {
  return event.data.masked ? [] : registryCodec.textsOf(event);
}

function textsOfPlaces(
  until: readonly ReportEvent[],
  last: ReportEvent,
  places: NonNullable<ModerationBody<"mask">["places"]>,
): string[] {
  const then = until.reduce<ReportState | undefined>(evolveReport, undefined) as ReportState;
  const shown = {
    ...then,
    ...toWire(then),
    rejection_reason: rejectionWords(then.rejection_reason, then.rejection_code),
    reason: reasonOf(last),
  };
  return places.map(({ field, start, end }, i) => {
    if (then.masked.includes(field.split(".")[0] as string)) throw maskedSince();
    const place = textAt(shown, field)?.slice(start, end) ?? "";
    if (isMaskable(place)) return place;
    const problem = `Select at least ${FEWEST_CHARACTERS} letters or digits`;
    throw refusalOf({ [`places.${i}`]: problem });
  });
}

/** Why, as the history says it beside the event. */
function reasonOf({ data }: ReportEvent): string | undefined {
  const { personal } = data as { readonly personal?: { readonly reason?: string } | null };
  return personal?.reason;
}

/** What the detector marks in any text of the report and around it, in earlier versions too. */
function textsThatLookPrivate(until: readonly ReportEvent[]): string[] {
  let then: ReportState | undefined;
  const own = new Set<string>();
  for (const event of until) {
    then = evolveReport(then, event);
    for (const each of ownNumbers(toWire(then))) own.add(each);
  }
  const texts = new Set(until.flatMap(readableTexts));
  const found = [...texts]
    .filter((text) => !own.has(text))
    .flatMap((text) =>
      findPrivateText(text, { own: [...own] }).map(({ start, end }) => text.slice(start, end)),
    );
  const maskable = found.filter(isMaskable);
  if (maskable.length === 0)
    throw new DomainError(
      "conflict",
      "Nothing in this report looks private. Select the text to mask first.",
    );
  return maskable;
}

/** A version whose texts were masked cannot be brought back. */
export function refuseMasked(then: ReportState): void {
  if (then.masked.length > 0)
    throw new DomainError(
      "conflict",
      "Texts of this version have been masked. It can't be restored.",
    );
}
