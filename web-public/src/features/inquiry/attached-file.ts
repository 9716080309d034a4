import type { NamedUpload } from "#contracts/http/evidence.ts";

/** The value of the form's file while it is sent. The others are "" and what {@link fileValue} made. */
export const ON_ITS_WAY = "sending";

/** A file that has arrived, as a value of the form. */
export function fileValue({ id, secret, name }: NamedUpload): string {
  return JSON.stringify({ id, secret, name });
}

/** The file of a value; undefined while there is none. */
export function fileOf(value: string | undefined): NamedUpload | undefined {
  return value && value !== ON_ITS_WAY ? (JSON.parse(value) as NamedUpload) : undefined;
}

/** What is wrong with the form's file. */
export function fileProblems(name: string, value: string | undefined): Record<string, string> {
  return value === ON_ITS_WAY ? { [name]: "Please wait until the file is uploaded" } : {};
}
