import { type SlackServer, startSlackServer } from "@openclaw/platform-fakes";
import { createTestHost, type TestHost, type TestHostOptions } from "@openclaw/plugin-testkit";
import { createChatBridge } from "../../src/index.js";
import { transportTo } from "./file-transport.js";
import { slackManifest } from "./slack-manifest.js";

/** A host that is connected to a fake Slack. */
export interface SlackScene extends AsyncDisposable {
  readonly slack: SlackServer;
  readonly host: TestHost;
  /** Account that receives the events of Slack. */
  account: string;
}

/**
 * Starts a fake Slack and a host with the bridge.
 * @param settings - settings of `channels.slack`, over its tokens
 */
export async function startSlackScene(
  options: Partial<TestHostOptions> = {},
  settings: Readonly<Record<string, unknown>> = { dmPolicy: "open" },
): Promise<SlackScene> {
  let host: TestHost | undefined;
  const scene = { account: "default" };
  const slack = await startSlackServer({
    manifest: slackManifest,
    request: async ({ pathname }, init) => {
      if (host === undefined) throw new Error("the host does not run");
      return host.request(`${pathname}/${scene.account}`, { ...init, authenticated: false });
    },
  });
  const { botToken, signingSecret, apiUrl, origin } = slack;
  try {
    host = await createTestHost({
      plugin: createChatBridge({ adapterOptions: { fileTransport: transportTo(() => origin) } }),
      ...options,
      config: {
        ...options.config,
        channels: {
          ...options.config?.channels,
          slack: { botToken, signingSecret, apiUrl, ...settings },
        },
      },
    });
  } catch (error) {
    await slack.close();
    throw error;
  }
  const running = host;
  const isAccepted = settings.botToken === undefined;
  // The channel starts beside the host, and answers the challenge once it is connected.
  while (isAccepted && !(await slack.verifyUrl())) await running.advance(1000);
  return Object.assign(scene, {
    slack,
    host,
    async [Symbol.asyncDispose]() {
      // First, because clients keep their connections open until the platform closes them.
      await slack.close();
      await running.dispose();
    },
  });
}
