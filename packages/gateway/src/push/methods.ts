import { pushMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { PushNotifications } from "./notifications.js";

/** Dependencies of {@link createPushMethods}. */
export interface PushMethodDependencies {
  readonly push: PushNotifications;
}

/**
 * Creates the methods of notifications in browsers.
 * @param dependencies - notifications of the gateway
 */
export function createPushMethods({
  push,
}: PushMethodDependencies): MethodRegistry<typeof pushMethods> {
  return MethodRegistry.of(pushMethods, {
    "push.key": () => Promise.resolve({ publicKey: push.publicKey }),
    "push.list": () => Promise.resolve({ subscriptions: push.list() }),
    "push.subscribe": (subscription, { caller }) =>
      Promise.resolve(push.subscribe(subscription, caller)),
    "push.unsubscribe": ({ endpoint }) => Promise.resolve(push.unsubscribe(endpoint)),
  });
}
