/** A reason not to start or continue that the operator can fix, in one sentence. The exit code is 1. */
export class Refusal extends Error {
  override name = "Refusal";
}

/** An error's operating system code (`EACCES`, `ENOSPC`, ...), if any. */
export function errorCode(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : undefined;
}

/** Turns an error writing below `folder` into a sentence; returns other errors unchanged. */
export function explainWriteError(error: unknown, folder: string): unknown {
  if (error instanceof Refusal) return error;
  const text = error instanceof Error ? error.message : String(error);
  switch (errorCode(error)) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new Refusal(
        `The data folder ${folder} cannot be written to: make it writable for this user, or choose another folder with DATA_DIR.`,
      );
    case "ENOSPC":
    case "EDQUOT":
      return diskFull(folder);
    case "ENOTDIR":
    case "EEXIST":
      return new Refusal(
        `The data folder ${folder} can't be created because a file with that name exists: choose another folder with DATA_DIR.`,
      );
    case "ENOENT":
    case "EINVAL":
    case "ENAMETOOLONG":
      return new Refusal(
        `The data folder ${folder} can't be created there: choose another folder with DATA_DIR.`,
      );
  }
  // PostgreSQL's programs and SQLite report a full disk only as text.
  if (/no space left on device|database or disk is full|disk quota exceeded/i.test(text))
    return diskFull(folder);
  if (/read-only file system|attempt to write a readonly database/i.test(text))
    return new Refusal(
      `The data folder ${folder} cannot be written to: make it writable for this user, or choose another folder with DATA_DIR.`,
    );
  return error;
}

function diskFull(folder: string): Refusal {
  return new Refusal(
    `The disk that holds the data folder ${folder} is full: free some space, or choose another folder with DATA_DIR.`,
  );
}
