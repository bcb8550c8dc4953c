import type { AnyHandler, Registration, RegistrationIdentity } from "./registration.js";

/** A call of a handler that an interceptor stands in front of. */
export interface InterceptedCall {
  readonly registration: RegistrationIdentity;
  /** What the handler will be called with. */
  readonly event: object;
  readonly context: object;
}

/** Wraps handlers of one owner; what it returns or throws counts as the handler's own (HOOK-049). */
export type Interceptor = (call: InterceptedCall, next: () => unknown) => unknown;

/** The handler behind its interceptors, the one installed last outermost. */
export function intercepted(
  registration: Registration,
  interceptors: readonly Interceptor[],
): AnyHandler {
  const { identity } = registration;
  return interceptors.reduce<AnyHandler>(
    (next, interceptor) => (event, context) =>
      interceptor({ registration: identity, event, context }, () => next(event, context)),
    registration.handler,
  );
}
