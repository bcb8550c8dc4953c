import type { Approver } from "@openclaw/messaging";
import type { Logger } from "@openclaw/plugin-sdk";
import { NetworkClient } from "@openclaw/safety";
import type { LiveConfiguration } from "../reload/live-configuration.js";
import type { StateFolder } from "../state/folder.js";
import { PushNotifications } from "./notifications.js";
import { PushFile } from "./push-file.js";

/**
 * Opens the notifications of a gateway: subscribed browsers are an approver, who is told of each new request.
 * @param dependencies - state folder, approvers, hosts that requests may go to, and log
 * @returns notifications, and a function that ends them
 */
export function openPush({
  state,
  attend,
  configuration,
  logger,
}: {
  readonly state: Pick<StateFolder, "pushFile">;
  attend(approver: Approver): () => void;
  readonly configuration: Pick<LiveConfiguration, "value">;
  readonly logger: Logger;
}): { readonly notifications: PushNotifications; stop(): void } {
  const notifications = new PushNotifications({
    file: new PushFile(state.pushFile),
    network: new NetworkClient({ allowHosts: () => configuration.value.tools?.http?.allowHosts }),
    logger,
    now: Date.now,
  });
  const openedAt = Date.now();
  const stop = attend({
    channel: "push",
    isReachable: () => notifications.isHeard,
    show: (approval) =>
      // Browsers were told of earlier requests when they were made.
      approval.state === "pending" && approval.createdAt >= openedAt
        ? notifications.notify(approval)
        : false,
  });
  return { notifications, stop };
}
