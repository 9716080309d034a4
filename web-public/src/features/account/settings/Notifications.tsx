import { useEffect, useState } from "react";
import { Link } from "react-router-dom";
import { NOTIFICATION_WORDS, type NotificationName } from "#contracts/account/account-words.ts";
import { type OwnPreferences, readPreferences, setPreferences } from "../../../api/preferences.ts";
import { Button } from "../../../components/Button.tsx";
import { Notice } from "../../../components/Notice.tsx";
import { paths } from "../../../config/paths.ts";
import { accountClient } from "../../../session/account-client.ts";
import { storeOf } from "../../../session/session-store-of.ts";
import { useSiteSession } from "../../../session/site-session.ts";
import styles from "./Notifications.module.css";
import { SettingsSection } from "./SettingsSection.tsx";
import { sentenceOf } from "./settings-words.ts";

const FAILED = {
  read: "We couldn't load your notification settings. Please try again.",
  save: "We couldn't save your choice. Please try again.",
} as const;
const NAMES = Object.keys(NOTIFICATION_WORDS) as NotificationName[];

/** Which mails the account gets. Each choice is saved at once. */
export function Notifications() {
  const store = storeOf(useSiteSession());
  const [own, setOwn] = useState<OwnPreferences | null>(null);
  const [failure, setFailure] = useState<keyof typeof FAILED | null>(null);
  const [reason, setReason] = useState("");
  const [said, setSaid] = useState("");
  const [saving, setSaving] = useState<NotificationName | null>(null);
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round reads them again.
  useEffect(() => {
    const leaving = new AbortController();
    setFailure(null);
    readPreferences(accountClient(store), leaving.signal)
      .then(setOwn)
      .catch((error: unknown) => {
        if (leaving.signal.aborted) return;
        setReason(sentenceOf(error, FAILED.read));
        setFailure("read");
      });
    return () => leaving.abort();
  }, [store, round]);

  async function choose(name: NotificationName, value: boolean) {
    // Not `disabled` meanwhile: the box keeps the focus.
    if (saving || !own) return;
    setSaving(name);
    setFailure(null);
    setSaid("Saving…");
    try {
      const { data, message = "Saved." } = await setPreferences(accountClient(store), {
        [name]: value,
      });
      if (data) setOwn({ ...own, preferences: data.preferences });
      setSaid(message);
    } catch (error) {
      setSaid("");
      setReason(sentenceOf(error, FAILED.save));
      setFailure("save");
    } finally {
      setSaving(null);
    }
  }

  return (
    <SettingsSection title="Notifications">
      <p>Choose which emails you get. We always send security alerts.</p>
      {failure && (
        <Notice tone="error" role="alert">
          <p>{reason}</p>
          {failure === "read" && (
            <Button kind="secondary" onClick={() => setRound((before) => before + 1)}>
              Try again
            </Button>
          )}
        </Notice>
      )}
      {!own && !failure && <p>Loading…</p>}
      {own && !own.confirmed && (
        <p id="notifications-off">
          They're off because your address isn't confirmed yet. Open the link in our email, or have
          it <Link to={paths.profile}>sent again from your profile</Link>.
        </p>
      )}
      {own && (
        <ul className={styles.list}>
          {NAMES.map((name) => (
            <Choice
              key={name}
              name={name}
              checked={own.confirmed && own.preferences[name] !== (saving === name)}
              disabled={!own.confirmed}
              busy={saving !== null}
              onChoose={(value) => void choose(name, value)}
            />
          ))}
        </ul>
      )}
      <p role="status" className={styles.said}>
        {said}
      </p>
    </SettingsSection>
  );
}

function Choice(props: {
  name: NotificationName;
  checked: boolean;
  disabled: boolean;
  busy: boolean;
  onChoose: (value: boolean) => void;
}) {
  const { name, checked, disabled, busy, onChoose } = props;
  const { label, help } = NOTIFICATION_WORDS[name];
  const id = `notification-${name}`;
  return (
    <li className={styles.choice}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-disabled={busy}
        aria-describedby={disabled ? `${id}-help notifications-off` : `${id}-help`}
        onChange={(event) => onChoose(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        <p id={`${id}-help`}>{help}</p>
      </div>
    </li>
  );
}
