import { streams } from "#contracts/events/index.ts";
import { evolveLog, type LogState } from "#contracts/events/log.ts";
import { newEnvelope, systemCaller } from "../kernel/envelope.ts";
import type { Aggregate, CommandHandler } from "../kernel/handler.ts";
import { decideLog, type LogCommand } from "./log.decider.ts";

const logAggregate: Aggregate<LogState, LogCommand> = {
  stream: streams.log,
  clientSubject: () => "log",
  evolve: evolveLog,
  decide: decideLog,
};

/** Runs commands about the log itself. */
export class LogService {
  readonly #handler: CommandHandler;

  constructor(handler: CommandHandler) {
    this.#handler = handler;
  }

  /** @param now RFC 3339, UTC, milliseconds. */
  async execute(command: LogCommand, now: string): Promise<void> {
    await this.#handler.execute(logAggregate, command, newEnvelope(systemCaller(now)));
  }

  /** Returns the state of the samples; undefined before the log was started. */
  async state(): Promise<LogState | undefined> {
    return (await this.#handler.load(logAggregate))?.state;
  }
}
