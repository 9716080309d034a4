import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import styles from "./Dialog.module.css";

/**
 * A modal question. Focus moves to its first field or button, and returns when it closes. The first button must
 * be the one that changes nothing, so that a key held down doesn't confirm.
 * @param onCancel called on Escape; the caller closes the dialog.
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
