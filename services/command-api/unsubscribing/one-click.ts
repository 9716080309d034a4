const FIELD = "List-Unsubscribe";
const VALUE = "One-Click";
/** The field as a part of `multipart/form-data` (RFC 7578). */
const PART = new RegExp(
  `name="?${FIELD}"?[^\\r\\n]*\\r\\n(?:[^\\r\\n]+\\r\\n)*\\r\\n${VALUE}\\r\\n`,
  "i",
);

/**
 * The form that RFC 8058 wants, `List-Unsubscribe=One-Click`, in either encoding of forms.
 * @returns what a JSON body would say; nothing of any other form, which the schema refuses.
 */
export function readOneClick(body: string): object {
  const isOneClick = new URLSearchParams(body).get(FIELD) === VALUE || PART.test(body);
  return isOneClick ? { wanted: false } : {};
}
