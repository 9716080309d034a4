import { useEffect } from "react";
import { Link, NavLink, useNavigation } from "react-router-dom";
import { paths } from "../config/paths.ts";
import { useSiteConfig } from "../config/site-config.tsx";
import { useAccount } from "../session/site-session.ts";
import progress from "./NavigationProgress.module.css";
import styles from "./SiteHeader.module.css";
import { MenuButton, SiteMenu } from "./SiteMenu.tsx";

/** Rendered for visitors; a signed-in account appears after hydration, in the same place. */
export function SiteHeader() {
  const { productName } = useSiteConfig();
  const account = useAccount();
  // The session mark hides content for visitors until the account is shown.
  useEffect(() => {
    if (account.state !== "unknown") delete document.documentElement.dataset.session;
  }, [account.state]);
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Link className={styles.product} to={paths.home}>
          <ProductMark />
          <span className={styles.names}>
            <span>{productName}</span>
            <span className={styles.chip}>Professional</span>
          </span>
        </Link>
        <nav aria-label="Main" className={styles.nav}>
          <NavLink className={styles.navLink ?? ""} to={paths.search}>
            Search
          </NavLink>
          <NavLink className={styles.navLink ?? ""} to={paths.submitReport} end>
            Report
          </NavLink>
          {account.user && (
            <NavLink className={styles.navLink ?? ""} to={paths.dashboard}>
              Dashboard
            </NavLink>
          )}
          {account.user === null && (
            <span className={styles.guest}>
              <NavLink className={styles.navLink ?? ""} to={paths.login}>
                Login
              </NavLink>
              <Link className={styles.access} to={paths.register}>
                Get Access
              </Link>
            </span>
          )}
        </nav>
        <MenuButton account={account} />
      </div>
      <SiteMenu account={account} />
      <NavigationProgress />
    </header>
  );
}

/** The product's logo: a ruled sheet with one line struck out. Same drawing as the favicon. */
function ProductMark() {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <rect width="24" height="24" rx="5" fill="currentColor" />
      <path
        d="M6 7.5h12M6 12h7M6 16.5h12"
        stroke="var(--color-ink-inverse)"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <circle cx="17" cy="12" r="1.75" fill="#d99a2b" />
    </svg>
  );
}

/** A thin line below the header while the next page loads. Appears immediately after a click. */
function NavigationProgress() {
  const navigation = useNavigation();
  if (navigation.state === "idle") return null;
  return (
    <div className={progress.line} role="progressbar" aria-label="Loading">
      <div className={progress.run} />
    </div>
  );
}
