import { type FocusEvent, lazy, Suspense, useEffect, useRef } from "react";
import { Link, useLocation } from "react-router-dom";
import { paths } from "../config/paths.ts";
import type { Account } from "../session/site-session.ts";
import styles from "./SiteMenu.module.css";

const MENU = "site-menu";
const AccountPart = lazy(() => import("./AccountPart.tsx"));

/** Opens the menu: a drawer on small screens, the account menu on others. */
export function MenuButton({ account: { user } }: { account: Account }) {
  return (
    <button
      type="button"
      className={`${styles.button} ${user ? "" : styles.small}`}
      popoverTarget={MENU}
    >
      <svg className={styles.small} width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M4 6.5h16M4 12h16M4 17.5h16" stroke="currentColor" strokeWidth="2" />
      </svg>
      {user && (
        <Suspense>
          <AccountPart part="button" user={user} />
        </Suspense>
      )}
      <span className="visually-hidden">{user ? "Account menu" : "Menu"}</span>
    </button>
  );
}

/** The menu, a native popover, which works without JavaScript too. */
export function SiteMenu({ account }: { account: Account }) {
  const { user } = account;
  const menu = useRef<HTMLElement>(null);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a choice closes it.
  useEffect(() => menu.current?.hidePopover?.(), [key, user?.id]);
  return (
    <nav
      ref={menu}
      id={MENU}
      popover="auto"
      aria-label="Menu"
      className={styles.menu}
      onBlur={closeWhenLeft}
    >
      <button type="button" className={styles.close} popoverTarget={MENU} aria-label="Close menu">
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <path d="m2.5 2.5 11 11m0-11-11 11" stroke="currentColor" strokeWidth="2" />
        </svg>
      </button>
      <Suspense>
        {user && <AccountPart part="head" user={user} />}
        <ul>
          <li className={styles.small}>
            <Link to={paths.search}>Search Database</Link>
          </li>
          <li className={styles.small}>
            <Link to={paths.submitReport}>Report Abuse</Link>
          </li>
          {user ? (
            <AccountPart part="items" user={user} />
          ) : (
            <>
              <li>
                <Link to={paths.login}>Login</Link>
              </li>
              <li>
                <Link to={paths.register}>Get Access</Link>
              </li>
            </>
          )}
        </ul>
      </Suspense>
    </nav>
  );
}

/** Closes the menu when the focus moves out, so that it doesn't cover the focused element. */
function closeWhenLeft({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>): void {
  if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.hidePopover();
}
