import type { ReactNode } from "react";
import { PROFILE_FIELDS } from "#contracts/account/profile-fields.ts";
import type { User } from "#contracts/http/auth.ts";
import { Button } from "../../components/Button.tsx";
import { formatCount, formatDate } from "../../lib/format.ts";
import styles from "./AccountPage.module.css";

const SHOWN = ["phone", "company", "website", "job_title", "bio"] as const;

/** The profile as it is. Nobody but its owner sees it. */
export function ProfileView({ user, onEdit }: { user: User; onEdit: () => void }) {
  const { last_login, reports_count } = user;
  return (
    <>
      <p className={styles.muted}>Only you and the registry's staff see your profile.</p>
      <dl className={styles.facts}>
        <Fact label="Name">{`${user.first_name} ${user.last_name}`.trim()}</Fact>
        <Fact label="Email">
          {user.email}
          {user.confirmed !== undefined && (
            <span className={styles.muted}>
              {user.confirmed ? " (confirmed)" : " (not confirmed)"}
            </span>
          )}
        </Fact>
        {SHOWN.map((name) => (
          <Fact key={name} label={PROFILE_FIELDS[name].label}>
            {user[name]}
          </Fact>
        ))}
        {reports_count !== undefined && (
          <Fact label="Reports">{formatCount(reports_count, "report")}</Fact>
        )}
        <Fact label="Member since">{formatDate(user.created_at)}</Fact>
        {last_login && <Fact label="Last sign-in">{formatDate(last_login)}</Fact>}
      </dl>
      <div className={styles.actions}>
        <Button kind="secondary" onClick={onEdit}>
          Edit Profile
        </Button>
      </div>
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children || <span className={styles.muted}>Not given</span>}</dd>
    </div>
  );
}
