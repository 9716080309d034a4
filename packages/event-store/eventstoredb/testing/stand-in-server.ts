import { randomUUID } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import gossip from "@eventstore/db-client/generated/gossip_grpc_pb.js";
import features from "@eventstore/db-client/generated/serverfeatures_grpc_pb.js";
import featureMessages from "@eventstore/db-client/generated/serverfeatures_pb.js";
import services from "@eventstore/db-client/generated/streams_grpc_pb.js";
import type streams from "@eventstore/db-client/generated/streams_pb.js";
import {
  type Metadata,
  Server,
  ServerCredentials,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceError,
  type sendUnaryData,
  status,
} from "@grpc/grpc-js";
import { type ProposedRecord, StandInLog, type StandInRecord } from "./stand-in-log.ts";
import type { StandInMember } from "./stand-in-messages.ts";
import * as messages from "./stand-in-messages.ts";
import { closed, drained, StandInSubscription } from "./stand-in-subscription.ts";

type ReadReq = InstanceType<typeof streams.ReadReq>;
type ReadResp = InstanceType<typeof streams.ReadResp>;
type AppendReq = InstanceType<typeof streams.AppendReq>;
type AppendResp = InstanceType<typeof streams.AppendResp>;
export type ReadCall = ServerWritableStream<ReadReq, ReadResp>;

const FORWARDS = 0;

/** A cluster node's view of itself and the others, and where it is advertised. */
export interface StandInNode extends messages.StandInPlace {
  members(): readonly StandInMember[];
}

/** Makes a stand-in serve only over TLS, and streams only to its users. */
export interface StandInSecurity {
  /** Certificate and private key, in PEM. */
  readonly certificate: string;
  readonly key: string;
  /** Passwords by user. */
  readonly users: Readonly<Record<string, string>>;
}

/**
 * A stand-in for EventStoreDB, for tests only: it stores nothing on disk and has no projections. It
 * speaks the real protocol with the real client, and misbehaves as a real server of version 23.10 was
 * seen to: it recognizes a repeated append by ids alone, ends subscriptions that are slow or when it
 * stops, and fails reads at unknown positions with an error that gives no cause. It tests the adapter's
 * side, never the server's.
 */
export class StandInServer {
  readonly log: StandInLog;
  readonly #node: StandInNode | undefined;
  readonly #security: StandInSecurity | undefined;
  readonly #subscriptions = new Set<StandInSubscription>();
  #begun = 0;
  #subscribing = Promise.withResolvers<void>();
  #server: Server | undefined;
  #port = 0;
  /** While true, new subscriptions are confirmed and then stay silent. */
  silent = false;
  /** Events sent to readers and subscribers so far. */
  eventsSent = 0;

  /**
   * @param node its place in a cluster whose nodes share one log; standalone when absent.
   * @param security without it, the server accepts everything, like one started with `--insecure`.
   */
  constructor(log = new StandInLog(), node?: StandInNode, security?: StandInSecurity) {
    this.log = log;
    this.#node = node;
    this.#security = security;
  }

  /** URL for clients that connect directly to the server. */
  get url(): string {
    return `esdb://127.0.0.1:${this.#port}?tls=false`;
  }

  get port(): number {
    return this.#port;
  }

