import { LETTER } from "#contracts/report/resolution.ts";

/** When a report's last file was added, as RFC 3339 text, which sorts like the time. They stand in that order. */
export const NEWEST_FILE = "(files -> -1 ->> 'added_at')";
export const HAS_FILES = "files <> '[]'::jsonb";
export const HAS_LETTER = `files @> '[{"kind":"${LETTER}"}]'::jsonb`;
export const IS_PUBLISHED = "copies <> '[]'::jsonb";

/** For the list of documents: all, letters, and what is published. */
export function createFileIndexes(schema: string): string {
  const index = (name: string, where: string) =>
    `create index ${name} on ${schema}.report (${NEWEST_FILE} desc, id desc) where ${where};`;
  return `
    ${index("report_by_file", HAS_FILES)}
    ${index("report_by_letter", `${HAS_FILES} and ${HAS_LETTER}`)}
    ${index("report_by_copy", `${HAS_FILES} and ${IS_PUBLISHED}`)}
  `;
}
