import { type Dispatch, useEffect, useRef, useState } from "react";
import type { User } from "#contracts/http/account.ts";
import type { FullReport } from "#contracts/http/report-view.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { FieldRow } from "#contracts/report/catalogue.ts";
import { CHARGEBACK_ROWS, REPORT_ROWS } from "#contracts/report/derive/fields.ts";
import { readDraft, removeDraft, removeExpiredDraft, writeDraft } from "../../lib/draft-storage.ts";
import type { Account } from "../../session/site-session.ts";
import { FORM_FIELDS, ITEM_FIELDS } from "./form-fields.ts";
import {
  type FormAction,
  type FormState,
  filledIn,
  isDirty,
  type Prefilled,
} from "./form-state.ts";
import { takePassedReport } from "./handed-report.ts";
import type { PlainSubmission } from "./plain-form.ts";

/** Milliseconds without a change before the draft is saved. */
const PAUSE_MS = 400;

/** The source the form was filled in from, and that source's time (RFC 3339). */
export interface Origin {
  readonly kind: "draft" | "report";
  readonly at: string;
}

/**
 * Fills in the form initially: from the account, and from a report being submitted again or an earlier draft. A
 * form that the browser itself submitted is newer than both, and stays. Then saves what is typed. After a
 * sign-out, nothing in the form is saved.
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
  /** Whether this form has a stored draft, as far as it knows. */
  const holds = useRef(false);
  const wasIn = useRef(false);
  /** ID of the account that was signed in last. */
  const lastOwner = useRef<string | null>(null);
  /** True between a sign-in that follows a sign-out and the first render with the account's values. */
  const isBack = useRef(false);
  /** The form as a sign-out left it. Not saved until the user types again. */
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
    const handed = takePassedReport();
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
      // Another tab signed out or discarded the draft. Later input is saved again.
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
    /** Whether what was typed is saved, as far as drafts allow. */
    isKept: isKept && keeps && isDirty(state),
    discard() {
      removeDraft();
      holds.current = false;
      setOrigin(null);
      dispatch({ type: "reset" });
    },
  };
}

/**
 * Returns the account's values for the reporter's fields. Leaves out the public company name, which reporters
 * decide on for each report.
 */
export function prefillOf(user: User): Prefilled {
  return omitUndefined({
    reporter_first_name: user.first_name,
    reporter_last_name: user.last_name,
    reporter_email: user.email,
    reporter_phone: user.phone,
    reporter_company_name: user.company,
  });
}

/** Converts a report back to the form that would produce it. */
export function formOfReport(report: FullReport): Pick<FormState, "fields" | "items"> {
  const reader =
    <F extends string>(values: Readonly<Partial<Record<F, unknown>>>) =>
    (field: F) =>
      values[field] === undefined ? undefined : textOf(values[field]);
  return filledIn(reader(report), (report.chargebacks ?? []).map(reader));
}

function textOf(value: unknown): string {
  return typeof value === "number" ? value.toFixed(2) : String(value);
}

/**
 * Returns the draft for the current user; undefined if there is none. Removes an expired or unreadable draft. An
 * account's draft is only for that account.
 */
export function storedDraft(account: string | null, now: number): Draft | undefined {
  removeExpiredDraft(now);
  const text = readDraft();
  if (text === undefined) return undefined;
  const draft = parsed(text);
  if (!draft) {
    removeDraft();
    return undefined;
  }
  return draft.account === null || draft.account === account ? draft : undefined;
}

/** Saves what was typed; an empty form removes the draft. @returns whether it is saved. */
export function storeDraft(state: FormState, account: string | null, now: number): boolean {
  if (isDirty(state)) return writeDraft(JSON.stringify(draftOf(state, account, now)));
  removeDraft();
  return false;
}

function parsed(text: string): Draft | undefined {
  try {
    const { savedAt, account, fields, items } = JSON.parse(text) as Record<string, unknown>;
    const isOurs =
      typeof savedAt === "number" &&
      (account === null || typeof account === "string") &&
      isRecord(fields) &&
      Array.isArray(items) &&
      items.every(isRecord);
    return isOurs ? ({ savedAt, account, fields, items } as Draft) : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface Draft {
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
  /** ID of the signed-in account; null for a visitor. */
  readonly account: string | null;
  readonly fields: Readonly<Record<string, string>>;
  readonly items: readonly Readonly<Record<string, string>>[];
}

/**
 * Whether drafts include the field. Card, check and account numbers and contact details aren't left in a browser
 * that others may use.
 */
function isKept({ kind, section, part, shown }: FieldRow): boolean {
  if (kind === "email" || kind === "phone" || kind === "ip_addresses") return false;
  if (kind === "digits" || section === "card") return false;
  if (section === "check") return part === "clear";
  return section !== "address" || shown !== "kept";
}

const KEPT_FIELDS = FORM_FIELDS.filter((field) => isKept(REPORT_ROWS[field]));
const KEPT_ITEM_FIELDS = ITEM_FIELDS.filter((field) => isKept(CHARGEBACK_ROWS[field]));

/** Returns the draft of a form. */
export function draftOf(state: FormState, account: string | null, now: number): Draft {
  return {
    savedAt: now,
    account,
    fields: kept(KEPT_FIELDS, state.fields),
    items: state.items.map(({ values }) => kept(KEPT_ITEM_FIELDS, values)),
  };
}

function kept<F extends string>(fields: readonly F[], values: Readonly<Record<F, string>>) {
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}

/** Restores the form from a draft, ignoring any fields that drafts leave out. */
export function formOf(draft: Draft): Pick<FormState, "fields" | "items"> {
  const reader =
    <F extends string>(kept: readonly F[], values: Readonly<Record<string, unknown>>) =>
    (field: F) => {
      const value = kept.includes(field) ? values[field] : undefined;
      return typeof value === "string" ? value : undefined;
    };
  return filledIn(
    reader(KEPT_FIELDS, draft.fields),
    draft.items.map((values) => reader(KEPT_ITEM_FIELDS, values)),
  );
}
