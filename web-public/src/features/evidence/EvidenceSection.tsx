import { type Dispatch, useCallback, useEffect, useRef, useState } from "react";
import { MAX_FILES } from "#contracts/report/evidence-rules.ts";
import { Button } from "../../components/Button.tsx";
import { useSiteConfig } from "../../config/site-config.tsx";
import { ACCEPTED, limitsText, newItem } from "./choose-files.ts";
import styles from "./Evidence.module.css";
import { EvidenceRow } from "./EvidenceRow.tsx";
import type { EvidenceAction, EvidenceItem } from "./evidence-state.ts";
import { useSending } from "./use-sending.ts";

/** Adds files by drop, paste or file picker, uploads them immediately, and shows their progress. */
export default function EvidenceSection(props: {
  readonly items: readonly EvidenceItem[];
  readonly dispatch: Dispatch<EvidenceAction>;
  /** The form's error about the file at this index. */
  readonly problemOf: (index: number) => string | undefined;
  /** ID of the control for the file at this index. */
  readonly idOf: (index: number) => string;
}) {
  const { items, dispatch, problemOf, idOf } = props;
  const { maxFileSize } = useSiteConfig();
  const [news, setNews] = useState("");
  const picker = useRef<HTMLInputElement>(null);
  const choose = useRef<HTMLButtonElement>(null);
  const nextKey = useRef(1);
  const { forget } = useSending(items, dispatch);

  const count = items.length;
  const add = useCallback(
    (files: readonly File[]) => {
      const taken = files.slice(0, MAX_FILES - count);
      const added = taken.map((file) => newItem(file, nextKey.current++, maxFileSize));
      dispatch({ type: "add", items: added });
      setNews(skippedText(files.length - taken.length));
    },
    [count, dispatch, maxFileSize],
  );
  const isOver = useDroppedFiles(add);

  function remove(item: EvidenceItem) {
    forget(item);
    dispatch({ type: "remove", key: item.key });
    setNews(`${item.name} was removed.`);
    choose.current?.focus();
  }

  return (
    <>
      <div className={styles.zone} data-over={isOver}>
        <p>
          <strong>Drop files here</strong>, paste a picture, or choose files.
        </p>
        <Button
          ref={choose}
          kind="secondary"
          aria-describedby="evidence-limits"
          aria-disabled={count >= MAX_FILES}
          onClick={() => count < MAX_FILES && picker.current?.click()}
        >
          Choose files
        </Button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          accept={ACCEPTED}
          onChange={(event) => {
            add([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
        <p id="evidence-limits" className={styles.limits}>
          {limitsText(maxFileSize)}
        </p>
      </div>
      <p role="status" className={styles.news}>
        {[news, outcomeText(items)].filter(Boolean).join(" ")}
      </p>
      {count > 0 && (
        <ul className={styles.files} aria-label="Files for this report">
          {items.map((item, index) => (
            <EvidenceRow
              key={item.key}
              id={idOf(index)}
              item={item}
              refusal={problemOf(index)}
              onRemove={() => remove(item)}
              onRetry={() =>
                dispatch({ type: "progress", key: item.key, progress: { state: "waiting" } })
              }
            />
          ))}
        </ul>
      )}
    </>
  );
}

/** Summarizes the outcome once no file is in progress. */
export function outcomeText(items: readonly EvidenceItem[]): string {
  const count = (state: EvidenceItem["progress"]["state"]) =>
    items.filter(({ progress }) => progress.state === state).length;
  const [stored, failed] = [count("stored"), count("failed")];
  if (stored + failed < items.length) return "Uploading files…";
  return [
    ...(stored > 0 ? [`${inFiles(stored)} added.`] : []),
    ...(failed > 0 ? [`${inFiles(failed)} not added.`] : []),
  ].join(" ");
}

/** Says how many of the chosen files were left out; empty if none. */
export function skippedText(left: number): string {
  return left > 0 ? `${inFiles(left)}n't added. A report can have up to ${MAX_FILES} files.` : "";
}

function inFiles(count: number): string {
  return count === 1 ? "1 file was" : `${count} files were`;
}

/**
 * Handles files pasted or dropped anywhere on the page. A file dropped beside the form would otherwise replace
 * the page, and what was typed would be lost.
 * @returns whether files are being dragged over the page.
 */
function useDroppedFiles(add: (files: readonly File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const holdsFiles = (transfer: DataTransfer | null) =>
      transfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (!holdsFiles(event.dataTransfer)) return;
      event.preventDefault();
      setIsOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event.dataTransfer)) return;
      event.preventDefault();
      setIsOver(false);
      add([...(event.dataTransfer?.files ?? [])]);
    };
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      // Copied table cells come as a picture too, but in a field the text is meant.
      const isText = event.clipboardData?.types.includes("text/plain") ?? false;
      if (files.length === 0 || (isText && isField(event.target))) return;
      event.preventDefault();
      add(files);
    };
    const leaving = new AbortController();
    document.addEventListener("dragover", over, leaving);
    document.addEventListener("dragleave", leave, leaving);
    document.addEventListener("drop", drop, leaving);
    document.addEventListener("paste", paste, leaving);
    return () => leaving.abort();
  }, [add]);
  return isOver;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}
