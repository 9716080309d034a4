import { createContext, type Dispatch, use } from "react";
import type { SameOrder } from "#contracts/http/own-reports.ts";
import type { ReportType } from "#contracts/report/words.ts";
import type { FormAction, FormState } from "./form-state.ts";

/** State shared by the form's fields. */
export interface FormContextValue {
  readonly state: FormState;
  readonly type: ReportType;
  readonly dispatch: Dispatch<FormAction>;
  /** The latest date that isn't in the future anywhere, `YYYY-MM-DD`. */
  readonly latestDate: string;
  /** The account's own report about the same order; null if there is none. */
  readonly earlier: SameOrder;
  /** Returns a field's error once the reporter has left it or tried to submit. */
  problemOf(path: string): string | undefined;
  /** Whether the reporter has left the field or tried to submit. */
  isLeft(path: string): boolean;
  /** Order and tracking numbers of the report itself. */
  readonly own: readonly string[];
  /** Called when the reporter leaves the field. */
  leave(path: string): void;
}

export const FormContext = createContext<FormContextValue | null>(null);

export function useReportForm(): FormContextValue {
  const form = use(FormContext);
  if (!form) throw new Error("This field must be inside the report form");
  return form;
}
