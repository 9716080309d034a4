import { DomainError, refusalOf } from "#contracts/domain-error.ts";
import { type ReportEvent, streams } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { textAt } from "#contracts/events/report/report-texts.ts";
import { toWire } from "#contracts/events/report/stored-report.ts";
import type { ModerationBody } from "#contracts/http/moderation.ts";
import { findPrivateText } from "#contracts/report/private-text/find-private-text.ts";
import { isMaskable, MIN_CHARACTERS, masker } from "#contracts/report/private-text/mask-places.ts";
import { ownNumbers } from "#contracts/report/private-text/private-texts.ts";
import { rejectionText } from "#contracts/report/words.ts";
import { reportOfTextKey } from "#contracts/sealed.ts";
import { openStream, type StreamDeps } from "#vault/open-stream.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { maskedSince, type PrivateTexts } from "./report.mask.ts";
import { noRevision } from "./report.restore.ts";

/**
 * Finds the private texts in a revision, and the keys of the events that contain them.
 * @param body places, or none to mask everything that looks private, including in earlier versions. Places refer
 *   to the text of that revision, so what gets masked is what the sender saw, regardless of later edits.
 * @throws {DomainError} `not_found` for an unknown revision; `invalid_request` for an invalid place; `conflict`
 *   for a place that is already masked.
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

/** Free texts of an event whose key still exists. */
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
    rejection_reason: rejectionText(then.rejection_reason, then.rejection_code),
    reason: reasonOf(last),
  };
  return places.map(({ field, start, end }, i) => {
    if (then.masked.includes(field.split(".")[0] as string)) throw maskedSince();
    const place = textAt(shown, field)?.slice(start, end) ?? "";
    if (isMaskable(place)) return place;
    const problem = `Select at least ${MIN_CHARACTERS} letters or digits`;
    throw refusalOf({ [`places.${i}`]: problem });
  });
}

/** The event's reason, as the history shows it. */
function reasonOf({ data }: ReportEvent): string | undefined {
  const { personal } = data as { readonly personal?: { readonly reason?: string } | null };
  return personal?.reason;
}

/** Everything the detector flags in any text of the report and around it, including in earlier versions. */
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

/** Refuses to restore a version whose texts were masked. */
export function refuseMasked(then: ReportState): void {
  if (then.masked.length > 0)
    throw new DomainError(
      "conflict",
      "Texts of this version have been masked. It can't be restored.",
    );
}
