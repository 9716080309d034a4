import { useState } from "react";
import { ReportRecord } from "../report-record/ReportRecord.tsx";
import type { FormState } from "./form-state.ts";
import { previewOf } from "./preview.ts";
import styles from "./SubmitReportPage.module.css";

/** What the public will see of this report once it is approved. */
export function Preview({ state }: { state: FormState }) {
  const [open, setOpen] = useState(false);
  return (
    <details
      className={`${styles.preview} needs-script`}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>Preview: what the public will see</summary>
      {open && <PreviewRecord state={state} />}
    </details>
  );
}

function PreviewRecord({ state }: { state: FormState }) {
  const [now] = useState(() => new Date().toISOString());
  const report = previewOf(state, now);
  const name = `${report.first_name} ${report.last_name}`.trim();
  return (
    <div className={styles.previewBody}>
      <h3>{name || "Name of the person"}</h3>
      <p>{report.title}</p>
      <p className={styles.previewNote}>
        Reported, not independently verified. Reported by{" "}
        {report.public_username ?? "an unnamed company"}.
      </p>
      <ReportRecord report={report} level={4} />
    </div>
  );
}
