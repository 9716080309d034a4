import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import { TEMPLATE_BOUNDS } from "#contracts/mail/template-kinds.ts";
import type { TemplateValues } from "#contracts/mail/template-variables.ts";
import { type RenderedText, TemplateInvalid, type TemplateSource } from "./render-text.ts";
import type { RenderAnswer, RenderQuestion } from "./render-worker.ts";

/** Limits on one rendering: CPU time in milliseconds, and memory in megabytes. */
const RENDER_MS = 1_000;
const MEMORY_MB = 64;
/** Wall-clock limit in milliseconds, for a machine too busy to grant the CPU time. */
const MAX_MS = 5_000;
/** Milliseconds between checks of the thread's CPU time. */
const POLL_MS = 100;
/** Milliseconds for a new worker to become ready, on a busy machine. */
const START_MS = 30_000;
/** Maximum queue length. */
const MAX_WAITING = 100;

/** The queue is full, or the worker did not start. Not the template's fault. */
export class RendererBusy extends Error {
  override readonly name = "RendererBusy";
}

/** Renders templates one at a time in a thread that is terminated if it exceeds its time or memory. */
export class TemplateRenderer {
  readonly #limited = pLimit(1);
  #worker: Promise<Worker> | undefined;

  /** @throws {TemplateInvalid} also if it took too long or too much memory. @throws {RendererBusy} */
  async render(source: TemplateSource, values: TemplateValues): Promise<RenderedText> {
    for (const field of ["subject", "body"] as const)
      if (source[field].length > TEMPLATE_BOUNDS[field])
        throw new TemplateInvalid(field, `At most ${TEMPLATE_BOUNDS[field]} characters`);
    if (this.#limited.pendingCount >= MAX_WAITING) throw new RendererBusy("the queue is full");
    const answer = await this.#limited(() => this.#ask({ source, values }));
    if ("invalid" in answer)
      throw new TemplateInvalid(answer.invalid.field, answer.invalid.message);
    if ("words" in answer) return answer.words;
    throw new RendererBusy("the worker sent no answer");
  }

  /** Terminates the thread. Don't render afterwards. */
  async close(): Promise<void> {
    const worker = await this.#worker?.catch(() => undefined);
    await worker?.terminate();
  }

  async #ask(question: RenderQuestion): Promise<RenderAnswer> {
    this.#worker ??= this.#start();
    let worker: Worker;
    try {
      worker = await this.#worker;
    } catch {
      this.#worker = undefined;
      throw new RendererBusy("the worker did not start");
    }
    const answered = nextAnswer(worker, MAX_MS);
    worker.postMessage(question);
    const answer = await Promise.race([answered, computedTooLong(worker, answered)]);
    if (answer !== "slow" && answer !== "ended") return answer;
    this.#worker = undefined;
    await worker.terminate();
    throw new TemplateInvalid(
      "body",
      `The template took more than a second or ${MEMORY_MB} MB of memory`,
    );
  }

  async #start(): Promise<Worker> {
    const worker = new Worker(new URL("./render-worker.ts", import.meta.url), {
      // The worker sees nothing of the process: no settings, no secrets.
      env: {},
      argv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 16 },
    });
    worker.unref();
    // If the worker dies while idle, the next call notices; without a listener the error would crash the process.
    worker.on("error", () => undefined);
    const ready = await nextAnswer(worker, START_MS);
    if (ready !== "slow" && ready !== "ended") return worker;
    await worker.terminate();
    throw new RendererBusy("the worker did not start");
  }
}

function nextAnswer(worker: Worker, ms: number): Promise<RenderAnswer | "slow" | "ended"> {
  return new Promise((resolve) => {
    const done = (answer: RenderAnswer | "slow" | "ended") => {
      clearTimeout(timer);
      worker.off("message", done).off("error", ended).off("exit", ended);
      resolve(answer);
    };
    const ended = () => done("ended");
    const timer = setTimeout(() => done("slow"), ms);
    worker.on("message", done).on("error", ended).on("exit", ended);
  });
}

/** Resolves once the thread has used {@link RENDER_MS} of CPU time; never if it answers or exits first. */
async function computedTooLong(worker: Worker, answered: Promise<unknown>): Promise<"slow"> {
  const never = new Promise<"slow">(() => undefined);
  let isOver = false;
  void answered.then(() => {
    isOver = true;
  });
  try {
    const before = await worker.cpuUsage();
    while (!isOver) {
      const { user, system } = await worker.cpuUsage(before);
      if ((user + system) / 1_000 >= RENDER_MS) return "slow";
      await delay(POLL_MS, undefined, { ref: false });
    }
  } catch {
    // `cpuUsage` fails once the thread has exited, which settles `answered`.
  }
  return never;
}
