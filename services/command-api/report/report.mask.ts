import { DomainError } from "#contracts/domain-error.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { mapTexts, pickTexts, textsAt } from "#contracts/events/report/report-texts.ts";
import { toWire } from "#contracts/events/report/report-wire.ts";
import { masker } from "#contracts/report/private-text/mask-places.ts";
import type { PreparedReportCommand } from "./report.commands.ts";
import { existing } from "./report.decider.ts";

/** What is masked, and the keys of the events that have it. */
export interface PrivateTexts {
  readonly texts: readonly string[];
  readonly keys: readonly string[];
}

/**
 * Decides that private texts are masked. The event has every free text of the report, since those that the
 * destroyed keys sealed can be read nowhere else.
 */
export function maskText(
  state: ReportState | undefined,
  { masked }: Extract<PreparedReportCommand, { type: "MaskText" }>,
): ReportEvent[] {
  const report = existing(state);
  const { personal, reporter } = report;
  if (!personal)
    throw new DomainError("report_deleted", "The personal data of this report was erased");
  if (!masked || masked.keys.length === 0) throw maskedSince();
  const mask = masker(masked.texts);
  const before = textsAt(toWire(report));
  const fields = before
    .filter(({ text }) => mask(text) !== text)
    .map(({ path }) => path.split(".")[0]);
  return [
    {
      type: "ReportTextMasked",
      data: {
        fields: [...new Set(fields)] as string[],
        keys: [...masked.keys],
        personal: { set: mapTexts(pickTexts(personal), mask) },
        ...(reporter?.public_username
          ? { reporter: { set: mapTexts(pickTexts(reporter), mask) } }
          : {}),
      },
    },
  ];
}

/** The refusal of a text that another command has masked. */
export function maskedSince(): DomainError {
  return new DomainError("conflict", "This text has been masked in the meantime.");
}
