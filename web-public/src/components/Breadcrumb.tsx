import { Link } from "react-router-dom";
import { paths } from "../config/paths.ts";
import styles from "./Breadcrumb.module.css";
import type { PageFacts } from "./page-facts.ts";

/** A page's place on the site: the home page, the pages above it, and its own name. */
export function Breadcrumb({ above = [], name }: Pick<PageFacts, "above"> & { name: string }) {
  return (
    <nav aria-label="Breadcrumb" className={styles.breadcrumb}>
      <ol>
        {[["Home", paths.home] as const, ...above].map(([crumb, path]) => (
          <li key={path}>
            <Link to={path}>{crumb}</Link>
          </li>
        ))}
        <li aria-current="page">{name}</li>
      </ol>
    </nav>
  );
}
