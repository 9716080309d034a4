import type { ReactNode } from "react";
import { Button } from "./Button.tsx";
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

/** An error message with optional remedies; renders nothing without text. */
export function Failure(props: {
  text: string | null | undefined;
  onRetry?: () => void;
  children?: ReactNode;
}) {
  if (props.text === null || props.text === undefined) return null;
  return (
    <Notice tone="error" role="alert">
      <p>{props.text}</p>
      {props.onRetry && (
        <p>
          <Button kind="secondary" onClick={props.onRetry}>
            Try again
          </Button>
        </p>
      )}
      {props.children}
    </Notice>
  );
}
