import { LETTER } from "#contracts/report/resolution.ts";

/** When a report's last file was added, as RFC 3339 text, which sorts like the time. They stand in that order. */
export const NEWEST_FILE = "(files -> -1 ->> 'added_at')";
export const HAS_FILES = "files <> '[]'::jsonb";

const IDS_OF_EVIDENCE = `jsonb_path_query_array(files, '$[*] ? (@.kind == "evidence").file_id')`;
const IDS_OF_COPIES = "jsonb_path_query_array(copies, '$[*].file_id')";

/** What a report may have of files, and the SQL of whether it has it. A letter is never published. */
const HOLDINGS = {
  letter: `files @> '[{"kind":"${LETTER}"}]'::jsonb`,
  published: "copies <> '[]'::jsonb",
  unpublished: `not ${IDS_OF_COPIES} @> ${IDS_OF_EVIDENCE}`,
} as const;
export type Holding = keyof typeof HOLDINGS;

/** Each combination of holdings as the index has it, with its holdings. */
export const FILE_CLASSES: ReadonlyMap<string, readonly Holding[]> = classesOf(
  Object.keys(HOLDINGS) as Holding[],
);

function classesOf([first, ...others]: readonly Holding[]): ReadonlyMap<
  string,
  readonly Holding[]
> {
  if (!first) return new Map([["", []]]);
  return new Map(
    [...classesOf(others)].flatMap(([code, held]) => [
      [`${first.charAt(0)}${code}`, [first, ...held]] as const,
      [code, held] as const,
    ]),
  );
}

/** SQL of a report's class: the first letters of what it has. */
export const FILE_CLASS = `(${Object.entries(HOLDINGS)
  .map(([name, has]) => `case when ${has} then '${name.charAt(0)}' else '' end`)
  .join(" || ")})`;

/** For the list of documents, whatever it is filtered by. */
export function createFileIndexes(schema: string): string {
  return `
    create index report_by_file on ${schema}.report
      (${FILE_CLASS}, ${NEWEST_FILE} desc, id desc) where ${HAS_FILES};
  `;
}
