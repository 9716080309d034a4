import { useState } from "react";
import { Button } from "../../../components/Button.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { useSiteConfig } from "../../../config/site-config.tsx";
import { saveFile } from "../../../lib/save-file.ts";
import styles from "./TwoFactor.module.css";

/** New recovery codes, which nothing shows a second time. */
export function RecoveryCodes(props: {
  codes: readonly string[];
  email: string;
  onDone: () => void;
}) {
  const { codes, email, onDone } = props;
  const { productName } = useSiteConfig();
  const [said, setSaid] = useState("");
  const title = `Recovery codes of ${email} for ${productName}`;
  const copy = () =>
    navigator.clipboard.writeText(codes.join("\n")).then(
      () => setSaid("Copied."),
      () => setSaid("Your browser doesn't allow this. Select the codes and copy them."),
    );
  return (
    <div className={styles.codes}>
      <Notice tone="warning">
        <p>
          Keep these recovery codes where you can find them without your phone. You can use each one
          once instead of a code from your app. We won't show them again.
        </p>
      </Notice>
      <h3>{title}</h3>
      <ol>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={styles.actions}>
        <Button kind="secondary" onClick={() => void copy()}>
          Copy
        </Button>
        <Button kind="secondary" onClick={() => download(title, codes)}>
          Download
        </Button>
        <Button kind="secondary" onClick={() => window.print()}>
          Print
        </Button>
        <Button onClick={onDone}>I've Saved My Codes</Button>
      </div>
      <p role="status">{said}</p>
    </div>
  );
}

function download(title: string, codes: readonly string[]): void {
  saveFile("recovery-codes.txt", `${title}\n\n${codes.join("\n")}\n`, "text/plain");
}
