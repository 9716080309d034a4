import { Button } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { formatMinute } from "../../lib/format.ts";
import styles from "./SubmitReportPage.module.css";

const LEFT_OUT = "Card, bank and contact details are never kept";

/** Says that the form was filled in from a draft. */
export function RestoredDraft(props: { savedAt: number; onDiscard: () => void }) {
  return (
    <Notice tone="info" role="status">
      <p>
        We restored your draft of {formatMinute(props.savedAt)}. {LEFT_OUT}: please enter them
        again.
      </p>
      <Button kind="secondary" onClick={props.onDiscard}>
        Discard draft
      </Button>
    </Notice>
  );
}

/** Says that what is typed stays in this browser, below the form. */
export function KeptDraft({ onDiscard }: { onDiscard: () => void }) {
  return (
    <div className={styles.draft}>
      <p>A draft stays in this browser for seven days, or until you sign out. {LEFT_OUT}.</p>
      <Button kind="quiet" onClick={onDiscard}>
        Discard draft
      </Button>
    </div>
  );
}
