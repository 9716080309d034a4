import { useRef, useState } from "react";
import { encode } from "uqr";
import type { User } from "#contracts/http/account.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { Problems } from "#contracts/report/submission-rules.ts";
import { useAction } from "../../../api/use-action.ts";
import { Button } from "../../../components/Button.tsx";
import { Failure, Notice } from "../../../components/Notice.tsx";
import { useSiteConfig } from "../../../config/site-config.tsx";
import { formatCount } from "../../../lib/format.ts";
import { saveFile } from "../../../lib/save-file.ts";
import {
  keepTokens,
  type NewTokens,
  refreshAccount,
  useAccountClient,
  useStore,
} from "../../../session/session-store-of.ts";
import { AccountForm } from "../AccountPage.tsx";
import { TextField } from "../TextField.tsx";
import { useAccountForm, useFocusInside } from "../use-account-form.ts";
import { type Proof, useProof } from "../use-proof.tsx";
import { SettingsSection } from "./SettingsSection.tsx";
import styles from "./TwoFactor.module.css";

interface Authenticator {
  /** Base32, for typing in. */
  readonly secret: string;
  /** An `otpauth://` URI, for a QR code or a link. */
  readonly uri: string;
}

interface NewCodes {
  readonly recovery_codes: readonly string[];
}

const PATH = "/api/auth/two-factor";

type Step =
  | { readonly name: "rest"; readonly said?: string }
  | { readonly name: "set_up"; readonly authenticator: Authenticator }
  | { readonly name: "codes"; readonly codes: readonly string[] }
  | { readonly name: "switch_off" };

const FAILED = {
  set_up: "We couldn't set up two-factor authentication. Please try again.",
  codes: "We couldn't replace the recovery codes. Please try again.",
  switch_off: "We couldn't turn off two-factor authentication. Please try again.",
} as const;

/** At or below this number of recovery codes, the page suggests new ones. */
const FEW_CODES = 2;

/** Two-factor authentication: setup, new recovery codes, turning it off. */
export function TwoFactor(props: { user: User; onChanged: () => void }) {
  const { user, onChanged } = props;
  const { email, recovery_codes_left: codesLeft } = user;
  const isOn = user.two_factor === true;
  const isLow = codesLeft !== undefined && codesLeft <= FEW_CODES;
  const store = useStore();
  const api = useAccountClient();
  const { isBusy, failure, run } = useAction(FAILED.set_up);
  const proof = useProof();
  const heading = useRef<HTMLHeadingElement>(null);
  const [step, setStep] = useState<Step>({ name: "rest" });

  const go = (next: Step) => {
    setStep(next);
    // The pressed button disappears.
    heading.current?.focus();
  };
  const changed = () => {
    onChanged();
    void refreshAccount(store);
  };
  const setUp = () =>
    run(async () => {
      const reply = await proof.run(() => api.post<Authenticator>(`${PATH}/setup`, { body: {} }));
      if (reply?.data) setStep({ name: "set_up", authenticator: reply.data });
    });
  const makeCodes = () =>
    run(async () => {
      const reply = await proof.run((code) =>
        api.post<NewCodes>(`${PATH}/recovery-codes`, { body: omitUndefined({ code }) }),
      );
      if (!reply?.data) return;
      go({ name: "codes", codes: reply.data.recovery_codes });
      void refreshAccount(store);
    }, FAILED.codes);
  const switchOff = () =>
    run(async () => {
      const reply = await proof.run((code) =>
        api.delete<NewTokens>(PATH, { body: omitUndefined({ code }) }),
      );
      if (!reply) return;
      keepTokens(store, reply.data);
      go({ name: "rest", said: "Two-factor authentication is off." });
      changed();
    }, FAILED.switch_off);

  return (
    <SettingsSection title="Two-Factor Authentication" heading={heading}>
      <div role="status">
        {step.name === "rest" && step.said && (
          <Notice tone="success">
            <p>{step.said}</p>
          </Notice>
        )}
      </div>
      <Failure text={failure} />
      {step.name === "rest" &&
        (isOn ? (
          <>
            <p>On. You sign in with your password and a code from your authenticator app.</p>
            {codesLeft !== undefined && <CodesLeft left={codesLeft} isLow={isLow} />}
            <div className={styles.actions}>
              <Button
                kind={isLow ? "primary" : "secondary"}
                aria-disabled={isBusy}
                onClick={() => void makeCodes()}
              >
                New Recovery Codes
              </Button>
              <Button
                kind="secondary"
                aria-disabled={isBusy}
                onClick={() => go({ name: "switch_off" })}
              >
                Turn Off
              </Button>
            </div>
            <p>Generating new codes makes your old ones stop working.</p>
          </>
        ) : (
          <>
            <p>
              Off. Turn it on to require a code from your authenticator app as well as your
              password.
            </p>
            <div>
              <Button kind="secondary" aria-disabled={isBusy} onClick={() => void setUp()}>
                Set Up Two-Factor Authentication
              </Button>
            </div>
          </>
        ))}
      {step.name === "set_up" && (
        <SetUpTwoFactor
          authenticator={step.authenticator}
          proof={proof}
          onDone={(codes) => {
            go({ name: "codes", codes });
            changed();
          }}
          onCancel={() => go({ name: "rest" })}
        />
      )}
      {step.name === "codes" && (
        <RecoveryCodes
          codes={step.codes}
          email={email}
          onDone={() => go({ name: "rest", said: "Two-factor authentication is on." })}
        />
      )}
      {step.name === "switch_off" && (
        <>
          <p>
            Turn off two-factor authentication? You'll be able to sign in with just your password.
          </p>
          <div className={styles.actions}>
            <Button aria-disabled={isBusy} onClick={() => void switchOff()}>
              Turn Off
            </Button>
            <Button kind="secondary" onClick={() => go({ name: "rest" })}>
              Keep It On
            </Button>
          </div>
        </>
      )}
      {proof.dialog}
    </SettingsSection>
  );
}

