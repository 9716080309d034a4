/** The result of one stage of the test run. */
export type StageResult = {
  passed: number;
  failed: Failure[];
  skipped: Skip[];
};

/** The result of one test file; `file` is relative to the project root. */
export type FileResult = StageResult & {
  file: string;
  ms: number;
};

/** The result of a vitest stage; `unhandled` are errors outside any test. */
export type FilesResult = { files: FileResult[]; unhandled: Failure[] };

/** A failed test or stage, with the first line of its message. */
export type Failure = { test: string; message: string };

/** A skipped test. */
export type Skip = { test: string; reason: string };

/** A skip allowed on a machine: part of the test's full name, and the reason. */
export type AllowedSkip = { test: string; why: string };

export function crashed(stage: string, message: string): StageResult {
  return { passed: 0, failed: [{ test: stage, message }], skipped: [] };
}

export function sum(results: readonly StageResult[]): StageResult {
  return {
    passed: results.reduce((total, { passed }) => total + passed, 0),
    failed: results.flatMap(({ failed }) => failed),
    skipped: results.flatMap(({ skipped }) => skipped),
  };
}

export function sumFiles({ files, unhandled }: FilesResult): StageResult {
  return sum([...files, { passed: 0, failed: unhandled, skipped: [] }]);
}

export function closingLine({ passed, failed, skipped }: StageResult): string {
  return `${passed} passed, ${failed.length} failed, ${skipped.length} skipped`;
}

/** Lists and counts the skipped tests by reason, and explains how to run more of them. */
export function skipLines(skips: readonly Skip[]): string[] {
  if (skips.length === 0) return [];
  const byReason = Map.groupBy(skips, ({ reason }) => reason);
  const lines = [...byReason].flatMap(([reason, group]) => [
    `Skipped (${reason}): ${group.length}`,
    ...group.map(({ test }) => `  ${test}`),
  ]);
  return [...lines, "To run tests that need a browser or a server (Debian): bash .ci/run"];
}

/** Lists the ten slowest files. */
export function slowestLines(files: readonly FileResult[]): string[] {
  const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, 10);
  return slowest.map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`);
}

/** Lists each failure, for readers who see only the end of a run. */
export function failureLines(failures: readonly Failure[]): string[] {
  return failures.map(({ test, message }) => `Failed: ${test}: ${message}`);
}

export function forbiddenSkips(skips: readonly Skip[], allowed: readonly AllowedSkip[]): Skip[] {
  return skips.filter(({ test }) => !allowed.some((rule) => test.includes(rule.test)));
}

/** @throws Error if the text is not a list of {@link AllowedSkip}. */
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
