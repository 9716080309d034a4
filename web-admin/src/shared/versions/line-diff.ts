interface DiffLine {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Limit for the size of the LCS table; larger differences become a single block. */
const MAX_CELLS = 4_000_000;

/** Returns the line diff from `before` to `after`, with the fewest removals and additions. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start])
    start += 1;
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    before.at(-1 - end) === after.at(-1 - end)
  )
    end += 1;
  const old = before.slice(start, before.length - end);
  const young = after.slice(start, after.length - end);
  return [
    ...lines("same", before.slice(0, start)),
    ...(old.length * young.length > MAX_CELLS
      ? [...lines("removed", old), ...lines("added", young)]
      : compared(old, young)),
    ...lines("same", before.slice(before.length - end)),
  ];
}

function lines(kind: DiffLine["kind"], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}

/** Diffs by the longest common subsequence of lines. */
function compared(old: readonly string[], young: readonly string[]): DiffLine[] {
  const width = young.length + 1;
  /** Length of the longest common subsequence of both suffixes. */
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = young.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        old[i] === young[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const found: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < young.length) {
    const isSame = i < old.length && j < young.length && old[i] === young[j];
    if (isSame) {
      found.push({ kind: "same", text: old[i++] ?? "" });
      j += 1;
    } else if (i < old.length && (j === young.length || at(i + 1, j) >= at(i, j + 1)))
      found.push({ kind: "removed", text: old[i++] ?? "" });
    else found.push({ kind: "added", text: young[j++] ?? "" });
  }
  return found;
}

/** Unchanged lines shown before and after a change. */
const AROUND = 2;

/** Collapses unchanged lines that are far from any change into a count. */
export function folded(diff: readonly DiffLine[]): (DiffLine | { readonly skipped: number })[] {
  const isNear = (n: number) =>
    diff.slice(Math.max(0, n - AROUND), n + AROUND + 1).some(({ kind }) => kind !== "same");
  const shown: (DiffLine | { skipped: number })[] = [];
  for (const [n, line] of diff.entries()) {
    const last = shown.at(-1);
    if (isNear(n)) shown.push(line);
    else if (last && "skipped" in last) last.skipped += 1;
    else shown.push({ skipped: 1 });
  }
  return shown;
}
