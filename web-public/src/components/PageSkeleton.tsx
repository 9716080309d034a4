import styles from "./PageSkeleton.module.css";
import { ReportListSkeleton } from "./ReportList.tsx";

export type SkeletonShape = "search" | "report";

/** A placeholder in the shape of the page that is loading. */
export function PageSkeleton({ shape }: { shape: SkeletonShape }) {
  return (
    <div className={styles.page}>
      <div className="visually-hidden" role="status">
        <h1>Loading</h1>
      </div>
      {shape === "search" ? (
        <div aria-hidden="true">
          <div className={styles.heading} />
          <div className={styles.form} />
          <div className={styles.heading} />
          <div className={styles.results}>
            <ReportListSkeleton rows={4} />
          </div>
        </div>
      ) : (
        <div aria-hidden="true">
          <div className={styles.heading} />
          <div className={styles.line} />
          <div className={styles.record}>
            <div className={styles.sheet} />
            <div className={styles.sheet} />
          </div>
        </div>
      )}
    </div>
  );
}
