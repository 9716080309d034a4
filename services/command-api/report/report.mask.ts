import { DomainError } from "#contracts/domain-error.ts";
import type { ReportEvent } from "#contracts/events/index.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import {
  mapTexts,
  type PlacedText,
  pickTexts,
  textsAt,
} from "#contracts/events/report/report-texts.ts";
import { toWire } from "#contracts/events/report/stored-report.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { FIELD_LABELS } from "#contracts/report/derive/fields.ts";
import { masker } from "#contracts/report/private-text/mask-places.ts";
import { ownNumbers, refusedText } from "#contracts/report/private-text/private-texts.ts";
import type { Problems } from "#contracts/report/submission-rules.ts";
import type { CommandOf, PreparedReportCommand } from "./report.commands.ts";
import { requireExisting } from "./report.decider.ts";

/** The texts to mask, and the keys of the events that contain them. */
export interface PrivateTexts {
  readonly texts: readonly string[];
  readonly keys: readonly string[];
}

/** Masks private texts. The event contains every free text, since the ones under destroyed keys become unreadable. */
export function maskText(
  state: ReportState | undefined,
  { masked }: CommandOf<"MaskText">,
): ReportEvent[] {
  const report = requireExisting(state);
  const { personal, reporter } = report;
  if (!personal)
    throw new DomainError("report_deleted", "The personal data of this report was erased");
  if (!masked || masked.keys.length === 0) throw maskedSince();
  const mask = masker(masked.texts);
  const changed = textsAt({ ...report, ...toWire(report) })
    .map(({ path, text }) => ({ path, text: mask(text), was: text }))
    .filter(({ text, was }) => text !== was);
  const fields = changed.map(({ path }) => path.split(".")[0] as string);
  // The report's own fields are in `set`.
  const around = changed.flatMap(({ path, text }) => (isAround(path) ? [{ path, text }] : []));
  const ofReporter = around.filter(({ path }) => path.endsWith(".answer"));
  const others = around.filter((each) => !ofReporter.includes(each));
  const isReason = others.some(({ path }) => path === "rejection_reason");
  return [
    {
      type: "ReportTextMasked",
      data: {
        fields: [...new Set(fields)],
        ...omitUndefined({ rejection_code: isReason ? report.rejection_code : undefined }),
        keys: [...masked.keys],
        personal: { set: mapTexts(pickTexts(personal), mask), ...among(others) },
        ...(reporter?.public_username || ofReporter.length > 0
          ? { reporter: { set: mapTexts(pickTexts(reporter ?? {}), mask), ...among(ofReporter) } }
          : {}),
      },
    },
  ];
}

const among = (around: readonly PlacedText[]) => (around.length > 0 ? { around: [...around] } : {});

/** Whether the text is outside the report's own fields. */
function isAround(path: string): boolean {
  return !((path.split(".")[0] as string) in FIELD_LABELS);
}

/** The error for text that another command has already masked. */
export function maskedSince(): DomainError {
  return new DomainError("conflict", "This text has been masked in the meantime.");
}

/** Free-text fields of commands that are not report fields, with their labels. */
export const COMMAND_TEXTS: Readonly<Record<string, string>> = {
  answer: "Answer",
  note: "Note",
  question: "Question",
  reason: "Reason",
};

/** Problems, by field, with command texts that contain data we never store. Report fields have their own rules. */
export function commandTextProblems(
  state: ReportState | undefined,
  command: PreparedReportCommand,
): Problems {
  const sent: Readonly<Record<string, unknown>> = {
    ...command,
    ...("body" in command ? command.body : {}),
  };
  const problems: Problems = {};
  for (const [field, label] of Object.entries(COMMAND_TEXTS)) {
    const text = sent[field];
    if (typeof text !== "string") continue;
    const problem = refusedText(label, text, state ? ownNumbers(toWire(state)) : []);
    if (problem) problems[field] = problem;
  }
  return problems;
}
