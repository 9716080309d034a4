/** Where a command stands in the log: `X-Position` of its answer, `X-Min-Position` of a read. */
export interface LogPosition {
  /** Id of the last event in the stream `log`: another epoch means a restored log. */
  readonly epoch: string;
  /** Position as the event store gives it; sorts as text within an epoch. */
  readonly position: string;
}

const HEADER = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([0-9A-Za-z._-]{1,64})$/;

/** `<epoch>:<position>`. */
export function formatPosition(epoch: string, position: string): string {
  return `${epoch}:${position}`;
}

/** @returns undefined for anything but what {@link formatPosition} makes. */
export function parsePosition(header: string | string[] | undefined): LogPosition | undefined {
  const [, epoch, position] = (typeof header === "string" && HEADER.exec(header)) || [];
  return epoch && position ? { epoch, position } : undefined;
}
