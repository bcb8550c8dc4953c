import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** The keys of a push subscription are not those of a browser. */
export class PushSubscriptionError extends OpenClawError {
  static override readonly code = "PUSH_SUBSCRIPTION_INVALID";
  static override readonly kind = "invalid";

  /** @param reason - problem of the keys */
  constructor(reason: string) {
    super(
      `the push subscription is not usable: ${reason}; pass "endpoint" and "keys" as PushSubscription.toJSON() of the browser returns them`,
    );
  }
}
