import { randomUUID } from "node:crypto";
import gossip from "@eventstore/db-client/generated/gossip_pb.js";
import shared from "@eventstore/db-client/generated/shared_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import type {
  AppendOutcome,
  ExpectedVersion,
  ProposedRecord,
  StandInRecord,
} from "./stand-in-log.ts";

/** The part of the protocol's messages that the stand-in uses. */
type ReadResp = InstanceType<typeof streams.ReadResp>;
type AppendReq = InstanceType<typeof streams.AppendReq>;
type AppendResp = InstanceType<typeof streams.AppendResp>;
type StreamIdentifier = InstanceType<typeof shared.StreamIdentifier>;

const TICKS_PER_MILLISECOND = 10_000n;

export function eventMessage(record: StandInRecord): ReadResp {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent();
  const id = new shared.UUID();
  id.setString(record.id);
  recorded.setId(id);
  recorded.setStreamIdentifier(identifier(record.stream));
  recorded.setStreamRevision(String(record.revision));
  recorded.setCommitPosition(String(record.position));
  recorded.setPreparePosition(String(record.position));
  const metadata = recorded.getMetadataMap();
  metadata.set("type", record.type);
  metadata.set("content-type", record.contentType);
  metadata.set("created", String(BigInt(record.created) * TICKS_PER_MILLISECOND));
  recorded.setData(record.data);
  recorded.setCustomMetadata(record.metadata);
  const event = new streams.ReadResp.ReadEvent();
  event.setEvent(recorded);
  event.setCommitPosition(String(record.position));
  const response = new streams.ReadResp();
  response.setEvent(event);
  return response;
}

export function confirmation(id: string): ReadResp {
  const body = new streams.ReadResp.SubscriptionConfirmation();
  body.setSubscriptionId(id);
  const response = new streams.ReadResp();
  response.setConfirmation(body);
  return response;
}

export function checkpoint(position: bigint): ReadResp {
  const body = new streams.ReadResp.Checkpoint();
  body.setCommitPosition(String(position));
  body.setPreparePosition(String(position));
  const response = new streams.ReadResp();
  response.setCheckpoint(body);
  return response;
}

export function caughtUp(): ReadResp {
  const response = new streams.ReadResp();
  response.setCaughtUp(new streams.ReadResp.CaughtUp());
  return response;
}

export function streamNotFound(stream: string): ReadResp {
  const body = new streams.ReadResp.StreamNotFound();
  body.setStreamIdentifier(identifier(stream));
  const response = new streams.ReadResp();
  response.setStreamNotFound(body);
  return response;
}

export function nameOf(id: StreamIdentifier | undefined): string {
  return Buffer.from(id?.getStreamName_asU8() ?? []).toString("utf8");
}

export function expectedVersion(request: AppendReq): ExpectedVersion {
  const options = request.getOptions();
  if (options?.hasNoStream()) return -1;
  if (options?.hasRevision()) return Number(options.getRevision());
  return "any";
}

export function proposedRecord(request: AppendReq): ProposedRecord | undefined {
  const message = request.getProposedMessage();
  if (!message) return undefined;
  const metadata = message.getMetadataMap();
  return {
    id: message.getId()?.getString() ?? "",
    type: metadata.get("type") ?? "",
    contentType: metadata.get("content-type") ?? "",
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

export function appendAnswer(
  outcome: Exclude<AppendOutcome, { outcome: "too_large" }>,
  expected: ExpectedVersion,
): AppendResp {
  const response = new streams.AppendResp();
  if (outcome.outcome === "ok") {
    const success = new streams.AppendResp.Success();
    success.setCurrentRevision(String(outcome.revision));
    const position = new streams.AppendResp.Position();
    position.setCommitPosition(String(outcome.position));
    position.setPreparePosition(String(outcome.position));
    success.setPosition(position);
    response.setSuccess(success);
    return response;
  }
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (outcome.current < 0) wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(outcome.current));
  if (expected === -1) wrong.setExpectedNoStream(new shared.Empty());
  else if (expected !== "any") wrong.setExpectedRevision(String(expected));
  response.setWrongExpectedVersion(wrong);
  return response;
}

/** Where a cluster node is advertised. */
export interface StandInPlace {
  readonly host: string;
  readonly port: number;
}

/** A cluster node as gossip lists it. */
export interface StandInMember extends StandInPlace {
  readonly isLeader: boolean;
}

export function clusterInfo(members: readonly StandInMember[]) {
  const { FOLLOWER, LEADER } = gossip.MemberInfo.VNodeState;
  const info = new gossip.ClusterInfo();
  for (const { host, port, isLeader } of members) {
    const endpoint = new gossip.EndPoint();
    endpoint.setAddress(host);
    endpoint.setPort(port);
    const member = new gossip.MemberInfo();
    const id = new shared.UUID();
    id.setString(randomUUID());
    member.setInstanceId(id);
    member.setHttpEndPoint(endpoint);
    member.setIsAlive(true);
    member.setState(isLeader ? LEADER : FOLLOWER);
    info.addMembers(member);
  }
  return info;
}

export const notLeader = ({ host, port }: StandInPlace) =>
  failure(status.NOT_FOUND, "Leader info available", {
    exception: "not-leader",
    "leader-endpoint-host": host,
    "leader-endpoint-port": String(port),
  });

/** The answer to a wrong user name or password. */
export const unauthenticated = () => failure(status.UNAUTHENTICATED, "Unauthenticated");

/** The answer to anyone who may not do this, for instance without a user. */
export const accessDenied = () =>
  failure(status.PERMISSION_DENIED, "Access Denied", { exception: "access-denied" });

/** The server's reply for a position at which it cannot read. It gives no further cause. */
export const unknownError = () => failure(status.UNKNOWN, "Unexpected ReadAllResult: Error");

export const tooLarge = () =>
  failure(status.INVALID_ARGUMENT, "Maximum Append Size of 1048576 Exceeded.", {
    exception: "maximum-append-size-exceeded",
    "maximum-append-size": "1048576",
  });

/** An error as the client receives it: code, text, and trailing metadata that names the exception. */
export function failure(
  code: status,
  details: string,
  trailers: Readonly<Record<string, string>> = {},
): ServiceError {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata });
}

function identifier(stream: string): StreamIdentifier {
  const id = new shared.StreamIdentifier();
  id.setStreamName(Buffer.from(stream, "utf8"));
  return id;
}
