/**
 * What the reporter wrote, each on one line. Templates get it only for an address that its owner
 * confirmed: anybody can have a mail sent to anybody, and must not choose its words.
 */
export interface ReporterWords {
  readonly firstName: string;
  readonly title: string;
}

/** `report "Title"`, or `report` alone for an address that is not confirmed. */
export function reportCalled(words: ReporterWords | undefined): string {
  return words?.title ? `report "${words.title}"` : "report";
}

/** Greets by the first name, or by none for an address that is not confirmed. */
export function greeting(words: ReporterWords | undefined): string {
  return words?.firstName ? `Hello ${words.firstName},` : "Hello,";
}
