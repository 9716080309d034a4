/**
 * Waits for `work`, but no longer than `ms` milliseconds. The work itself is not stopped; its later
 * result or failure is dropped.
 * @throws the error of `onTimeout`, when time runs out first.
 */
export async function withDeadline<T>(
  work: Promise<T>,
  ms: number,
  onTimeout: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(onTimeout()), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
