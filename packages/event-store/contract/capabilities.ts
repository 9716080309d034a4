import { it } from "vitest";
import type { EventStore, EventToAppend } from "../port.ts";

/** A log that adapters can be opened on. */
export interface LogUnderTest {
  /** A further adapter instance on the same log, as another process has. The suite closes it. */
  open(): Promise<EventStore>;
  dispose(): Promise<void>;
}

/** A log whose server, and the network to it, the suite may take away. */
export interface LogWithServer extends LogUnderTest {
  /** Stops the server in an orderly way. */
  stopServer(): Promise<void>;
  /** Ends the server as a crash does. */
  killServer(): Promise<void>;
  /** Starts it again on the same data, under the same address. */
  startServer(): Promise<void>;
  /** The way between adapters and server. */
  readonly network: {
    /** Ends all connections and refuses new ones. */
    cut(): void;
    /** Lets requests reach the server, but no answer get back. */
    loseAnswers(): void;
    /** All is well again; connections that lost an answer are ended. */
    restore(): void;
  };
}

/** Something that an adapter cannot have, and why. */
export interface Absent {
  readonly absent: string;
}

/** Another process that opens a log to append to it; see writer-process.ts. */
export interface WriterProcess {
  /** Module that exports `openForWriting(config: string): Promise<EventStore>`. */
  readonly module: URL;
  readonly config: string;
}

/** A writer that holds, before its commit, whatever it has to hold. */
export interface UnfinishedAppend {
  /** Resolves when another writer waits for this one; never, when none does. */
  awaited(): Promise<void>;
  commit(): Promise<void>;
  /** Ends the writer as a crash does. */
  kill(): Promise<void>;
}

export interface EventStoreCapabilities<L extends LogUnderTest> {
  /** Events outlive the adapter instance, and several instances share one log. */
  readonly restart: true | Absent;
  /** Another process can write to the log, and be killed. */
  readonly writerProcess: ((log: L) => WriterProcess) | Absent;
  /** Stops a writer just before its commit. */
  readonly unfinishedAppend:
    | ((log: L, stream: string, events: readonly EventToAppend[]) => Promise<UnfinishedAppend>)
    | Absent;
  /** A log with its own server. */
  readonly server: (() => Promise<LogWithServer>) | Absent;
}

/** What the parts of the suite share. */
export interface Suite<L extends LogUnderTest> {
  /** The instance that is open throughout. */
  readonly store: () => EventStore;
  readonly log: () => L;
  readonly capabilities: EventStoreCapabilities<L>;
}

/** Declares a test that needs a capability: skipped, with the reason, where it is absent. */
export function itNeeds<T>(
  capability: T | Absent,
  name: string,
  test: (capability: T) => Promise<void>,
  timeoutMs?: number,
): void {
  const isAbsent = typeof capability === "object" && capability !== null && "absent" in capability;
  it(
    name,
    async (context) => {
      if (isAbsent) context.skip(capability.absent);
      await test(capability as T);
    },
    timeoutMs,
  );
}
