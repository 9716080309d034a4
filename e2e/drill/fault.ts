import type { ServiceProcess } from "../support/processes.ts";
import type { Kind } from "./measured-load.ts";

/** A part that fails, and what ends it. */
export interface Fault {
  readonly name: string;
  /** Where another one takes over: nobody waits longer for an answer than that, in milliseconds. */
  readonly most?: Readonly<Record<Kind, number>>;
  /** Why it cannot be tried here; undefined if it can. */
  absent?(): string | undefined;
  begin(): void | Promise<void>;
  end(): void | Promise<void>;
}

type Victim = () => ServiceProcess | Promise<ServiceProcess>;

const KILLED = { list: 2_000, search: 2_000, page: 2_000, submit: 2_000, upload: 2_000 };
/** A frozen process is not told from a slow one before two checks have failed. */
const FROZEN = { list: 8_000, search: 8_000, page: 8_000, submit: 8_000, upload: 8_000 };

export function frozen(name: string, which: Victim): Fault {
  let held: ServiceProcess | undefined;
  return {
    name: `a ${name} is frozen (SIGSTOP)`,
    most: FROZEN,
    async begin() {
      held = await which();
      held.child.kill("SIGSTOP");
    },
    end: () => void held?.child.kill("SIGCONT"),
  };
}

/** It stays away: its platform would start it again. */
export function killed(name: string, which: Victim): Fault {
  return {
    name: `a ${name} is killed (SIGKILL)`,
    most: KILLED,
    async begin() {
      const victim = await which();
      victim.child.kill("SIGKILL");
      await victim.exited;
    },
    end: () => undefined,
  };
}
