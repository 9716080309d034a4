import { useEffect, useRef, useState } from "react";
import type { OwnSession } from "#contracts/http/sessions.ts";
import { endOneSession, endOtherSessions, readSessions } from "../../../api/account-security.ts";
import type { CommandReply } from "../../../api/client.ts";
import { Button } from "../../../components/Button.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { formatOwnMoment } from "../../../lib/format.ts";
import { accountClient } from "../../../session/account-client.ts";
import { storeOf } from "../../../session/session-store-of.ts";
import { useSiteSession } from "../../../session/site-session.ts";
import styles from "./AccountSettings.module.css";
import { SettingsSection } from "./SettingsSection.tsx";
import { sentenceOf } from "./settings-words.ts";

type Said = { readonly tone: "success" | "error"; readonly text: string };

const FAILED = {
  read: "We couldn't load your sessions. Please try again.",
  end: "We couldn't end the session. Please try again.",
} as const;

/** Where the account is signed in. One session, or all others, can be ended. */
export function Sessions({ round }: { round: number }) {
  const store = storeOf(useSiteSession());
  const [sessions, setSessions] = useState<readonly OwnSession[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [said, setSaid] = useState<Said | null>(null);
  const [isEnding, setEnding] = useState(false);
  const [ownRound, setOwnRound] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round reads the list again.
  useEffect(() => {
    const leaving = new AbortController();
    setFailure(null);
    readSessions(accountClient(store), leaving.signal)
      .then(setSessions)
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) setFailure(sentenceOf(error, FAILED.read));
      });
    return () => leaving.abort();
  }, [store, round, ownRound]);

  const readAgain = () => setOwnRound((before) => before + 1);
  async function end(call: () => Promise<CommandReply<unknown>>) {
    setEnding(true);
    setSaid(null);
    try {
      const { message = "Done." } = await call();
      setSaid({ tone: "success", text: message });
      // The button that was pressed goes away.
      heading.current?.focus();
    } catch (error) {
      setSaid({ tone: "error", text: sentenceOf(error, FAILED.end) });
    } finally {
      setEnding(false);
      readAgain();
    }
  }

  const hasOthers = sessions?.some(({ current }) => !current);
  return (
    <SettingsSection title="Sessions" heading={heading}>
      <p>
        These are the devices where you're signed in. End any session you don't recognize, then
        change your password.
      </p>
      <div role="status">
        {said && (
          <Notice tone={said.tone}>
            <p>{said.text}</p>
          </Notice>
        )}
      </div>
      {failure !== null && (
        <Notice tone="error" role="alert">
          <p>{failure}</p>
          <Button kind="secondary" onClick={readAgain}>
            Try again
          </Button>
        </Notice>
      )}
      {sessions === null && failure === null && <p>Loading…</p>}
      {sessions && (
        <ul className={styles.sessions}>
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              disabled={isEnding}
              onEnd={() => void end(() => endOneSession(accountClient(store), session.id))}
            />
          ))}
        </ul>
      )}
      {sessions && !hasOthers && <p>You're not signed in anywhere else.</p>}
      {hasOthers && (
        <div>
          <Button
            kind="secondary"
            disabled={isEnding}
            onClick={() => void end(() => endOtherSessions(accountClient(store)))}
          >
            End All Other Sessions
          </Button>
        </div>
      )}
    </SettingsSection>
  );
}

function SessionRow(props: { session: OwnSession; disabled: boolean; onEnd: () => void }) {
  const { session, disabled, onEnd } = props;
  const { current, device = "Unknown device", network, started_at, last_used_at } = session;
  return (
    <li>
      <div>
        <p>
          <strong>{device}</strong>
          {current && " (this device)"}
        </p>
        {network && <p>Network {network}</p>}
        <p>
          Signed in <time dateTime={started_at}>{formatOwnMoment(started_at)}</time>
        </p>
        <p>
          Last used <time dateTime={last_used_at}>{formatOwnMoment(last_used_at)}</time>
        </p>
      </div>
      {!current && (
        <Button kind="secondary" disabled={disabled} onClick={onEnd}>
          End session
          <span className="visually-hidden">
            {" "}
            on {device}, signed in {formatOwnMoment(started_at)}
          </span>
        </Button>
      )}
    </li>
  );
}
