import { type Dispatch, lazy, Suspense, useEffect, useState } from "react";
import formStyles from "../submit-report/FormSections.module.css";
import { controlId } from "../submit-report/problems.ts";
import type { EvidenceAction, EvidenceItem } from "./evidence-state.ts";

const EvidenceSection = lazy(() => import("./EvidenceSection.tsx"));

/** The form's file section. Loaded only in the browser, after the form. */
export function EvidenceField(props: {
  readonly items: readonly EvidenceItem[];
  readonly dispatch: Dispatch<EvidenceAction>;
  readonly problemOf: (path: string) => string | undefined;
}) {
  const { items, dispatch, problemOf } = props;
  const [isBrowser, setIsBrowser] = useState(false);
  useEffect(() => setIsBrowser(true), []);
  const problem = problemOf("evidence");
  return (
    <fieldset className={formStyles.section}>
      <legend>
        <h2>Evidence</h2>
      </legend>
      <p className={formStyles.lead}>
        Add invoices, receipts, messages or a picture of the check. Moderators review the files. We
        don't publish a file unless a moderator decides to. We store files encrypted, and drafts
        don't include them.
      </p>
      <div className={formStyles.fields} id={controlId("evidence")} tabIndex={-1}>
        <noscript>
          <p>Adding files requires JavaScript. You can submit the report without them.</p>
        </noscript>
        {isBrowser && (
          <Suspense fallback={<p>Loading…</p>}>
            <EvidenceSection
              items={items}
              dispatch={dispatch}
              problemOf={(index) => problemOf(`evidence.${index}`)}
              idOf={(index) => controlId(`evidence.${index}`)}
            />
          </Suspense>
        )}
        {problem && <p className={formStyles.problem}>{problem}</p>}
      </div>
    </fieldset>
  );
}
