import { EventEmitter } from "node:events";
import { Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLogger } from "../log.ts";
import { createLifecycle, RESTART_CODE, stopOnSignals, withDeadline } from "./lifecycle.ts";

const silent = createLogger({
  name: "test",
  destination: new Writable({ write: (_chunk, _encoding, done) => done() }),
});
const never = () => new Promise<never>(() => undefined);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a lifecycle", () => {
  it("stops once, in reverse order, one step at a time", async () => {
    const lifecycle = createLifecycle({ log: silent });
    const ended: string[] = [];
    for (const step of ["stores", "workers", "http"])
      lifecycle.onStop(step, async () => {
        await Promise.resolve();
        ended.push(step);
      });
    const [first, second] = await Promise.all([lifecycle.stop(), lifecycle.stop()]);
    expect(ended).toEqual(["http", "workers", "stores"]);
    expect(first).toEqual({ clean: true, failed: [] });
    expect(second).toBe(first);
    expect(() => lifecycle.onStop("late", never)).toThrow(/while the process stops/);
  });

  it("continues after a step that fails or hangs, and reports it", async () => {
    const lifecycle = createLifecycle({ log: silent, deadlineMs: 1000 });
    const closed = vi.fn();
    lifecycle.onStop("stores", closed);
    lifecycle.onStop("workers", never);
    lifecycle.onStop("http", () => {
      throw new Error("broken");
    });
    const stopping = lifecycle.stop();
    await vi.advanceTimersByTimeAsync(1001);
    expect(await stopping).toEqual({ clean: false, failed: ["http", "workers"] });
    expect(closed).toHaveBeenCalledOnce();
  });
});

describe("stopOnSignals", () => {
  function target() {
    return Object.assign(new EventEmitter(), { exit: vi.fn() });
  }

  it.each(["SIGTERM", "SIGINT"])("stops on %s and exits with 0", async (signal) => {
    const [lifecycle, process] = [createLifecycle({ log: silent }), target()];
    const closed = vi.fn();
    lifecycle.onStop("stores", closed);
    stopOnSignals(lifecycle, silent, process);
    process.emit(signal, signal);
    await vi.waitFor(() => expect(process.exit).toHaveBeenCalledWith(0));
    expect(closed).toHaveBeenCalledOnce();
  });

  it("treats a duplicate signal as one; a later one exits immediately", async () => {
    const [lifecycle, process] = [createLifecycle({ log: silent }), target()];
    lifecycle.onStop("hangs", never);
    stopOnSignals(lifecycle, silent, process);
    process.emit("SIGINT", "SIGINT");
    await vi.advanceTimersByTimeAsync(500);
    process.emit("SIGINT", "SIGINT");
    expect(process.exit).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(600);
    process.emit("SIGINT", "SIGINT");
    expect(process.exit).toHaveBeenCalledWith(1);
  });

  it("exits with its own code to be restarted, once, and not while already stopping", async () => {
    const [lifecycle, process] = [createLifecycle({ log: silent }), target()];
    const closed = vi.fn();
    lifecycle.onStop("stores", closed);
    const restart = stopOnSignals(lifecycle, silent, process);
    restart();
    restart();
    await vi.waitFor(() => expect(process.exit).toHaveBeenCalledWith(RESTART_CODE));
    expect(closed).toHaveBeenCalledOnce();
    expect(process.exit).toHaveBeenCalledOnce();
    const other = target();
    const stopped = stopOnSignals(createLifecycle({ log: silent }), silent, other);
    other.emit("SIGTERM", "SIGTERM");
    stopped();
    await vi.waitFor(() => expect(other.exit).toHaveBeenCalledWith(0));
    expect(other.exit).toHaveBeenCalledOnce();
  });

  it("exits with 1 if a step did not stop for a restart", async () => {
    const [lifecycle, process] = [createLifecycle({ log: silent, deadlineMs: 100 }), target()];
    lifecycle.onStop("hangs", never);
    stopOnSignals(lifecycle, silent, process)();
    await vi.advanceTimersByTimeAsync(101);
    expect(process.exit).toHaveBeenCalledWith(1);
  });

  it("exits with 1 after an error, and if a step did not stop", async () => {
    for (const event of ["uncaughtException", "unhandledRejection"]) {
      const process = target();
      stopOnSignals(createLifecycle({ log: silent }), silent, process);
      process.emit(event, new Error("x"));
      await vi.waitFor(() => expect(process.exit).toHaveBeenCalledWith(1));
    }
    const [lifecycle, process] = [createLifecycle({ log: silent, deadlineMs: 100 }), target()];
    lifecycle.onStop("hangs", never);
    stopOnSignals(lifecycle, silent, process);
    process.emit("SIGTERM", "SIGTERM");
    await vi.advanceTimersByTimeAsync(101);
    expect(process.exit).toHaveBeenCalledWith(1);
  });
});

describe("withDeadline", () => {
  it("returns the result of the work or throws its error", async () => {
    const late = () => new Error("late");
    expect(await withDeadline(Promise.resolve(7), 10, late)).toBe(7);
    await expect(withDeadline(Promise.reject(new Error("no")), 10, late)).rejects.toThrow("no");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("gives up after the time limit", async () => {
    const waiting = expect(withDeadline(never(), 10, () => new Error("late"))).rejects.toThrow(
      "late",
    );
    await vi.advanceTimersByTimeAsync(10);
    await waiting;
  });
});
