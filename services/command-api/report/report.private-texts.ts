import { DomainError } from "#contracts/domain-error.ts";
import { type ReportEvent, streams } from "#contracts/events/index.ts";
import { evolveReport, type ReportState } from "#contracts/events/report/report-fold.ts";
import { MASKED_TEXT, textAt, textsAt } from "#contracts/events/report/report-texts.ts";
import { toWire } from "#contracts/events/report/report-wire.ts";
import type { ModerationBody } from "#contracts/http/moderation.ts";
import { findPrivateText } from "#contracts/report/private-text/find-private-text.ts";
import {
  FEWEST_CHARACTERS,
  isMaskable,
  masker,
} from "#contracts/report/private-text/mask-places.ts";
import { ownNumbers } from "#contracts/report/private-text/private-texts.ts";
import { reportOfTextKey } from "#contracts/sealed.ts";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { registryCodec } from "#vault/sealing/registry-codec.ts";
import { maskedSince, type PrivateTexts } from "./report.mask.ts";
import { noRevision } from "./report.restore.ts";

/**
 * Reads the private texts at their places in a revision, and which events have them.
 * @param body places, or none for all that look private. Each is a place in the text as it was at the revision: whatever
 *   was edited since, what is masked is what its sender saw.
 * @throws {DomainError} `not_found` for an unknown revision; `invalid_request` for a place that is none;
 *   `conflict` for one that is masked.
 */
export async function privateTexts(
  id: string,
  body: ModerationBody<"mask">,
  {
    store,
    keys,
  }: { readonly store: Pick<EventStore, "readStream">; readonly keys: Pick<KeyStore, "get"> },
): Promise<PrivateTexts> {
  const stored: StoredEvent[] = [];
  for await (const event of store.readStream(streams.report(id))) stored.push(event);
  const found = await keys.get(registryCodec.subjectsOf(stored));
  const opened = stored.map((event) => registryCodec.openEvent(event, found) as ReportEvent);
  let then: ReportState | undefined;
  for (const event of opened.slice(0, body.revision + 1)) then = evolveReport(then, event);
  if (!then || body.revision >= opened.length) throw noRevision(body.revision);
  const texts = body.places ? textsOfPlaces(then, body.places) : textsThatLookPrivate(then);
  const mask = masker(texts);
  const having = stored.filter((_event, i) =>
    registryCodec.textsOf(opened[i] as ReportEvent).some((text) => mask(text) !== text),
  );
  return { texts, keys: registryCodec.subjectsOf(having).filter(reportOfTextKey) };
}

function textsOfPlaces(
  then: ReportState,
  places: NonNullable<ModerationBody<"mask">["places"]>,
): string[] {
  const report = toWire(then);
  return places.map(({ field, start, end }, i) => {
    const text = textAt(report, field);
    if (text === MASKED_TEXT) throw maskedSince();
    const place = text?.slice(start, end) ?? "";
    if (isMaskable(place)) return place;
    const problem = `Select at least ${FEWEST_CHARACTERS} letters or digits`;
    throw new DomainError("invalid_request", problem, { [`places.${i}`]: problem });
  });
}

/** What the detector marks in any text of the report. */
function textsThatLookPrivate(then: ReportState): string[] {
  const report = toWire(then);
  const own = ownNumbers(report);
  const found = textsAt(report).flatMap(({ text }) =>
    findPrivateText(text, { own }).map(({ start, end }) => text.slice(start, end)),
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
  if (textsAt(toWire(then)).some(({ text }) => text === MASKED_TEXT))
    throw new DomainError(
      "conflict",
      "Texts of this version have been masked. It can't be restored.",
    );
}
