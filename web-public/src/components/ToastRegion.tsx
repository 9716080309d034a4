import { useSyncExternalStore } from "react";
import styles from "./ToastRegion.module.css";
import { currentToasts, dismissToast, subscribeToasts } from "./toast-store.ts";

/** Where toasts appear. It is always in the page, so that screen readers announce new ones. */
export function ToastRegion() {
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts, currentToasts);
  return (
    <div className={styles.region} role="status" aria-live="polite">
      {toasts.map((toast) => (
        <div key={toast.id} className={`${styles.toast} ${styles[toast.kind]}`}>
          <p>
            {toast.title && <strong>{toast.title}: </strong>}
            {toast.text}
          </p>
          <button type="button" aria-label="Dismiss" onClick={() => dismissToast(toast.id)}>
            <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
              <path d="m3.5 3.5 9 9m0-9-9 9" stroke="currentColor" strokeWidth="2" />
            </svg>
          </button>
        </div>
      ))}
    </div>
  );
}
