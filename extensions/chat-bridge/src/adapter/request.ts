import { AsyncLocalStorage } from "node:async_hooks";

/** Value that expires. */
export interface Cached {
  readonly value: unknown;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** Request of a platform that is being handled. */
export interface PlatformRequestScope {
  /** Values that the adapter caches; kept only if the request succeeds. */
  readonly values: Map<string, Cached>;
  /** Work that must succeed before the request is answered. */
  readonly tasks: Promise<unknown>[];
  isOpen: boolean;
}

/** The request in whose context code runs; some adapters do not pass it on otherwise. */
export const currentRequest = new AsyncLocalStorage<PlatformRequestScope>();
