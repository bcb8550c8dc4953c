import type { ModelEvent } from "@openclaw/models";

/** Identity of a model call. */
export interface ModelStreamIdentity {
  readonly runId: string;
  readonly sessionKey: string;
  readonly callId: string;
  readonly provider: string;
  readonly model: string;
}

/** Receives the events of one model stream. */
export interface ModelStream {
  /**
   * Receives an event.
   * @param event - event as the model sent it
   */
  event(event: ModelEvent): void;
  /**
   * Ends the stream.
   * @param error - reason of an incomplete reply
   */
  end(error?: unknown): void;
}

/** Observes the streams of models (GW-051). */
export interface ModelStreams {
  /**
   * Begins a stream.
   * @param identity - the model call
   */
  open(identity: ModelStreamIdentity): ModelStream;
}

/**
 * Returns the events of a model stream, which its observer receives too.
 * @param observer - receives the events; undefined when nothing observes
 */
export function observedEvents(
  events: AsyncIterable<ModelEvent>,
  observer: ModelStream | undefined,
): AsyncIterable<ModelEvent> {
  return observer === undefined ? events : shownEvents(events, observer);
}

async function* shownEvents(
  events: AsyncIterable<ModelEvent>,
  observer: ModelStream,
): AsyncGenerator<ModelEvent, void, undefined> {
  try {
    for await (const event of events) {
      observer.event(event);
      yield event;
    }
    observer.end();
  } catch (error) {
    observer.end(error);
    throw error;
  }
}
