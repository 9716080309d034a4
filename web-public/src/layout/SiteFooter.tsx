import { Link } from "react-router-dom";
import { applyTheme, isTheme, THEMES } from "#theme/chosen-theme.ts";
import { paths } from "../config/paths.ts";
import { useSiteConfig } from "../config/site-config.tsx";
import styles from "./SiteFooter.module.css";

export function SiteFooter() {
  const { supportEmail, pages } = useSiteConfig();
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <nav aria-label="Footer" className={styles.links}>
          <Link to={paths.home}>Home</Link>
          <Link to={paths.search}>Search Database</Link>
          <Link to={paths.submitReport}>Report Abuse</Link>
          <Link to={paths.enterprise}>Enterprise Solutions</Link>
          <Link to={paths.faq}>FAQ</Link>
          <Link to={paths.blog()}>Blog</Link>
          {pages.map(({ slug, title }) => (
            <Link key={slug} to={paths.page(slug)}>
              {title}
            </Link>
          ))}
          <Link to={paths.terms}>Terms of Service</Link>
          <Link to={paths.privacy}>Privacy Policy</Link>
          <Link to={paths.dmca}>DMCA Policy</Link>
          <Link to={paths.disclaimer}>Legal Disclaimer</Link>
          <Link to={paths.lawEnforcement}>Law Enforcement</Link>
          <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
          <a href={paths.console} className={styles.staff}>
            Staff sign-in
          </a>
        </nav>
        <ul className={styles.notices}>
          <li>
            <strong>Not independently verified.</strong> Information on this site is submitted by
            users. A report is one party's account, not a finding.
          </li>
          <li>
            <strong>Privacy protected, DMCA compliant.</strong> Contact details are masked,
            reporters stay anonymous to the public unless they choose a public name, and we act on
            copyright notices.
          </li>
          <li>
            <strong>Not for children under 13.</strong> They may not use this site or be reported on
            it.
          </li>
        </ul>
        <ThemeSwitch />
      </div>
    </footer>
  );
}

/** Lets visitors choose a color theme. Without JavaScript the system's setting applies. */
function ThemeSwitch() {
  const { theme } = useSiteConfig();
  return (
    <label className={styles.theme}>
      Colors
      <select
        defaultValue={theme}
        onChange={({ currentTarget: { value } }) => isTheme(value) && applyTheme(document, value)}
      >
        {Object.entries(THEMES).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
