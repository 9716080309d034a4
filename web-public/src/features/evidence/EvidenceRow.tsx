import { useEffect, useRef } from "react";
import { FILE_TYPES } from "#contracts/report/evidence-rules.ts";
import { Button } from "../../components/Button.tsx";
import { sizeText } from "./choose-files.ts";
import styles from "./Evidence.module.css";
import type { EvidenceItem } from "./evidence-state.ts";

const BROKEN = "The connection was lost. Trying again…";

/** One file: name, progress, and buttons to retry and remove it. */
export function EvidenceRow(props: {
  readonly id: string;
  readonly item: EvidenceItem;
  /** The server's error about the file. */
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
              : `${upload ? FILE_TYPES[upload.type] : stateInWords(progress)}, ${sizeText(bytes)}`}
          </span>
        )}
        {progress.state === "sending" && (
          <progress max={1} value={progress.share} aria-label={`Uploading ${name}`} />
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
      return `Uploading, ${Math.round(progress.share * 100)}%`;
    case "checking":
      return "Checking";
    default:
      return "Waiting";
  }
}

/**
 * The server's preview of a picture, drawn on a canvas because the page's CSP blocks `data:` pictures.
 * @param preview WebP in base64; absent for a PDF and until the file is stored.
 */
function Thumbnail({ preview, label }: { preview: string | undefined; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!preview) return;
    let isCurrent = true;
    void draw(preview, () => (isCurrent ? canvas.current : null)).catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [preview]);
  return (
    <span className={styles.thumbnail} aria-hidden="true">
      {preview ? <canvas ref={canvas} /> : label}
    </span>
  );
}

async function draw(preview: string, target: () => HTMLCanvasElement | null): Promise<void> {
  const bytes = Uint8Array.from(atob(preview), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/webp" }));
  const canvas = target();
  if (canvas) {
    canvas.width = picture.width;
    canvas.height = picture.height;
    canvas.getContext("2d")?.drawImage(picture, 0, 0);
  }
  picture.close();
}
