import type { IncomingMessage, ServerResponse } from "node:http";

/** The type of a stream of server-sent events. */
export const EVENT_STREAM = "text/event-stream";

/** Whether the sender of the request can read a stream of events. */
export function acceptsEvents({ headers }: Pick<IncomingMessage, "headers">): boolean {
  return headers.accept?.includes(EVENT_STREAM) ?? false;
}

/** The replies of a server that would go on for as long as their readers want. */
export class EventStreams {
  readonly #open = new Set<ServerResponse>();

  /** Takes in a reply whose request accepts events. */
  note(request: IncomingMessage, response: ServerResponse): void {
    if (!acceptsEvents(request)) return;
    this.#open.add(response);
    response.once("close", () => this.#open.delete(response));
  }

  /** Cuts them off, so that a server can stop. Their readers connect again. */
  cut(): void {
    for (const response of this.#open) response.destroy();
  }
}
