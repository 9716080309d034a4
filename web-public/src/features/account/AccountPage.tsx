import { type FormEventHandler, type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Button, type ButtonKind } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { useAccount } from "../../session/site-session.ts";
import styles from "./AccountPage.module.css";
import { NeedsScripts } from "./RequireAccount.tsx";
import type { Refusal } from "./use-account-form.ts";

/** An account page: a sheet with a heading. */
export function AccountPage(props: { title: string; heading?: string; children: ReactNode }) {
  return (
    <div className={styles.page}>
      <PageHead title={props.title} />
      <h1 tabIndex={-1}>{props.heading ?? props.title}</h1>
      <NeedsScripts />
      {props.children}
    </div>
  );
}

/**
 * An account form. Its method is `post`, so that what is typed can't end up in a URL, but only the page's scripts
 * send it.
 */
export function AccountForm(props: {
  form: {
    readonly form: RefObject<HTMLFormElement | null>;
    readonly isSending: boolean;
    readonly refusal: Refusal | null;
    readonly submit: FormEventHandler;
    dismiss(): void;
  };
  submit: string;
  sending: string;
  kind?: ButtonKind;
  /** What helps after an error, by its code. */
  help?: Readonly<Record<string, ReactNode>>;
  /** Beside the button. */
  actions?: ReactNode;
  /** Adds a button that closes the form. */
  onCancel?: () => void;
  children: ReactNode;
}) {
  const { form } = props;
  const isReady = useAccount().state !== "unknown";
  const { refusal } = form;
  const help = refusal && props.help?.[refusal.code];
  return (
    <form ref={form.form} className={styles.form} method="post" noValidate onSubmit={form.submit}>
      {refusal && (help || !refusal.isOfField) && (
        <Banner onDismiss={form.dismiss}>
          <p>{refusal.message}</p>
          {help}
        </Banner>
      )}
      {props.children}
      <div className={styles.actions}>
        {/* Not `disabled` while it sends: the focus would be lost. */}
        <Button
          type="submit"
          kind={props.kind ?? "primary"}
          disabled={!isReady}
          aria-disabled={form.isSending}
        >
          {form.isSending ? props.sending : props.submit}
        </Button>
        {props.onCancel && (
          <Button kind="secondary" onClick={props.onCancel}>
            Cancel
          </Button>
        )}
        {props.actions}
      </div>
    </form>
  );
}

function Banner(props: { onDismiss: () => void; children: ReactNode }) {
  const banner = useRef<HTMLDivElement>(null);
  useEffect(() => {
    banner.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div ref={banner} className={styles.banner}>
      <Notice tone="error" role="alert">
        {props.children}
      </Notice>
      <button type="button" aria-label="Dismiss" onClick={props.onDismiss}>
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <path d="m3.5 3.5 9 9m0-9-9 9" stroke="currentColor" strokeWidth="2" />
        </svg>
      </button>
    </div>
  );
}
