import type { InquiryStep } from "#contracts/http/admin-inquiries.ts";
import { paths } from "../config/paths.ts";
import { stepInWords } from "./inquiry-words.ts";
import { type ShownStep, Steps } from "./Steps.tsx";

/** What was done about an inquiry, the newest first, with the notes in full. */
export function InquirySteps({ steps }: { readonly steps: readonly InquiryStep[] }) {
  return <Steps steps={steps.map(shown)} />;
}

function shown(step: InquiryStep): ShownStep {
  const { revision, at, by, type, text, report_id } = step;
  return {
    revision,
    at,
    by,
    words: stepInWords(step),
    to: report_id && paths.report(report_id),
    text: type === "note" ? (text ?? "Erased") : undefined,
  };
}
