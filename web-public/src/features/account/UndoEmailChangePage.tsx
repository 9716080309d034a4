import { type Ref, useEffect, useRef, useState } from "react";
import { Link, useParams } from "react-router-dom";
import { ACCOUNT_DONE } from "#contracts/account/account-words.ts";
import { undoEmailChange } from "../../api/account-security.ts";
import { ApiError } from "../../api/client.ts";
import { useApi } from "../../api/use-api.ts";
import { Button } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import { useSiteConfig } from "../../config/site-config.tsx";
import { useAccount } from "../../session/site-session.ts";
import styles from "./AccountPage.module.css";
import { AccountPage } from "./AccountPage.tsx";
import { NewPasswordForm } from "./NewPasswordForm.tsx";
import { PasswordIsSet } from "./ResetPasswordPage.tsx";
import { sentenceOf } from "./settings/settings-words.ts";

const FAILED = "We couldn't undo the change. Try again.";

type State =
  | { readonly name: "asks" | "sending" | "set" }
  | { readonly name: "undone"; readonly resetToken: string | undefined }
  | { readonly name: "refused"; readonly why: string; readonly isFinal: boolean };

/** Gives an account its former address back, by the link that was mailed there. */
export function UndoEmailChangePage() {
  const { token = "" } = useParams();
  const api = useApi();
  const isReady = useAccount().state !== "unknown";
  const [state, setState] = useState<State>({ name: "asks" });
  const isOver = state.name === "refused" && state.isFinal;
  const undone = useRef<HTMLHeadingElement>(null);
  const over = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (state.name === "undone") undone.current?.focus();
    // The button goes away.
    if (isOver) over.current?.focus();
  }, [state, isOver]);

  async function undo() {
    if (state.name === "sending") return;
    setState({ name: "sending" });
    try {
      const { data } = await undoEmailChange(api, token);
      setState({ name: "undone", resetToken: data?.reset_token });
    } catch (error) {
      const isFinal =
        error instanceof ApiError && ["link_invalid", "email_taken"].includes(error.code);
      setState({ name: "refused", why: sentenceOf(error, FAILED), isFinal });
    }
  }

  return (
    <AccountPage title="Take your account back">
      {state.name === "set" && <PasswordIsSet />}
      {state.name === "undone" && (
        <>
          <h2 ref={undone} tabIndex={-1}>
            Set a new password
          </h2>
          <Notice tone="success" role="status">
            <p>{ACCOUNT_DONE.emailUndone}</p>
          </Notice>
          <p>We've signed you out everywhere, and your old password no longer works.</p>
          {state.resetToken ? (
            <NewPasswordForm token={state.resetToken} onDone={() => setState({ name: "set" })} />
          ) : (
            <AskForPassword />
          )}
        </>
      )}
      {(state.name === "asks" || state.name === "sending" || state.name === "refused") && (
        <>
          {state.name === "refused" && (
            <Notice tone="error" role="alert">
              <p>{state.why}</p>
            </Notice>
          )}
          {isOver ? (
            <AskForPassword ref={over} />
          ) : (
            <>
              <p>
                We'll change your account's email address back to the one this link was sent to, and
                sign you out everywhere. Then you set a new password.
              </p>
              <div className={styles.actions}>
                <Button
                  disabled={!isReady}
                  aria-disabled={state.name === "sending"}
                  onClick={() => void undo()}
                >
                  {state.name === "sending" ? "Undoing…" : "Undo the Change"}
                </Button>
              </div>
            </>
          )}
        </>
      )}
    </AccountPage>
  );
}

function AskForPassword({ ref }: { ref?: Ref<HTMLParagraphElement> }) {
  const { supportEmail } = useSiteConfig();
  return (
    <p ref={ref} tabIndex={-1}>
      If your account still has the email address this link was sent to,{" "}
      <Link to={paths.forgotPassword}>ask for a new password</Link>. If it doesn't, write to{" "}
      <a href={`mailto:${supportEmail}`}>{supportEmail}</a> from that address.
    </p>
  );
}
