import { type FieldProblems, fieldLabel } from "./problem-wording.ts";

const MAX_DEPTH = 32;

/**
 * Looks for text that no store keeps: NUL bytes and lone surrogates, in values and in names; and
 * for nesting so deep that it is no request of ours.
 * @param input a parsed body, query or path.
 * @returns the problems by field; undefined when there are none.
 */
export function findBadText(input: unknown): FieldProblems | undefined {
  const problems: FieldProblems = {};
  const waiting: { path: string; name: string; value: unknown; depth: number }[] = [
    { path: "", name: "", value: input, depth: 0 },
  ];
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    const { path, name, value, depth } = entry;
    if (typeof value === "string") {
      if (!isStorable(value))
        problems[path || "body"] = `${fieldLabel(name)} contains characters that cannot be stored`;
    } else if (typeof value === "object" && value !== null) {
      if (depth >= MAX_DEPTH) return { [path]: `${fieldLabel(name)} is nested too deeply` };
      for (const [key, child] of Object.entries(value)) {
        if (!isStorable(key)) {
          problems[path || "body"] =
            "The name of a field contains characters that cannot be stored";
          continue;
        }
        const index = Array.isArray(value);
        waiting.push({
          path: path === "" ? key : `${path}.${key}`,
          name: index ? name : key,
          value: child,
          depth: depth + 1,
        });
      }
    }
  }
  return Object.keys(problems).length > 0 ? problems : undefined;
}

function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