function CodesLeft({ left, isLow }: { left: number; isLow: boolean }) {
  const count = left === 0 ? "no recovery codes" : formatCount(left, "recovery code");
  if (!isLow) return <p>You have {count} left.</p>;
  return (
    <Notice tone="warning">
      <p>
        <strong>You have {count} left.</strong> Generate new ones so you can still sign in if you
        lose your device.
      </p>
    </Notice>
  );
}

/** New recovery codes, which are shown only once. */
function RecoveryCodes(props: { codes: readonly string[]; email: string; onDone: () => void }) {
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

const EMPTY = { code: "" };

function check({ code }: typeof EMPTY): Problems {
  const isCode = /^\d{6}$/.test(code.replace(/\s/g, ""));
  return isCode ? {} : { code: "Enter the 6-digit code from your app" };
}

/** An authenticator key to scan or type in, and the code that proves it works. */
function SetUpTwoFactor(props: {
  authenticator: Authenticator;
  proof: Proof;
  onDone: (recoveryCodes: readonly string[]) => void;
  onCancel: () => void;
}) {
  const { authenticator, proof, onDone, onCancel } = props;
  const store = useStore();
  const api = useAccountClient();
  const form = useAccountForm({
    initial: EMPTY,
    check,
    async send({ code }) {
      const body = { code: code.replace(/\s/g, "") };
      const reply = await proof.run(() =>
        api.post<NewTokens & NewCodes>(`${PATH}/confirm`, { body }),
      );
      if (!reply) return;
      keepTokens(store, reply.data);
      onDone(reply.data?.recovery_codes ?? []);
    },
    failed: "We couldn't turn on two-factor authentication",
  });
  useFocusInside(form);
  return (
    <>
      <p>
        Scan this code with an authenticator app, such as the one in your password manager, or enter
        the key.
      </p>
      <QrCode text={authenticator.uri} label="QR code for the key below" />
      <p>
        Key: <code className={styles.key}>{authenticator.secret.match(/.{1,4}/g)?.join(" ")}</code>
      </p>
      <p>
        <a className={styles.link} href={authenticator.uri}>
          Open in an app on this device
        </a>
      </p>
      <AccountForm form={form} submit="Turn On" sending="Turning on…" onCancel={onCancel}>
        <TextField
          field={form.field("code")}
          label="Code"
          autoComplete="one-time-code"
          hint="Enter the code your app shows now. Turning it on signs you out everywhere but here."
          maxLength={12}
          required
        />
      </AccountForm>
    </>
  );
}

/** A QR code (ISO/IEC 18004) with its quiet zone, dark on white in every theme. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [[x, y]] : [])));
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join("")} fill="#000" />
    </svg>
  );
}
