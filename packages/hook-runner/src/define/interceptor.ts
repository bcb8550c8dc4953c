import type { AnyHandler, Registration, RegistrationIdentity } from "./registration.js";

/** An intercepted call of a handler. */
export interface InterceptedCall {
  readonly registration: RegistrationIdentity;
  /** Arguments of the handler. */
  readonly event: object;
  readonly context: object;
}

/** Wraps handlers of one owner; its results and errors count as those of the handler (HOOK-049). */
export type Interceptor = (call: InterceptedCall, next: () => unknown) => unknown;

/** Returns the handler wrapped by its interceptors, the last one installed outermost. */
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
