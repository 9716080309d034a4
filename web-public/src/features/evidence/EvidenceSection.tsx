import { type Dispatch, useCallback, useRef, useState } from "react";
import { MOST_FILES } from "#contracts/report/evidence-rules.ts";
import { Button } from "../../components/Button.tsx";
import { useSiteConfig } from "../../config/site-config.tsx";
import { ACCEPTED, fileProblem, limitsInWords, nameOf } from "./choose-files.ts";
import styles from "./Evidence.module.css";
import { EvidenceRow } from "./EvidenceRow.tsx";
import { leftOutInWords, outcomeInWords } from "./evidence-news.ts";
import type { EvidenceAction, EvidenceItem } from "./evidence-state.ts";
import { useDroppedFiles } from "./use-dropped-files.ts";
import { useSending } from "./use-sending.ts";

/** Adds files by drop, paste or choice, sends them at once, and shows how far each is. */
export default function EvidenceSection(props: {
  readonly items: readonly EvidenceItem[];
  readonly dispatch: Dispatch<EvidenceAction>;
  /** What the form says against the file at this place. */
  readonly problemOf: (index: number) => string | undefined;
  /** Id of the control of the file at this place. */
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
      const taken = files.slice(0, MOST_FILES - count);
      const added = taken.map((file) => newItem(file, nextKey.current++, maxFileSize));
      dispatch({ type: "add", items: added });
      setNews(leftOutInWords(files.length - taken.length));
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
          <strong>Drop files here</strong>, paste a picture, or choose them.
        </p>
        <Button
          ref={choose}
          kind="secondary"
          aria-describedby="evidence-limits"
          aria-disabled={count >= MOST_FILES}
          onClick={() => count < MOST_FILES && picker.current?.click()}
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
          {limitsInWords(maxFileSize)}
        </p>
      </div>
      <p role="status" className={styles.news}>
        {[news, outcomeInWords(items)].filter(Boolean).join(" ")}
      </p>
      {count > 0 && (
        <ul className={styles.files} aria-label="Files of this report">
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

function newItem(file: File, key: number, most: number): EvidenceItem {
  const problem = fileProblem(file, most);
  return {
    key,
    name: nameOf(file),
    bytes: file.size,
    file,
    progress: problem ? { state: "failed", problem, retryable: false } : { state: "waiting" },
  };
}
