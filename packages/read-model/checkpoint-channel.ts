/** Channel that announces every advance of a checkpoint, after the commit. */
export const CHECKPOINT_CHANNEL = "checkpoint";

/** A message on the channel. */
export interface CheckpointMessage {
  readonly processor: string;
  readonly epoch: string;
  readonly position: string;
}

export function formatCheckpointMessage(message: CheckpointMessage): string {
  return `${message.processor} ${message.epoch} ${message.position}`;
}

/** @returns undefined for a message in another format. */
export function parseCheckpointMessage(payload: string | undefined): CheckpointMessage | undefined {
  const [processor, epoch, position, ...rest] = (payload ?? "").split(" ");
  if (!processor || !epoch || !position || rest.length > 0) return undefined;
  return { processor, epoch, position };
}
