import { Link } from "react-router-dom";
import { paths } from "../config/paths.ts";
import { useSiteConfig } from "../config/site-config.tsx";
import styles from "./SiteFooter.module.css";

export function SiteFooter() {
  const { productName, supportEmail } = useSiteConfig();
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <nav aria-label="Footer" className={styles.links}>
          <Link to={paths.home}>Home</Link>
          <Link to={paths.search}>Search Database</Link>
          <Link to={paths.submitReport}>Report Abuse</Link>
          <Link to={paths.terms}>Terms of Service</Link>
          <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
          <a href={paths.console} className={styles.staff}>
            Staff sign-in
          </a>
        </nav>
        <ul className={styles.notices}>
          <li>
            Information on this site is submitted by users and is not independently verified. A
            report is one party's account, not a finding.
          </li>
          <li>
            Privacy protected: contact details are masked, and nothing that identifies a reporter is
            published unless they choose a public name. DMCA compliant: write to us about content
            that infringes your rights.
          </li>
          <li>Not for children under 13, as readers, reporters or subjects of a report.</li>
        </ul>
        <p className={styles.product}>{productName}</p>
      </div>
    </footer>
  );
}
