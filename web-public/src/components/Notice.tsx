import type { ReactNode } from "react";
import styles from "./Notice.module.css";

/** A panel inside a page that asks for attention. */
export function Notice(props: {
  tone: "warning" | "error" | "success" | "info";
  children: ReactNode;
  role?: "alert" | "status";
}) {
  return (
    <div className={`${styles.notice} ${styles[props.tone]}`} role={props.role}>
      {props.children}
    </div>
  );
}
