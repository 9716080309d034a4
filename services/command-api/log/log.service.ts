import { type LogEvent, streams } from "#contracts/events/index.ts";
import { newEnvelope, type Outcome, systemCaller } from "../kernel/envelope.ts";
import type { Aggregate, CommandHandler } from "../kernel/handler.ts";

/** What the stream `log` says about the log as a whole. */
export interface LogState {
  readonly samples: "none" | "loaded" | "cleared";
}

const logAggregate: Aggregate<LogState> = {
  stream: streams.log,
  subjects: {},
  bodySubjects: [],
  clientSubject: () => "log",
  newSubjects: () => [],
  evolve: (state, event) => {
    const { type } = event as LogEvent;
    if (type === "SamplesLoaded") return { samples: "loaded" };
    if (type === "SamplesCleared") return { samples: "cleared" };
    return state ?? { samples: "none" };
  },
};

/** Commands on the log itself, sent by the operator's tools. */
export class LogService {
  readonly #handler: CommandHandler;

  constructor(handler: CommandHandler) {
    this.#handler = handler;
  }

  /** Appends `LogStarted` to an empty log; nothing when it stands there already. */
  async start(now: string): Promise<void> {
    await this.#run("StartLog", now, (state) => (state ? [] : [{ type: "LogStarted", data: {} }]));
  }

  /** A new epoch: appended once after each restore, before the services start. */
  async restored(now: string): Promise<void> {
    await this.#run("RestoreLog", now, () => [{ type: "LogRestored", data: {} }]);
  }

  async samplesLoaded(reports: number, now: string): Promise<void> {
    await this.#run("LoadSamples", now, (state) =>
      state?.samples === "loaded" ? [] : [{ type: "SamplesLoaded", data: { reports } }],
    );
  }

  async samplesCleared(reports: number, now: string): Promise<void> {
    await this.#run("ClearSamples", now, () => [{ type: "SamplesCleared", data: { reports } }]);
  }

  /** What became of the samples; undefined before the log was started. */
  async state(): Promise<LogState | undefined> {
    return (await this.#handler.load(logAggregate))?.state;
  }

  #run(
    type: string,
    now: string,
    decide: (state: LogState | undefined) => LogEvent[],
  ): Promise<Outcome<LogState | undefined>> {
    return this.#handler.execute(logAggregate, { type }, newEnvelope(systemCaller(now)), decide);
  }
}
