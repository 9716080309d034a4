import { it } from "vitest";
import type { EventStore, EventToAppend } from "../port.ts";

/** A log that adapters can be opened on. */
export interface LogUnderTest {
  /** Opens another adapter instance on the same log, as another process would. The suite closes it. */
  open(): Promise<EventStore>;
  dispose(): Promise<void>;
}

/** A log whose server and network the suite may stop. */
export interface LogWithServer extends LogUnderTest {
  /** Shuts the server down cleanly. */
  stopServer(): Promise<void>;
  /** Kills the server, as a crash would. */
  killServer(): Promise<void>;
  /** Starts it again on the same data and at the same address. */
  startServer(): Promise<void>;
  /** The network between adapters and server. */
  readonly network: {
    /** Ends all connections and refuses new ones. */
    cut(): void;
    /** Requests reach the server, but no reply comes back. */
    loseAnswers(): void;
    /** Everything works again; connections that lost a reply are ended. */
    restore(): void;
  };
}

/** A capability that an adapter lacks, and why. */
export interface Absent {
  readonly absent: string;
}

/** Another process that opens a log to append to it; see writer-process.ts. */
export interface WriterProcess {
  /** Module that exports `openForWriting(config: string): Promise<EventStore>`. */
  readonly module: URL;
  readonly config: string;
}

/** A writer that stopped just before its commit, holding all its locks. */
export interface UnfinishedAppend {
  /** Resolves when another writer waits for this one; never if none does. */
  awaited(): Promise<void>;
  commit(): Promise<void>;
  /** Kills the writer, as a crash would. */
  kill(): Promise<void>;
}

export interface EventStoreCapabilities<L extends LogUnderTest> {
  /** Events outlive the adapter instance, and several instances share one log. */
  readonly restart: true | Absent;
  /** Another process can append to the log, and be killed. */
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
  /** The instance that stays open for the whole suite. */
  readonly store: () => EventStore;
  readonly log: () => L;
  readonly capabilities: EventStoreCapabilities<L>;
}

/** Declares a test that needs a capability. If that is absent, the test is skipped, with the reason. */
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
