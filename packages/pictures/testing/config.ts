/** Returns the names of this process's environment variables. */
export function variableNames(): string[] {
  return Object.keys(process.env);
}
