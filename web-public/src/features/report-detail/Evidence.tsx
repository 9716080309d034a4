import type { ReportDetail } from "#contracts/http/report-view.ts";
import styles from "./Evidence.module.css";

/** The pictures of evidence that the registry published. Each leads to itself in full size. */
export function Evidence({
  report,
}: {
  report: Pick<ReportDetail, "evidence" | "check_image_url">;
}) {
  const { evidence, check_image_url: check } = report;
  return (
    <section className={styles.evidence} aria-labelledby="evidence">
      <h2 id="evidence">Evidence</h2>
      <p>Provided by the reporter. Account numbers and addresses have been redacted.</p>
      <ul>
        {evidence.map(({ id, url, width, height }, index) => {
          const what = url === check ? "The check" : "Evidence";
          const of = evidence.length > 1 ? `, picture ${index + 1} of ${evidence.length}` : "";
          return (
            <li key={id}>
              <a href={url}>
                <img
                  src={url}
                  width={width}
                  height={height}
                  alt={`${what}${of}, in full size`}
                  loading="lazy"
                  decoding="async"
                />
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
