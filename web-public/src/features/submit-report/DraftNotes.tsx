import { DRAFT_DAYS } from "#contracts/retention.ts";
import { Button } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { formatDate, formatOwnMoment } from "../../lib/format.ts";
import styles from "./SubmitReportPage.module.css";
import type { Origin } from "./use-draft.ts";

const LEFT_OUT = "Card, bank and contact details are never saved";

/** Says what the form was filled in from. */
export function FilledIn({ origin, onDiscard }: { origin: Origin; onDiscard: () => void }) {
  const isDraft = origin.kind === "draft";
  return (
    <Notice tone="info" role="status">
      <p>
        {isDraft
          ? `We restored your draft from ${formatOwnMoment(origin.at)}. ${LEFT_OUT}: please enter them again.`
          : `Filled in from the report you submitted on ${formatDate(origin.at)}. Correct it before you submit it again.`}
      </p>
      <p className={styles.discard}>
        <Button kind="secondary" onClick={onDiscard}>
          {isDraft ? "Discard draft" : "Empty the form"}
        </Button>
      </p>
    </Notice>
  );
}

/** Says that what is typed stays in this browser, below the form. */
export function KeptDraft({ onDiscard }: { onDiscard: () => void }) {
  return (
    <div className={styles.draft}>
      <p>
        We save a draft in this browser for {DRAFT_DAYS} days, or until you sign out. {LEFT_OUT}.
      </p>
      <Button kind="quiet" onClick={onDiscard}>
        Discard draft
      </Button>
    </div>
  );
}
