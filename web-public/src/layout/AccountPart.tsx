import { Link } from "react-router-dom";
import type { User } from "#contracts/http/account.ts";
import { accountInitial, accountName } from "#session-client/session-store.ts";
import { paths } from "../config/paths.ts";
import { signOut, storeOf } from "../session/session-store-of.ts";
import { useSiteSession } from "../session/site-session.ts";
import styles from "./SiteMenu.module.css";

const PARTS = { button: AccountButton, head: AccountHead, items: AccountItems };

/** Parts of the menu for signed-in users, in a separate chunk. */
export default function AccountPart(props: { part: keyof typeof PARTS; user: User }) {
  const Part = PARTS[props.part];
  return <Part user={props.user} />;
}

/** Content of the menu button on wide screens. */
function AccountButton({ user }: { user: User }) {
  return (
    <>
      <span className={`${styles.initial} ${styles.wide}`} aria-hidden="true">
        {accountInitial(user)}
      </span>
      <span className={`${styles.name} ${styles.wide}`}>{accountName(user)}</span>
    </>
  );
}

function AccountHead({ user }: { user: User }) {
  return (
    <p className={styles.who}>
      <strong>{accountName(user)}</strong>
      {user.email !== accountName(user) && <span>{user.email}</span>}
    </p>
  );
}

function AccountItems({ user }: { user: User }) {
  const session = useSiteSession();
  return (
    <>
      <li>
        <Link to={paths.dashboard}>Dashboard</Link>
      </li>
      <li>
        <Link to={paths.profile}>Profile</Link>
      </li>
      <li>
        <Link to={paths.accountSettings}>Account settings</Link>
      </li>
      {user.role !== "user" && (
        <li>
          <a href={paths.console}>Console</a>
        </li>
      )}
      <li className={styles.last}>
        <button type="button" onClick={() => void signOut(storeOf(session))}>
          Logout
        </button>
      </li>
    </>
  );
}
