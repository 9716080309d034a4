import { type Dispatch, useEffect, useRef, useState } from "react";
import { readDraft, removeDraft } from "../../lib/draft-storage.ts";
import type { Account } from "../../session/site-session.ts";
import { formOf } from "./draft.ts";
import { formOfReport } from "./form-of-report.ts";
import { type FormAction, type FormState, isDirty } from "./form-state.ts";
import { takeHanded } from "./handed-report.ts";
import type { PlainSubmission } from "./plain-form.ts";
import { prefillOf } from "./prefill.ts";
import { storeDraft, storedDraft } from "./stored-draft.ts";

/** Milliseconds without a change after which the draft is written. */
const PAUSE_MS = 400;

/** What the form was filled in from, and when that was written (RFC 3339). */
export interface Origin {
  readonly kind: "draft" | "report";
  readonly at: string;
}

/**
 * Fills in the form at the start: from the account, and from a report that is submitted again, or from
 * the draft of an earlier visit. A form that the browser itself has sent is newer than both, and stays.
 * Then keeps what is typed. After a sign-out nothing is kept of what stands in the form.
 */
export function useDraft(
  state: FormState,
  dispatch: Dispatch<FormAction>,
  account: Account,
  plain: PlainSubmission | undefined,
) {
  const [origin, setOrigin] = useState<Origin | null>(null);
  const [isKept, setKept] = useState(false);
  const [isSignedOut, setSignedOut] = useState(false);
  const [isStarted, setStarted] = useState(false);
  const started = useRef(false);
  /** Whether this form has a draft, as far as it knows. */
  const holds = useRef(false);
  const wasIn = useRef(false);
  /** The account that was signed in last. */
  const lastOwner = useRef<string | null>(null);
  /** Set by a sign-in that follows a sign-out, until the form is filled in from the account. */
  const isBack = useRef(false);
  /** The form that a sign-out left behind. It is not kept until somebody types into it. */
  const leftBehind = useRef<FormState | null>(null);
  const owner = account.user?.id ?? null;
  const { user } = account;

  useEffect(() => {
    if (account.state === "unknown") return;
    if (user) {
      const isAnother = lastOwner.current !== null && lastOwner.current !== user.id;
      if (isAnother) dispatch({ type: "another-account" });
      isBack.current = lastOwner.current !== null && !wasIn.current;
      lastOwner.current = user.id;
      dispatch({ type: "prefill", values: prefillOf(user) });
      setSignedOut(false);
    } else if (wasIn.current) {
      dispatch({ type: "prefill", values: {} });
      setSignedOut(true);
    }
    wasIn.current = user !== null;
    if (started.current) return;
    started.current = true;
    setStarted(true);
    if (plain) return;
    const handed = takeHanded();
    if (handed) {
      dispatch({ type: "restore", form: formOfReport(handed.report) });
      setOrigin({ kind: "report", at: handed.submittedAt });
      return;
    }
    const draft = storedDraft(owner, Date.now());
    if (!draft) return;
    dispatch({ type: "restore", form: formOf(draft) });
    setOrigin({ kind: "draft", at: new Date(draft.savedAt).toISOString() });
    holds.current = true;
  }, [account.state, user, owner, dispatch, plain]);

  const keeps = isStarted && !isSignedOut;
  useEffect(() => {
    if (!keeps) return;
    if (isBack.current) {
      isBack.current = false;
      leftBehind.current = state;
      holds.current = false;
    }
    const save = () => {
      if (state === leftBehind.current) return;
      // Another tab has signed out or discarded it. What is typed from here on is kept again.
      const isGone = holds.current && readDraft() === undefined;
      holds.current = !isGone && (holds.current || isDirty(state));
      if (holds.current) setKept(storeDraft(state, owner, Date.now()));
    };
    const timer = setTimeout(save, PAUSE_MS);
    window.addEventListener("pagehide", save);
    return () => {
      clearTimeout(timer);
      window.removeEventListener("pagehide", save);
    };
  }, [keeps, state, owner]);

  return {
    origin,
    /** Whether the browser holds what was typed, as far as a draft may. */
    isKept: isKept && keeps && isDirty(state),
    discard() {
      removeDraft();
      holds.current = false;
      setOrigin(null);
      dispatch({ type: "reset" });
    },
  };
}
