import { useRef, useState } from "react";
import type { User } from "#contracts/http/auth.ts";
import {
  type Authenticator,
  replaceRecoveryCodes,
  setUpTwoFactor,
  switchTwoFactorOff,
} from "../../../api/account-security.ts";
import { Button } from "../../../components/Button.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { formatCount } from "../../../lib/format.ts";
import { accountClient } from "../../../session/account-client.ts";
import { refreshAccount, storeOf } from "../../../session/session-store-of.ts";
import { useSiteSession } from "../../../session/site-session.ts";
import { useProof } from "../use-proof.tsx";
import { keepTokens } from "./keep-tokens.ts";
import { RecoveryCodes } from "./RecoveryCodes.tsx";
import { SettingsSection } from "./SettingsSection.tsx";
import { SetUpTwoFactor } from "./SetUpTwoFactor.tsx";
import { sentenceOf } from "./settings-words.ts";
import styles from "./TwoFactor.module.css";

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

/** From so many recovery codes down the page asks for new ones. */
const FEW_CODES = 2;

/** Sign-in with a second factor: setting it up, other recovery codes, switching it off. */
export function TwoFactor(props: { user: User; onChanged: () => void }) {
  const { user, onChanged } = props;
  const { email, recovery_codes_left: codesLeft } = user;
  const isOn = user.two_factor === true;
  const isLow = codesLeft !== undefined && codesLeft <= FEW_CODES;
  const store = storeOf(useSiteSession());
  const proof = useProof();
  const heading = useRef<HTMLHeadingElement>(null);
  const [step, setStep] = useState<Step>({ name: "rest" });
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const go = (next: Step) => {
    setStep(next);
    // The button that was pressed goes away.
    heading.current?.focus();
  };
  const changed = () => {
    onChanged();
    void refreshAccount(store);
  };
  async function act(kind: keyof typeof FAILED, call: () => Promise<void>) {
    // Not `disabled`: the dialog gives the focus back to the button that was pressed.
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      await call();
    } catch (error) {
      setFailure(sentenceOf(error, FAILED[kind]));
    } finally {
      setBusy(false);
    }
  }
  const api = accountClient(store);
  const setUp = () =>
    act("set_up", async () => {
      const authenticator = (await proof.run(() => setUpTwoFactor(api)))?.data;
      if (authenticator) setStep({ name: "set_up", authenticator });
    });
  const makeCodes = () =>
    act("codes", async () => {
      const codes = (await proof.run((code) => replaceRecoveryCodes(api, code)))?.data
        ?.recovery_codes;
      if (!codes) return;
      go({ name: "codes", codes });
      void refreshAccount(store);
    });
  const switchOff = () =>
    act("switch_off", async () => {
      const reply = await proof.run((code) => switchTwoFactorOff(api, code));
      if (!reply) return;
      keepTokens(store, reply.data);
      go({ name: "rest", said: "Two-factor authentication is off." });
      changed();
    });

  return (
    <SettingsSection title="Two-Factor Authentication" heading={heading}>
      <div role="status">
        {step.name === "rest" && step.said && (
          <Notice tone="success">
            <p>{step.said}</p>
          </Notice>
        )}
      </div>
      {failure !== null && (
        <Notice tone="error" role="alert">
          <p>{failure}</p>
        </Notice>
      )}
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
              Off. With it on, no one who learns your password can sign in without a code from the
              authenticator app on your phone.
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
        <strong>You have {count} left.</strong> Generate new ones: without your device or a code,
        you can't sign in.
      </p>
    </Notice>
  );
}
