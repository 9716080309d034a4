/** What a stage of the test run came to. */
export type StageResult = {
  passed: number;
  failed: number;
  skipped: Skip[];
};

/** A test that did not run. */
export type Skip = { test: string; reason: string };

/** A rule of the list of skips that a machine is allowed: part of the test's full name, and why. */
export type AllowedSkip = { test: string; why: string };

export const crashed: StageResult = { passed: 0, failed: 1, skipped: [] };

export function sum(results: readonly StageResult[]): StageResult {
  return {
    passed: results.reduce((total, { passed }) => total + passed, 0),
    failed: results.reduce((total, { failed }) => total + failed, 0),
    skipped: results.flatMap(({ skipped }) => skipped),
  };
}

/** The one line that a run closes on. */
export function closingLine({ passed, failed, skipped }: StageResult): string {
  return `${passed} passed, ${failed} failed, ${skipped.length} skipped`;
}

/** Lines that name each skipped test and its reason; tests of one reason stand together. */
export function skipLines(skips: readonly Skip[]): string[] {
  const byReason = Map.groupBy(skips, ({ reason }) => reason);
  return [...byReason].flatMap(([reason, group]) => [
    `Skipped (${reason}):`,
    ...group.map(({ test }) => `  ${test}`),
  ]);
}

export function forbiddenSkips(skips: readonly Skip[], allowed: readonly AllowedSkip[]): Skip[] {
  return skips.filter(({ test }) => !allowed.some((rule) => test.includes(rule.test)));
}

/** @throws Error when the text is not a list of {@link AllowedSkip}. */
export function parseAllowedSkips(text: string): AllowedSkip[] {
  const list: unknown = JSON.parse(text);
  const isRule = (rule: unknown): rule is AllowedSkip => {
    const { test, why } = (rule ?? {}) as Record<string, unknown>;
    return typeof test === "string" && test !== "" && typeof why === "string" && why !== "";
  };
  if (!Array.isArray(list) || !list.every(isRule))
    throw new Error('the list of allowed skips holds entries { "test": ..., "why": ... }');
  return list;
}
