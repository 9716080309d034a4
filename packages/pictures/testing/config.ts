/** Names of all variables of this process. */
export function variableNames(): string[] {
  return Object.keys(process.env);
}
