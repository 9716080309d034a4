import { useEffect, useRef, useState } from "react";
import { useParams } from "react-router-dom";
import { openSignInLink } from "../../api/accounts.ts";
import { ApiError } from "../../api/client.ts";
import { useApi } from "../../api/use-api.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import { useAccount } from "../../session/site-session.ts";
import styles from "./AccountPage.module.css";
import { AccountPage } from "./AccountPage.tsx";
import { sentenceOf } from "./settings/settings-words.ts";

type State =
  | { readonly name: "asks" | "sending" | "open" }
  | { readonly name: "refused"; readonly why: string; readonly isFinal: boolean };

/** Makes this browser known to an account that is guarded from guesses. It signs nobody in. */
export function SignInLinkPage() {
  const { token = "" } = useParams();
  const api = useApi();
  const isReady = useAccount().state !== "unknown";
  const [state, setState] = useState<State>({ name: "asks" });
  const isOver = state.name === "open" || (state.name === "refused" && state.isFinal);
  const over = useRef<HTMLParagraphElement>(null);
  // The button goes away.
  useEffect(() => {
    if (isOver) over.current?.focus();
  }, [isOver]);

  async function open() {
    if (state.name === "sending") return;
    setState({ name: "sending" });
    try {
      await openSignInLink(api, token);
      setState({ name: "open" });
    } catch (error) {
      const why = sentenceOf(error, "We couldn't open this link. Try again.");
      const isFinal = error instanceof ApiError && error.code === "link_invalid";
      setState({ name: "refused", why, isFinal });
    }
  }

  return (
    <AccountPage title="Sign in on this device">
      {state.name === "refused" && (
        <Notice tone="error" role="alert">
          <p>{state.why}</p>
        </Notice>
      )}
      {state.name === "open" && (
        <Notice tone="success" role="status">
          <p>Your account now recognizes this device.</p>
        </Notice>
      )}
      {isOver ? (
        <>
          <p ref={over} tabIndex={-1}>
            {state.name === "open"
              ? "Sign in with your email address and password."
              : "If this device needs a new link, we'll email you one when you sign in."}
          </p>
          <div className={styles.actions}>
            <ButtonLink to={paths.login}>Go to Login</ButtonLink>
          </div>
        </>
      ) : (
        <>
          <p>
            Too many passwords were tried for your account from devices we don't recognize. If you
            want to sign in on this device, select the button, then sign in with your password. The
            link works once.
          </p>
          <div className={styles.actions}>
            <Button
              disabled={!isReady}
              aria-disabled={state.name === "sending"}
              onClick={() => void open()}
            >
              {state.name === "sending" ? "Opening…" : "Use This Device"}
            </Button>
          </div>
        </>
      )}
    </AccountPage>
  );
}
