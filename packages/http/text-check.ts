import { inputBounds } from "./bounds.ts";
import { type FieldProblems, fieldLabel, type ProblemList, problemList } from "./validation.ts";

/** A value and where it is; the path is built only if there is a problem. */
interface Place {
  readonly value: unknown;
  readonly key: string;
  /** The nearest name above: a list entry has the list's name. */
  readonly name: string;
  readonly parent: Place | undefined;
  readonly depth: number;
}

/**
 * Looks for text that no store can keep (NUL bytes and lone surrogates, in values and names) and for
 * input larger or deeper than any valid request. Stops at the first excess, and once there are as
 * many problems as one reply lists.
 * @param input a parsed body, query or path.
 * @param maxValues maximum number of strings, numbers, lists and objects.
 * @returns the problems by field; undefined if there are none.
 */
export function findBadText(input: unknown, maxValues: number): FieldProblems | undefined {
  const problems = problemList();
  const root: Place = { value: input, key: "", name: "", parent: undefined, depth: 0 };
  const waiting = [root];
  let left = maxValues;
  for (let place = waiting.pop(); place && !problems.isFull(); place = waiting.pop()) {
    const { value, name, depth } = place;
    if (typeof value === "string") {
      if (!isStorable(value))
        problems.add(pathTo(place), `${fieldLabel(name)} contains characters that can't be stored`);
    } else if (typeof value === "object" && value !== null) {
      if (depth >= inputBounds.depth)
        return only(place, `${fieldLabel(name)} is nested too deeply`);
      const isList = Array.isArray(value);
      const keys = Object.keys(value);
      left -= keys.length;
      if (left < 0) return only(place, tooManyValues(maxValues));
      for (const key of keys) {
        if (!isList && !isName(key, place, problems)) continue;
        const child = (value as Record<string, unknown>)[key];
        waiting.push({
          value: child,
          key,
          name: isList ? name : key,
          parent: place,
          depth: depth + 1,
        });
      }
    }
  }
  return problems.found();
}

/** Problem of a request with a field name that is too long. */
export const nameTooLong = `The name of a field must have at most ${inputBounds.nameLength} characters`;

/** Problem of a request with more values than its route accepts. */
export function tooManyValues(most: number): string {
  return `The request has more than ${most} values`;
}

function only(place: Place, text: string): FieldProblems | undefined {
  const problems = problemList();
  problems.add(pathTo(place), text);
  return problems.found();
}

/** Whether the field's name is acceptable; if not, records a problem for its parent. */
function isName(key: string, holder: Place, problems: ProblemList): boolean {
  if (key.length > inputBounds.nameLength) problems.add(pathTo(holder), nameTooLong);
  else if (!isStorable(key))
    problems.add(pathTo(holder), "The name of a field contains characters that can't be stored");
  else return true;
  return false;
}

function pathTo(place: Place): string {
  const keys: string[] = [];
  for (let at: Place | undefined = place; at?.parent; at = at.parent) keys.push(at.key);
  return keys.reverse().join(".") || "body";
}

function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
