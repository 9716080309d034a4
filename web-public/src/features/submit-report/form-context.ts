import { createContext, type Dispatch, use } from "react";
import type { SameOrder } from "#contracts/http/own-reports.ts";
import type { ReportType } from "#contracts/report/words.ts";
import type { FormAction, FormState } from "./form-state.ts";

/** What the fields of the form share. */
export interface FormContextValue {
  readonly state: FormState;
  readonly type: ReportType;
  readonly dispatch: Dispatch<FormAction>;
  /** The last day that is not in the future, `YYYY-MM-DD`. */
  readonly latestDate: string;
  /** A report of the account's own about the same order; null where none is known. */
  readonly earlier: SameOrder;
  /** The error of a field, once the reporter has left it or tried to submit. */
  problemOf(path: string): string | undefined;
  /** Whether the reporter has left the field or tried to submit. */
  isLeft(path: string): boolean;
  /** The numbers of the report's own orders and parcels. */
  readonly own: readonly string[];
  /** Called when the reporter leaves the field. */
  leave(path: string): void;
}

export const FormContext = createContext<FormContextValue | null>(null);

export function useReportForm(): FormContextValue {
  const form = use(FormContext);
  if (!form) throw new Error("This field stands outside of the form");
  return form;
}
