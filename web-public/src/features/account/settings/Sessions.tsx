import { useRef, useState } from "react";
import type { OwnSession } from "#contracts/http/sessions.ts";
import { useAction } from "../../../api/use-action.ts";
import { useRead } from "../../../api/use-read.ts";
import { Button } from "../../../components/Button.tsx";
import { Failure, Notice } from "../../../components/Notice.tsx";
import { formatOwnMoment } from "../../../lib/format.ts";
import { useAccountClient } from "../../../session/session-store-of.ts";
import styles from "./AccountSettings.module.css";
import { SettingsSection } from "./SettingsSection.tsx";

const SESSIONS = "/api/auth/sessions";
const FAILED = {
  read: "We couldn't load your sessions. Please try again.",
  end: "We couldn't end the session. Please try again.",
} as const;

/** The account's sessions. One, or all others, can be ended. */
export function Sessions({ round }: { round: number }) {
  const api = useAccountClient();
  const { data, failure, again } = useRead<{ readonly sessions: readonly OwnSession[] }>(
    (signal) => api.get(SESSIONS, { signal }),
    [api, round],
    FAILED.read,
  );
  const { sessions } = data ?? {};
  const ending = useAction(FAILED.end);
  const [said, setSaid] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);

  const end = (path: string) =>
    ending.run(async () => {
      setSaid(null);
      try {
        const { message = "Done." } = await api.delete(path);
        setSaid(message);
        // The pressed button disappears.
        heading.current?.focus();
      } finally {
        again();
      }
    });

  const hasOthers = sessions?.some(({ current }) => !current);
  return (
    <SettingsSection title="Sessions" heading={heading}>
      <p>
        These are the devices where you're signed in. End any session you don't recognize, then
        change your password.
      </p>
      <div role="status">
        {said !== null && (
          <Notice tone="success">
            <p>{said}</p>
          </Notice>
        )}
        {ending.failure !== null && (
          <Notice tone="error">
            <p>{ending.failure}</p>
          </Notice>
        )}
      </div>
      <Failure text={failure} onRetry={again} />
      {!sessions && failure === null && <p>Loading…</p>}
      {sessions && (
        <ul className={styles.sessions}>
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              disabled={ending.isBusy}
              onEnd={() => void end(`${SESSIONS}/${encodeURIComponent(session.id)}`)}
            />
          ))}
        </ul>
      )}
      {sessions && !hasOthers && <p>You're not signed in anywhere else.</p>}
      {hasOthers && (
        <div>
          <Button kind="secondary" disabled={ending.isBusy} onClick={() => void end(SESSIONS)}>
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
