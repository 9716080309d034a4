/** An edit of the profile that its account could not send any more, because its session ended. */
interface Draft {
  readonly userId: string;
  readonly values: Readonly<Record<string, string>>;
}

/** In memory alone: what is personal is written nowhere, and is gone with the tab. */
let draft: Draft | null = null;

/** Keeps what was typed until its account has signed in again; null forgets it. */
export function keepDraft(kept: Draft | null): void {
  draft = kept;
}

/** What the account had typed. */
export function keptDraft(userId: string): Readonly<Record<string, string>> | undefined {
  return draft?.userId === userId ? draft.values : undefined;
}
