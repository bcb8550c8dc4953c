import type { ModelRequestError } from "../request/errors.js";

/** One model that a request tried, or did not try. */
export type ModelTry =
  | {
      readonly kind: "failed";
      readonly ref: string;
      readonly code: string;
      /** Number of requests that were sent to the model. */
      readonly requests: number;
    }
  /** A fallback that could not be called, for example because it has no key. */
  | { readonly kind: "unusable"; readonly ref: string; readonly problem: string }
  | { readonly kind: "cooling"; readonly ref: string; readonly readyInMs: number }
  | { readonly kind: "untried"; readonly ref: string };

/**
 * Adds the results of the other models to the error of the last one (LLM-018, LLM-020).
 * @param error - error of the model that was called last
 * @param tries - all models of the request in their order
 */
export function withTries<Failure extends ModelRequestError>(
  error: Failure,
  tries: readonly ModelTry[],
): Failure {
  const last = `${error.provider}/${error.model}`;
  const own = tries.find(({ ref }) => ref === last);
  const notes = tries.flatMap((entry) => (entry.ref === last ? [] : [noteOf(entry)]));
  if (own?.kind === "failed" && own.requests > 1) {
    notes.unshift(`${last} was called ${own.requests} times`);
  }
  if (notes.length > 0) error.message = `${error.message} (${notes.join("; ")})`;
  return error;
}

/**
 * Adds to the error of a broken reply that its text is incomplete (LLM-023).
 * @param error - error of the model
 */
export function incomplete<Failure extends ModelRequestError>(error: Failure): Failure {
  error.message = `${error.message} (the reply is incomplete; it was not requested again, because its beginning was already delivered)`;
  return error;
}

function noteOf(entry: ModelTry): string {
  switch (entry.kind) {
    case "failed": {
      const times = entry.requests === 1 ? "" : ` after ${entry.requests} requests`;
      return `${entry.ref} failed with ${entry.code}${times}`;
    }
    case "unusable":
      return `${entry.ref} cannot be used: ${entry.problem}`;
    case "cooling":
      return `${entry.ref} was not called, because it cools down for another ${Math.ceil(entry.readyInMs / 1000)} s`;
    case "untried":
      return `${entry.ref} was not called`;
  }
}
