/** Names of surfaces of the host and of senders that are not people. Plugins cannot register channels with them. */
export const HOST_CHANNELS: readonly string[] = [
  ...["api", "cli", "gateway", "hook", "host", "plugin", "session", "subagent"],
  ...["terminal", "webchat", "webhook", "websocket"],
];
