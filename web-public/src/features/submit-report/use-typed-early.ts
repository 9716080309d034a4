import { type Dispatch, type RefObject, useEffect } from "react";
import { FORM_FIELDS } from "./form-fields.ts";
import type { FormAction, FormState } from "./form-state.ts";
import { TERMS } from "./plain-form.ts";

/**
 * Takes over what was typed, picked or filled in by the browser before the page's scripts ran: React
 * would put its own empty values in its place.
 */
export function useTypedEarly(
  form: RefObject<HTMLFormElement | null>,
  state: FormState,
  dispatch: Dispatch<FormAction>,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at the start.
  useEffect(() => {
    const controls = form.current?.elements;
    if (!controls) return;
    for (const field of FORM_FIELDS) {
      const value = typedIn(controls.namedItem(field));
      if (value !== undefined && value !== state.fields[field]) {
        dispatch({ type: "set", field, value });
      }
    }
    const terms = controls.namedItem(TERMS);
    const accepted = terms instanceof HTMLInputElement && terms.checked;
    if (accepted && !state.termsAccepted) dispatch({ type: "accept-terms", accepted });
  }, []);
}

/** Undefined for a field that this type of report does not have. */
function typedIn(control: Element | RadioNodeList | null): string | undefined {
  const isTyped =
    control instanceof HTMLInputElement ||
    control instanceof HTMLTextAreaElement ||
    control instanceof HTMLSelectElement ||
    control instanceof RadioNodeList;
  return isTyped ? control.value : undefined;
}
