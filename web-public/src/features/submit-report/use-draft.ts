import { type Dispatch, useEffect, useRef, useState } from "react";
import { given } from "#contracts/given.ts";
import type { User } from "#contracts/http/account.ts";
import type { FullReport } from "#contracts/http/report-view.ts";
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
import { takeHanded } from "./handed-report.ts";
import type { PlainSubmission } from "./plain-form.ts";

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

/**
 * What an account says of itself, for the reporter's fields. The public company name is not among
 * them: anyone who reports decides on each report whether it stands on it.
 */
export function prefillOf(user: User): Prefilled {
  return given({
    reporter_first_name: user.first_name,
    reporter_last_name: user.last_name,
    reporter_email: user.email,
    reporter_phone: user.phone,
    reporter_company_name: user.company,
  });
}

/** The form as somebody would have filled it in for this report. */
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
 * The draft of the person who is at the browser; undefined when there is none. One that is too old or
 * unreadable is removed. One of an account is shown to that account only.
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

/** Keeps what was typed; a form without anything typed leaves no draft. @returns whether it is kept. */
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
  /** The account that was signed in; null for a visitor. */
  readonly account: string | null;
  readonly fields: Readonly<Record<string, string>>;
  readonly items: readonly Readonly<Record<string, string>>[];
}

/**
 * Whether a draft holds the field. Numbers of cards, checks and accounts, and whatever reaches a
 * person, are not left lying in a browser that others may use.
 */
function isKept({ kind, section, part, shown }: FieldRow): boolean {
  if (kind === "email" || kind === "phone" || kind === "ip_addresses") return false;
  if (kind === "digits" || section === "card") return false;
  if (section === "check") return part === "clear";
  return section !== "address" || shown !== "kept";
}

const KEPT_FIELDS = FORM_FIELDS.filter((field) => isKept(REPORT_ROWS[field]));
const KEPT_ITEM_FIELDS = ITEM_FIELDS.filter((field) => isKept(CHARGEBACK_ROWS[field]));

/** What a draft keeps of a form. */
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

/** The form that a draft was made of, without what drafts leave out, whatever else the storage holds. */
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
