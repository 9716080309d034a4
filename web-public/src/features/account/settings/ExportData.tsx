import { useEffect, useRef, useState } from "react";
import { EXPORT_MINUTES } from "#contracts/account/deadlines.ts";
import { ApiError, sentenceOf } from "../../../api/client.ts";
import { type Export, exportData, exportFile, type ListedFile } from "../../../api/export-data.ts";
import { Button } from "../../../components/Button.tsx";
import { Failure, Notice } from "../../../components/Notice.tsx";
import { saveFile } from "../../../lib/save-file.ts";
import { useAccountClient, useStore } from "../../../session/session-store-of.ts";
import { sizeText } from "../../evidence/choose-files.ts";
import { useProof } from "../use-proof.tsx";
import styles from "./AccountSettings.module.css";
import { SettingsSection } from "./SettingsSection.tsx";

const FAILED = "We couldn't prepare your data. Please try again.";
const TOO_OFTEN = "You can download your data five times a day. Please try again later.";

type State =
  | { readonly name: "rest" }
  | ({ readonly name: "done" } & Pick<Export, "files" | "token">)
  | { readonly name: "busy"; readonly reports: number }
  | { readonly name: "failed"; readonly why: string };

/** Downloads a copy of the account's data. */
export function ExportData() {
  const api = useAccountClient();
  const proof = useProof();
  const [state, setState] = useState<State>({ name: "rest" });
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);

  async function save() {
    if (state.name === "busy") return;
    const { signal } = leaving.current;
    setState({ name: "busy", reports: 0 });
    try {
      const onProgress = (reports: number) => setState({ name: "busy", reports });
      const made = await exportData(api, proof.run, onProgress, signal);
      if (!made) return setState({ name: "rest" });
      const { data, files, token } = made;
      const name = `my-data-${data.exported_at.slice(0, 10)}.json`;
      saveFile(name, `${JSON.stringify(data, null, 2)}\n`, "application/json");
      setState({ name: "done", files, token });
    } catch (error) {
      if (signal.aborted) return;
      const isTooOften = error instanceof ApiError && error.status === 429;
      setState({ name: "failed", why: isTooOften ? TOO_OFTEN : sentenceOf(error, FAILED) });
    }
  }

  const isBusy = state.name === "busy";
  return (
    <SettingsSection title="Your Data">
      <p>A copy of your data in one file (JSON):</p>
      <ul className={styles.holds}>
        <li>your profile, your settings, and your previous email addresses</li>
        <li>your account's activity and all its sessions, including browser and IP address</li>
        <li>your reports as you submitted them, their status, and those you added later</li>
        <li>what you sent us with our forms while signed in</li>
      </ul>
      <p>
        When it's ready, the files you added will be listed here for you to download. Your password
        and your two-factor authentication secret aren't included.
      </p>
      <div role="status">
        {state.name === "done" && (
          <Notice tone="success">
            <p>Your data has been downloaded.</p>
          </Notice>
        )}
        {state.name === "busy" && state.reports > 0 && <p>Reports so far: {state.reports}</p>}
      </div>
      <Failure text={state.name === "failed" ? state.why : null} />
      <div>
        <Button kind="secondary" aria-disabled={isBusy} onClick={() => void save()}>
          {isBusy ? "Preparing Your Data…" : "Download My Data"}
        </Button>
      </div>
      {state.name === "done" && state.files.length > 0 && (
        <ExportedFiles files={state.files} token={state.token} />
      )}
      {proof.dialog}
    </SettingsSection>
  );
}

const EXPORTED_FILES_FAILED = "We couldn't download the file. Please try again.";
const GONE = "This file has since been erased.";

function ExportedFiles({ files, token }: Pick<Export, "files" | "token">) {
  const store = useStore();
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
      // A generic type, so that no browser opens it as a page.
      saveFile(listed.name, content, "application/octet-stream");
      setSaid({ tone: "success", text: `${listed.name} has been downloaded.` });
    } catch (error) {
      if (signal.aborted) return;
      const isGone = error instanceof ApiError && error.status === 404;
      setSaid({ tone: "error", text: isGone ? GONE : sentenceOf(error, EXPORTED_FILES_FAILED) });
    } finally {
      setBusy(null);
    }
  }

  return (
    <>
      <h3>Your Files</h3>
      <p>You have {EXPORT_MINUTES} minutes to download the files you added.</p>
      <ul className={styles.sessions}>
        {files.map((listed, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
          <li key={index}>
            <div className={styles.file}>
              <p>{listed.name}</p>
              <p>{sizeText(listed.bytes)}</p>
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
      <Failure text={said?.tone === "error" ? said.text : null} />
      {proof.dialog}
    </>
  );
}
