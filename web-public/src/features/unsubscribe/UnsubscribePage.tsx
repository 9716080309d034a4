import { useRef, useState } from "react";
import { Link, useParams } from "react-router-dom";
import type { Unsubscribed } from "#contracts/http/unsubscribe.ts";
import { UNSUBSCRIBE_SCOPES } from "#contracts/mail/unsubscribe.ts";
import { ApiError } from "../../api/client.ts";
import { useAction } from "../../api/use-action.ts";
import { useApi } from "../../api/use-api.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { Failure } from "../../components/Notice.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { paths } from "../../config/paths.ts";
import styles from "./UnsubscribePage.module.css";

const FAILED = "We couldn't save this. Try again.";
const REFUSED =
  "This link no longer works. Sign in to turn emails off in your account settings, or use the link in a newer email.";

/** Turns off a kind of email with an emailed link. Only pressing the button changes anything. */
export function Component() {
  const { token = "" } = useParams();
  const api = useApi();
  const [done, setDone] = useState<Unsubscribed | null>(null);
  const { isBusy: isSaving, failure, run } = useAction(FAILED);
  const [isRefused, setRefused] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);

  /** The pressed button disappears. */
  const focusHeading = () => heading.current?.focus();

  async function set(wanted: boolean) {
    const path = `/api/unsubscribe/${encodeURIComponent(token)}`;
    try {
      const { data } = await api.post<Unsubscribed>(path, { body: { wanted } });
      if (data) setDone(data);
      focusHeading();
    } catch (error) {
      const code = error instanceof ApiError ? error.code : "";
      const refused = code === "link_invalid" || code === "invalid_request";
      setRefused(refused);
      if (refused) focusHeading();
      throw error;
    }
  }

  const title = !done ? "Unsubscribe" : done.wanted ? "Emails turned on again" : "Unsubscribed";
  return (
    <div className={styles.page}>
      <PageHead title="Unsubscribe" />
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <Failure text={failure && isRefused ? REFUSED : failure} />
      <noscript>
        <p>This page needs JavaScript. Turn it on, or unsubscribe in your email app.</p>
      </noscript>
      {!done && !isRefused && (
        <>
          <p>
            Select the button to stop emails like the one that brought you here. We always send
            security alerts.
          </p>
          <div>
            <Button aria-disabled={isSaving} onClick={() => void run(() => set(false))}>
              {isSaving ? "Saving…" : "Unsubscribe"}
            </Button>
          </div>
        </>
      )}
      {done && <Outcome {...done} />}
      {(done || isRefused) && (
        <div className={styles.actions}>
          {done && (
            <Button
              kind="secondary"
              aria-disabled={isSaving}
              onClick={() => void run(() => set(!done.wanted))}
            >
              {done.wanted ? "Unsubscribe" : "Send Me These Emails Again"}
            </Button>
          )}
          {isRefused && <ButtonLink to={paths.accountSettings}>Go to Account Settings</ButtonLink>}
          <ButtonLink to={paths.home} kind="secondary">
            Go to Homepage
          </ButtonLink>
        </div>
      )}
    </div>
  );
}

function Outcome({ scope, wanted }: Unsubscribed) {
  return (
    <>
      <p>
        {wanted ? "We'll send you " : "We'll no longer send you "}
        <strong>{UNSUBSCRIBE_SCOPES[scope]}</strong>
        {wanted ? " again." : "."}
      </p>
      {scope !== "report" && (
        <p>
          You can change this at any time in your{" "}
          <Link to={paths.accountSettings}>account settings</Link>.
        </p>
      )}
    </>
  );
}
