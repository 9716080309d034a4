import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import styles from "./Dialog.module.css";

/**
 * A question in front of the page. The focus goes to its first field or button, and back to where it was when it
 * closes. The first button is the one that changes nothing: a key that is held does not give the answer.
 * @param onCancel called for Escape; closing it is the caller's.
 */
export function Dialog(props: { title: string; onCancel: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element?.open) element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        props.onCancel();
      }}
    >
      <h2 id={id}>{props.title}</h2>
      {props.children}
    </dialog>
  );
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
