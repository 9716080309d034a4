import type { NoticeStep } from "#contracts/http/admin-notices.ts";
import { paths } from "../config/paths.ts";
import { noticeStepInWords } from "./notice-words.ts";
import { type ShownStep, Steps } from "./Steps.tsx";

/** What was done about a notice, the newest first, with notes and reasons in full. */
export function NoticeSteps({ steps }: { readonly steps: readonly NoticeStep[] }) {
  return <Steps steps={steps.map(shown)} />;
}

function shown(step: NoticeStep): ShownStep {
  const { revision, at, by, type, text, target, notice } = step;
  return {
    revision,
    at,
    by,
    words: noticeStepInWords(step),
    to: target ? paths.report(target.report_id) : notice && paths.notice(notice.id),
    text: text ?? (type === "note" ? "Erased" : undefined),
  };
}
