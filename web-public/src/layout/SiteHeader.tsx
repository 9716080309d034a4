import { Link, NavLink } from "react-router-dom";
import { NavigationProgress } from "../components/NavigationProgress.tsx";
import { paths } from "../config/paths.ts";
import { useSiteConfig } from "../config/site-config.tsx";
import { useAccount } from "../session/site-session.ts";
import { ProductMark } from "./ProductMark.tsx";
import styles from "./SiteHeader.module.css";
import { MenuButton, SiteMenu } from "./SiteMenu.tsx";

/** Rendered for visitors; who is signed in shows in the browser, in the same place. */
export function SiteHeader() {
  const { productName } = useSiteConfig();
  const account = useAccount();
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
