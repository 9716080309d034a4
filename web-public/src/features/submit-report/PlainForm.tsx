import { useState } from "react";
import { REPORT_TYPES, type ReportType } from "#contracts/report/words.ts";
import { Button } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import { newIdempotencyKey } from "../../lib/idempotency-key.ts";
import { KEY } from "../../lib/plain-fields.ts";
import { SHOWN_TERMS } from "./plain-form.ts";

/** What the form can do without JavaScript, and the way to that of the other type. */
export function PlainFormNote({ type }: { type: ReportType }) {
  const other: ReportType = type === "chargeback" ? "bad_check" : "chargeback";
  return (
    <noscript>
      <Notice tone="warning">
        <p>
          Without JavaScript the form works, but you can't add evidence or additional chargebacks.{" "}
          <a href={`${paths.submitReport}?type=${other}`}>
            Report a {REPORT_TYPES[other].toLowerCase()} instead
          </a>
        </p>
      </Notice>
    </noscript>
  );
}

/**
 * The button of a form without JavaScript, the key under which it is sent, and the terms that it shows.
 */
export function PlainSubmit({ formKey, terms }: { formKey?: string; terms: string }) {
  const [key] = useState(() => formKey ?? newIdempotencyKey());
  return (
    <>
      {/* Also for a form that is sent before the scripts run. */}
      <input type="hidden" name={SHOWN_TERMS} value={terms} />
      <noscript>
        <input type="hidden" name={KEY} value={key} />
        <Button type="submit">Submit Report</Button>
      </noscript>
    </>
  );
}
