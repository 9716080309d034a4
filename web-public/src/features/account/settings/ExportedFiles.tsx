import { useEffect, useRef, useState } from "react";
import { EXPORT_MINUTES } from "#contracts/account/deadlines.ts";
import { ApiError } from "../../../api/client.ts";
import { type Export, exportFile, type ListedFile } from "../../../api/export-data.ts";
import { Button } from "../../../components/Button.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { saveFile } from "../../../lib/save-file.ts";
import { storeOf } from "../../../session/session-store-of.ts";
import { useSiteSession } from "../../../session/site-session.ts";
import { sizeInWords } from "../../evidence/choose-files.ts";
import { useProof } from "../use-proof.tsx";
import styles from "./AccountSettings.module.css";
import { sentenceOf } from "./settings-words.ts";

const FAILED = "We couldn't download the file. Please try again.";
const GONE = "This file has been erased in the meantime.";

/** The files of an export, each downloaded by its own button. */
export function ExportedFiles({ files, token }: Pick<Export, "files" | "token">) {
  const store = storeOf(useSiteSession());
  const proof = useProof();
  const [busy, setBusy] = useState<ListedFile | null>(null);
  const [said, setSaid] = useState<{ tone: "success" | "error"; text: string } | null>(null);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);

  async function save(listed: ListedFile) {
    if (busy) return;
    const { signal } = leaving.current;
    setBusy(listed);
    setSaid(null);
    try {
      const body = { export: token, file: listed.file };
      const content = await proof.run(() => exportFile(store, body, signal));
      if (!content) return;
      // Never opened as a page, whatever is in it.
      saveFile(listed.name, content, "application/octet-stream");
      setSaid({ tone: "success", text: `${listed.name} has been downloaded.` });
    } catch (error) {
      if (signal.aborted) return;
      const isGone = error instanceof ApiError && error.status === 404;
      setSaid({ tone: "error", text: isGone ? GONE : sentenceOf(error, FAILED) });
    } finally {
      setBusy(null);
    }
  }

  return (
    <>
      <h3>Your Files</h3>
      <p>You can download each file that you added within {EXPORT_MINUTES} minutes.</p>
      <ul className={styles.sessions}>
        {files.map((listed, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
          <li key={index}>
            <div className={styles.file}>
              <p>{listed.name}</p>
              <p>{sizeInWords(listed.bytes)}</p>
            </div>
            <Button
              kind="secondary"
              aria-disabled={busy !== null}
              aria-label={`Download ${listed.name}`}
              onClick={() => void save(listed)}
            >
              {busy === listed ? "Downloading…" : "Download"}
            </Button>
          </li>
        ))}
      </ul>
      <div role="status">
        {said?.tone === "success" && (
          <Notice tone="success">
            <p>{said.text}</p>
          </Notice>
        )}
      </div>
      {said?.tone === "error" && (
        <Notice tone="error" role="alert">
          <p>{said.text}</p>
        </Notice>
      )}
      {proof.dialog}
    </>
  );
}
