/**
 * The reporter's own words, each on one line. Templates get them only when the owner of the address
 * has confirmed it. Anybody can have a mail sent to any address, and must not choose its words.
 */
export interface ReporterWords {
  readonly firstName: string;
  readonly title: string;
}

/** `report "Title"`, or just `report` for an address that is not confirmed. */
export function reportCalled(words: ReporterWords | undefined): string {
  return words?.title ? `report "${words.title}"` : "report";
}

/** Greets by first name, or without a name for an address that is not confirmed. */
export function greeting(words: ReporterWords | undefined): string {
  return words?.firstName ? `Hello ${words.firstName},` : "Hello,";
}
