import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { currentToasts, dismissToasts } from "../../components/toast-store.ts";
import { mayCountSearch, resetSearchGate } from "./search-gate.ts";

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

/** Makes so many searches at once. @returns for each, whether it may be made. */
async function search(times: number, ask = confirms): Promise<boolean[]> {
  const answers: boolean[] = [];
  for (let i = 0; i < times; i += 1) answers.push(await mayCountSearch(ask));
  return answers;
}

const toasts = () => currentToasts().map(({ kind, title, text }) => ({ kind, title, text }));

it("asks at the sixth search, once, and goes on when it is confirmed", async () => {
  confirms.mockClear();
  expect(await search(5)).toEqual(Array(5).fill(true));
  expect(confirms).not.toHaveBeenCalled();
  expect(await search(5)).toEqual(Array(5).fill(true));
  expect(confirms).toHaveBeenCalledTimes(1);
});

it("asks no account in good standing, and paces it all the same", async () => {
  confirms.mockClear();
  const answers: boolean[] = [];
  for (let i = 0; i < 11; i += 1) answers.push(await mayCountSearch(confirms, true));
  expect(answers).toEqual([...Array(10).fill(true), false]);
  expect(confirms).not.toHaveBeenCalled();
});

it("makes no search without the confirmation, and asks again", async () => {
  declines.mockClear();
  await search(5);
  expect(await search(2, declines)).toEqual([false, false]);
  expect(declines).toHaveBeenCalledTimes(2);
  expect(toasts()).toEqual([]);
});

it("says why it refuses the eleventh search, and admits it six seconds after the tenth", async () => {
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

it("counts from zero after a reset, without warning and confirmation", async () => {
  confirms.mockClear();
  await search(11);
  resetSearchGate();
  expect(toasts()).toEqual([]);
  expect(await search(5)).toEqual(Array(5).fill(true));
  expect(confirms).toHaveBeenCalledTimes(1);
  await search(1);
  expect(confirms).toHaveBeenCalledTimes(2);
});
