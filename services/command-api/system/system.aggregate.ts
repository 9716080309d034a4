import { streams } from "#contracts/events/index.ts";
import { evolveSystem, type SystemState } from "#contracts/events/system.ts";
import { subjects } from "#contracts/sealed.ts";
import type { Aggregate } from "../kernel/handler.ts";
import { decideSystem, type SystemCommand } from "./system.decider.ts";

/** Stream, fold and decider of one system action. */
export function systemAggregate(jobId: string): Aggregate<SystemState, SystemCommand> {
  return {
    stream: streams.system(jobId),
    clientSubject: ({ actor }) => subjects.account(actor.id),
    evolve: evolveSystem,
    decide: decideSystem,
  };
}
