import { textsAt } from "#contracts/events/report/report-texts.ts";
import type { ModerationBody } from "#contracts/http/moderation.ts";
import { isMaskable } from "#contracts/report/private-text/mask-places.ts";

/**
 * What is masked: the selected text where one of the report's texts has it, else all that looks private.
 * @param report as it is shown.
 */
export function maskBody(
  report: { readonly revision: number },
  selection: string,
): ModerationBody<"mask"> {
  const { revision } = report;
  const selected = selection.trim();
  const holder = isMaskable(selected)
    ? textsAt(report as Readonly<Record<string, unknown>>).find(({ text }) =>
        text.includes(selected),
      )
    : undefined;
  if (!holder) return { revision };
  const start = holder.text.indexOf(selected);
  return { revision, places: [{ field: holder.path, start, end: start + selected.length }] };
}
