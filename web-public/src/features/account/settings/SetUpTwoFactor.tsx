import { encode } from "uqr";
import type { Problems } from "#contracts/report/submission-rules.ts";
import { type Authenticator, confirmTwoFactor } from "../../../api/account-security.ts";
import { Button } from "../../../components/Button.tsx";
import { accountClient } from "../../../session/account-client.ts";
import { storeOf } from "../../../session/session-store-of.ts";
import { useSiteSession } from "../../../session/site-session.ts";
import { AccountForm } from "../AccountPage.tsx";
import { TextField } from "../TextField.tsx";
import { useAccountForm, useFocusInside } from "../use-account-form.ts";
import type { Proof } from "../use-proof.tsx";
import { keepTokens } from "./keep-tokens.ts";
import styles from "./TwoFactor.module.css";

const EMPTY = { code: "" };

function check({ code }: typeof EMPTY): Problems {
  const isCode = /^\d{6}$/.test(code.replace(/\s/g, ""));
  return isCode ? {} : { code: "Enter the 6 digits that your app shows" };
}

/** An authenticator to scan or to type in, and the code that shows that it works. */
export function SetUpTwoFactor(props: {
  authenticator: Authenticator;
  proof: Proof;
  onDone: (recoveryCodes: readonly string[]) => void;
  onCancel: () => void;
}) {
  const { authenticator, proof, onDone, onCancel } = props;
  const store = storeOf(useSiteSession());
  const form = useAccountForm({
    initial: EMPTY,
    check,
    async send({ code }) {
      const api = accountClient(store);
      const reply = await proof.run(() => confirmTwoFactor(api, code.replace(/\s/g, "")));
      if (!reply) return;
      keepTokens(store, reply.data);
      onDone(reply.data?.recovery_codes ?? []);
    },
    failed: {
      refused: "We couldn't turn on two-factor authentication",
      unanswered: "We couldn't turn on two-factor authentication. Please try again.",
    },
  });
  useFocusInside(form);
  return (
    <>
      <p>
        Scan this code with an authenticator app, such as the one in your password manager, or enter
        the key.
      </p>
      <QrCode text={authenticator.uri} label="QR code with the key below" />
      <p>
        Key: <code className={styles.key}>{authenticator.secret.match(/.{1,4}/g)?.join(" ")}</code>
      </p>
      <p>
        <a className={styles.link} href={authenticator.uri}>
          Open in an app on this device
        </a>
      </p>
      <AccountForm
        form={form}
        submit="Turn On"
        sending="Turning on…"
        actions={
          <Button kind="secondary" onClick={onCancel}>
            Cancel
          </Button>
        }
      >
        <TextField
          field={form.field("code")}
          label="Code"
          autoComplete="one-time-code"
          hint="Use the code in your app now. Turning it on signs you out everywhere but here."
          maxLength={12}
          required
        />
      </AccountForm>
    </>
  );
}

/** A QR code (ISO/IEC 18004) with its quiet zone, dark on white whatever the page's colours are. */
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
