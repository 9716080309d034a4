import { isRouteErrorResponse, Link, useLocation, useRouteError } from "react-router-dom";
import { ButtonLink } from "../../components/Button.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { paths } from "../../config/paths.ts";
import { useSiteConfig } from "../../config/site-config.tsx";
import styles from "./ErrorPage.module.css";
import { isPageProblem, type PageProblem, PROBLEMS } from "./page-problem.ts";

/** The page for all errors: what happened, and what to do next. */
export function ErrorPage() {
  const error = useRouteError();
  const location = useLocation();
  const { supportEmail } = useSiteConfig();
  const { status, problem } = describe(error);
  const mayPass = status >= 500 || status === 429;
  return (
    <div className={styles.page}>
      <PageHead title={problem.heading} />
      <p className={styles.status}>Error {status}</p>
      <h1 tabIndex={-1}>{problem.heading}</h1>
      <p className={styles.text}>{problem.text}</p>
      <div className={styles.actions}>
        {mayPass ? (
          <ButtonLink to={location.pathname + location.search} reloadDocument>
            Try again
          </ButtonLink>
        ) : (
          <ButtonLink to={paths.search}>Search the database</ButtonLink>
        )}
        <Link to={paths.home}>Go to the homepage</Link>
      </div>
      {status >= 500 && (
        <p className={styles.help}>
          If this keeps happening, write to <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
        </p>
      )}
    </div>
  );
}

function describe(error: unknown): { status: number; problem: PageProblem } {
  if (!isRouteErrorResponse(error)) return { status: 500, problem: PROBLEMS[500] };
  const { status } = error;
  if (isPageProblem(error.data)) return { status, problem: error.data };
  return { status, problem: PROBLEMS[status < 500 ? 400 : 500] };
}
