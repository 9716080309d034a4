import { PROFILE_FIELDS } from "#contracts/account/profile-fields.ts";
import type { User } from "#contracts/http/auth.ts";
import { Button } from "../../components/Button.tsx";
import styles from "./AccountPage.module.css";
import { Facts } from "./Facts.tsx";

const SHOWN = ["phone", "company", "website", "job_title", "bio"] as const;

/** The profile as it is. Nobody but its owner sees it. */
export function ProfileView({ user, onEdit }: { user: User; onEdit: () => void }) {
  const confirmed = user.confirmed ? " (confirmed)" : " (not confirmed)";
  return (
    <div className={styles.form}>
      <p className={styles.muted}>Only you and the registry's staff see your profile.</p>
      <Facts
        facts={[
          ["Name", `${user.first_name} ${user.last_name}`.trim()],
          [
            "Email",
            <>
              {user.email}
              {user.confirmed !== undefined && <span className={styles.muted}>{confirmed}</span>}
            </>,
          ],
          ...SHOWN.map((name) => [PROFILE_FIELDS[name].label, user[name]] as const),
        ]}
      />
      <div className={styles.actions}>
        <Button kind="secondary" onClick={onEdit}>
          Edit Profile
        </Button>
      </div>
    </div>
  );
}
