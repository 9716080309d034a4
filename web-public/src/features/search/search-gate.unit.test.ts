import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { currentToasts, dismissToasts } from "../../components/toast-store.ts";
import { admitSearch, resetSearchGate } from "./search-gate.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout"] });
  resetSearchGate();
});
afterEach(() => {
  dismissToasts("warning");
  vi.useRealTimers();
});

const confirms = vi.fn(async () => true);
const declines = vi.fn(async () => false);

/** Makes several searches at once. @returns whether each was allowed. */
async function search(times: number, ask = confirms): Promise<boolean[]> {
  const answers: boolean[] = [];
  for (let i = 0; i < times; i += 1) answers.push(await admitSearch(ask));
  return answers;
}

const toasts = () => currentToasts().map(({ kind, title, text }) => ({ kind, title, text }));

it("asks once, at the sixth search, and continues after confirmation", async () => {
  confirms.mockClear();
  expect(await search(5)).toEqual(Array(5).fill(true));
  expect(confirms).not.toHaveBeenCalled();
  expect(await search(5)).toEqual(Array(5).fill(true));
  expect(confirms).toHaveBeenCalledTimes(1);
});

it("doesn't ask an account in good standing, but still throttles it", async () => {
  confirms.mockClear();
  const answers: boolean[] = [];
  for (let i = 0; i < 11; i += 1) answers.push(await admitSearch(confirms, true));
  expect(answers).toEqual([...Array(10).fill(true), false]);
  expect(confirms).not.toHaveBeenCalled();
});

it("makes no search without confirmation, and asks again", async () => {
  declines.mockClear();
  await search(5);
  expect(await search(2, declines)).toEqual([false, false]);
  expect(declines).toHaveBeenCalledTimes(2);
  expect(toasts()).toEqual([]);
});

it("explains why it refuses the eleventh search, and allows it six seconds after the tenth", async () => {
  await search(10);
  expect(await search(1)).toEqual([false]);
  expect(toasts()).toEqual([
    {
      kind: "warning",
      title: "Rate Limit Exceeded",
      text: "Too many searches in a short time. Please wait before searching again.",
    },
  ]);
  vi.setSystemTime(Date.now() + 6000);
  expect(await search(1)).toEqual([true]);
});

it("counts from zero after a reset, without the warning or the confirmation", async () => {
  confirms.mockClear();
  await search(11);
  resetSearchGate();
  expect(toasts()).toEqual([]);
  expect(await search(5)).toEqual(Array(5).fill(true));
  expect(confirms).toHaveBeenCalledTimes(1);
  await search(1);
  expect(confirms).toHaveBeenCalledTimes(2);
});
