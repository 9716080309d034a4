import { FILE_TYPES } from "#contracts/report/evidence-rules.ts";
import { Button } from "../../components/Button.tsx";
import { sizeInWords } from "./choose-files.ts";
import styles from "./Evidence.module.css";
import type { EvidenceItem } from "./evidence-state.ts";
import { Thumbnail } from "./Thumbnail.tsx";

const BROKEN = "The connection was lost. Trying again…";

/** One file: what it is, how far it is, and how to be rid of it. */
export function EvidenceRow(props: {
  readonly id: string;
  readonly item: EvidenceItem;
  /** What the server says against it. */
  readonly refusal: string | undefined;
  readonly onRemove: () => void;
  readonly onRetry: () => void;
}) {
  const { item, refusal } = props;
  const { name, bytes, progress } = item;
  const upload = progress.state === "stored" ? progress.upload : undefined;
  const problem = progress.state === "failed" ? progress.problem : refusal;
  return (
    <li className={styles.file} data-state={problem ? "failed" : progress.state}>
      <Thumbnail preview={upload?.preview} label={/\.pdf$/i.test(name) ? "PDF" : "…"} />
      <div className={styles.about}>
        <span className={styles.name}>{name}</span>
        {problem ? (
          <span className={styles.problem}>{problem}</span>
        ) : (
          <span className={styles.state}>
            {progress.state === "broken"
              ? BROKEN
              : `${upload ? FILE_TYPES[upload.type] : stateInWords(progress)}, ${sizeInWords(bytes)}`}
          </span>
        )}
        {progress.state === "sending" && (
          <progress max={1} value={progress.share} aria-label={`Sending ${name}`} />
        )}
      </div>
      <div className={styles.actions}>
        {progress.state === "failed" && progress.retryable && (
          <Button kind="quiet" onClick={props.onRetry}>
            Try again<span className="visually-hidden"> to add {name}</span>
          </Button>
        )}
        <Button id={props.id} kind="quiet" onClick={props.onRemove}>
          Remove<span className="visually-hidden"> {name}</span>
        </Button>
      </div>
    </li>
  );
}

function stateInWords(progress: EvidenceItem["progress"]): string {
  switch (progress.state) {
    case "sending":
      return `Sending, ${Math.round(progress.share * 100)} %`;
    case "checking":
      return "Checking";
    default:
      return "Waiting";
  }
}