  /** Resolves when that many subscriptions have begun since the server was created. */
  async subscribed(count: number): Promise<void> {
    while (this.#begun < count) await this.#subscribing.promise;
  }

  /** Listens on a free port of loopback, or on `port`; after a stop, on the same port as before. */
  async start(port = this.#port): Promise<void> {
    const server = new Server({ "grpc.max_receive_message_length": 17 * 1_048_576 });
    server.addService(services.StreamsService, {
      read: (call: ReadCall) => this.#read(call),
      append: (
        call: ServerReadableStream<AppendReq, AppendResp>,
        answer: sendUnaryData<AppendResp>,
      ) => this.#append(call, answer),
      // Offered, as on a real server, but the adapter must not use it.
      batchAppend: (call: ReadCall) =>
        call.emit(
          "error",
          messages.failure(status.UNIMPLEMENTED, "batches are not for this adapter"),
        ),
      delete: refuse,
      tombstone: refuse,
    });
    server.addService(features.ServerFeaturesService, {
      getSupportedMethods: (_: unknown, answer: sendUnaryData<unknown>) =>
        answer(null, supportedMethods()),
    });
    server.addService(gossip.GossipService, {
      // Anyone may ask for the members.
      read: (_: unknown, answer: sendUnaryData<unknown>) =>
        answer(null, messages.clusterInfo(this.#node?.members() ?? [])),
    });
    this.#port = await new Promise<number>((resolve, reject) =>
      server.bindAsync(`127.0.0.1:${port}`, this.#credentials(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      ),
    );
    this.#server = server;
  }

  /** Stops gracefully: subscriptions are ended with a message. */
  async stop(): Promise<void> {
    for (const subscription of this.#subscriptions)
      subscription.fail(messages.failure(status.UNAVAILABLE, "Server is shutting down"));
    await turn();
    this.kill();
  }

  /** Drops all connections without notice. */
  kill(): void {
    this.#server?.forceShutdown();
    this.#server = undefined;
    this.#subscriptions.clear();
  }

  /** Ends all subscriptions: with the error for one that was too slow, or without an error. */
  endSubscriptions(how: "too_slow" | "ended"): void {
    for (const subscription of this.#subscriptions)
      if (how === "ended") subscription.end();
      else subscription.tooSlow();
  }

  /** Silences all current subscriptions. Later ones work, unless `silent`. */
  muteSubscriptions(): void {
    for (const subscription of this.#subscriptions) subscription.mute();
  }

  #credentials(): ServerCredentials {
    if (!this.#security) return ServerCredentials.createInsecure();
    const { certificate, key } = this.#security;
    const pair = { cert_chain: Buffer.from(certificate), private_key: Buffer.from(key) };
    return ServerCredentials.createSsl(null, [pair]);
  }

  #append(
    call: ServerReadableStream<AppendReq, AppendResp>,
    answer: sendUnaryData<AppendResp>,
  ): void {
    const refusal = this.#refusal(call.metadata);
    if (refusal) return void answer(refusal);
    const requests: AppendReq[] = [];
    call.on("data", (request: AppendReq) => requests.push(request));
    call.on("error", () => undefined);
    call.on("end", async () => {
      // A client that dies ends its request in the middle; the disconnect is noticed a moment later.
      await turn();
      await turn();
      const [header, ...rest] = requests;
      if (call.cancelled || !header) return;
      const stream = messages.nameOf(header.getOptions()?.getStreamIdentifier());
      const expected = messages.expectedVersion(header);
      const events = rest
        .map(messages.proposedRecord)
        .filter((event): event is ProposedRecord => event !== undefined);
      const outcome = this.log.append(stream, expected, events);
      if (outcome.outcome === "too_large") answer(messages.tooLarge());
      else answer(null, messages.appendAnswer(outcome, expected));
    });
  }

  #read(call: ReadCall): void {
    const options = call.request.getOptions();
    call.on("error", () => undefined);
    if (!options) return void call.emit("error", messages.unknownError());
    const refusal = this.#refusal(call.metadata);
    if (refusal) return void call.emit("error", refusal);
    if (options.hasSubscription()) {
      const begin = this.#allStart(call.request, true);
      if (begin === undefined) return void call.emit("error", messages.unknownError());
      const subscription = new StandInSubscription(call, this.log, begin, {
        id: randomUUID(),
        onSent: () => {
          this.eventsSent += 1;
        },
      });
      this.#subscriptions.add(subscription);
      if (this.silent) subscription.mute();
      subscription.start();
      this.#begun += 1;
      this.#subscribing.resolve();
      this.#subscribing = Promise.withResolvers<void>();
      void closed(call).then(() => this.#subscriptions.delete(subscription));
      return;
    }
    const records = options.hasStream()
      ? this.#streamRecords(call)
      : this.#allRecords(call.request);
    if (!records) return void call.emit("error", messages.unknownError());
    const page = records.slice(0, Number(options.getCount()));
    this.eventsSent += page.length;
    void sendAll(call, page);
  }

  /** Checks the user first. A node that does not lead names the leader that it believes in. */
  #refusal(metadata: Metadata): ServiceError | undefined {
    const stranger = this.#security && refusedUser(metadata, this.#security.users);
    if (stranger) return stranger;
    if (!this.#node || metadata.get("requires-leader").length === 0) return undefined;
    const leader = this.#node.members().find(({ isLeader }) => isLeader);
    if (leader?.host === this.#node.host && leader.port === this.#node.port) return undefined;
    return leader
      ? messages.notLeader(leader)
      : messages.failure(status.UNAVAILABLE, "Server Is Not Ready");
  }

  #streamRecords(call: ReadCall): readonly StandInRecord[] | undefined {
    const options = call.request.getOptions();
    const from = options?.getStream();
    const name = messages.nameOf(from?.getStreamIdentifier());
    const records = this.log.stream(name);
    if (records.length === 0) {
      call.write(messages.streamNotFound(name));
      return [];
    }
    const forwards = options?.getReadDirection() === FORWARDS;
    const revision = from?.hasRevision() ? Number(from.getRevision()) : undefined;
    if (revision !== undefined && revision >= records.length) return undefined;
    if (forwards) return from?.hasEnd() ? [] : records.slice(revision ?? 0);
    return from?.hasStart() ? [] : records.slice(0, (revision ?? records.length) + 1).toReversed();
  }

  #allRecords(request: ReadReq): readonly StandInRecord[] | undefined {
    const forwards = request.getOptions()?.getReadDirection() === FORWARDS;
    const index = this.#allStart(request, false);
    if (index === undefined) return undefined;
    return forwards ? this.log.records.slice(index) : this.log.records.slice(0, index).toReversed();
  }

  /** Index of the first record of a read, inclusive, or of a subscription, exclusive. */
  #allStart(request: ReadReq, isSubscription: boolean): number | undefined {
    const all = request.getOptions()?.getAll();
    if (all?.hasStart()) return 0;
    if (all?.hasEnd()) return this.log.records.length;
    const index = this.log.indexOf(BigInt(all?.getPosition()?.getCommitPosition() ?? -1));
    return index !== undefined && isSubscription ? index + 1 : index;
  }
}

function refusedUser(
  metadata: Metadata,
  users: StandInSecurity["users"],
): ServiceError | undefined {
  const [given] = metadata.get("authorization");
  if (given === undefined) return messages.accessDenied();
  const [, encoded = ""] = /^Basic (.+)$/.exec(String(given)) ?? [];
  const [user = "", password = ""] = Buffer.from(encoded, "base64")
    .toString("utf8")
    .split(/:(.*)/s);
  const isKnown = Object.hasOwn(users, user) && users[user] === password;
  return isKnown ? undefined : messages.unauthenticated();
}

/** Sends as fast as the client accepts. */
async function sendAll(call: ReadCall, records: readonly StandInRecord[]): Promise<void> {
  const over = closed(call);
  for (const record of records) {
    if (call.cancelled || call.destroyed) return;
    if (!call.write(messages.eventMessage(record))) await drained(call, over);
  }
  call.end();
}

function supportedMethods() {
  const method = new featureMessages.SupportedMethod();
  method.setServiceName("event_store.client.streams.streams");
  method.setMethodName("batchappend");
  const supported = new featureMessages.SupportedMethods();
  supported.setEventStoreServerVersion("23.10.0");
  supported.addMethods(method);
  return supported;
}

function refuse(_: ServerUnaryCall<unknown, unknown>, answer: sendUnaryData<unknown>): void {
  answer(messages.failure(status.UNIMPLEMENTED, "not part of the stand-in"));
}
