import { type Dispatch, useEffect, useRef, useState } from "react";
import { useFetcher } from "react-router-dom";
import type { SubmitReport } from "#contracts/http/reports.ts";
import { paths } from "../../config/paths.ts";
import type { EvidenceItem } from "../evidence/evidence-state.ts";
import type { FormAction, FormState } from "./form-state.ts";
import type { toPayload } from "./payload.ts";
import type { Submission } from "./report.action.ts";
import type { SubmissionResult } from "./submit-to.ts";

/** A submitted report, and the address for its emails. */
export interface Submitted
  extends Omit<Extract<SubmissionResult, { state: "submitted" }>, "state"> {
  readonly email: string;
}

interface Sent {
  readonly state: FormState;
  readonly evidence: readonly EvidenceItem[];
}

/** Submits the form and holds the result. */
export function useSubmission(
  state: FormState,
  evidence: readonly EvidenceItem[],
  dispatch: Dispatch<FormAction>,
  onSubmitted: (submitted: Submitted) => void,
  first: SubmissionResult | undefined,
) {
  const fetcher = useFetcher<SubmissionResult>();
  const [sent, setSent] = useState<Sent | null>(first ? { state, evidence } : null);
  const [answers, setAnswers] = useState(0);
  const result = fetcher.data ?? first;
  const email = useRef("");
  useEffect(() => {
    if (!result) return;
    setAnswers((count) => count + 1);
    if (result.state === "submitted") onSubmitted({ ...result, email: email.current });
    const isOutdated = result.state === "refused" && result.fields.terms_accepted;
    if (isOutdated) dispatch({ type: "terms-changed" });
  }, [result, dispatch, onSubmitted]);
  return {
    isRunning: fetcher.state !== "idle",
    answers,
    /** Why the last attempt failed; undefined if it didn't. */
    problem: result && result.state !== "submitted" ? sentence(result) : undefined,
    /** The server's errors for fields that haven't changed since. */
    refusal(now: FormState, files: readonly EvidenceItem[]) {
      if (result?.state !== "refused" || !sent) return undefined;
      const fields = Object.entries(result.fields).filter(([path]) =>
        path.startsWith("evidence") ? sent.evidence === files : unchanged(path, sent.state, now),
      );
      return { fields: Object.fromEntries(fields) };
    },
    send(payload: ReturnType<typeof toPayload>, idempotencyKey: string) {
      setSent({ state, evidence });
      email.current = String(payload.reporter_email);
      // The form's own validation checked the payload against the schema.
      const submission: Submission = {
        payload: payload as unknown as SubmitReport,
        idempotencyKey,
      };
      void fetcher.submit(JSON.parse(JSON.stringify(submission)), {
        method: "post",
        action: paths.submitReport,
        encType: "application/json",
      });
    },
  };
}

function sentence(result: Exclude<SubmissionResult, { state: "submitted" }>): string {
  if (result.state === "refused") return result.message;
  return `${result.message.replace(/[.!]$/, "")}. Nothing you entered is lost. Check your connection and select Submit Report again. It won't be submitted twice.`;
}

function unchanged(path: string, before: FormState, now: FormState): boolean {
  if (path.startsWith("chargebacks")) return before.items === now.items;
  if (path === "terms_accepted") return before.termsAccepted === now.termsAccepted;
  const field = path as keyof FormState["fields"];
  return before.fields[field] === now.fields[field];
}
