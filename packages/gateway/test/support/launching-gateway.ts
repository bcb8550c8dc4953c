import type { TemporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel } from "@openclaw/models";
import type { OpenClawPluginApi } from "@openclaw/plugin-sdk";
import { expect, onTestFinished, vi } from "vitest";
import { startTestGateway } from "./gateway.js";
import { message } from "./host.js";
import { scriptedProvider } from "./scripted-provider.js";

export const TOKEN = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
export const PASSWORD = "tulips-at-nine";

/** Starts a gateway whose model calls a tool with secrets, which needs an approval. */
export async function launchingGateway(folder: TemporaryFolder, launched: unknown[], url?: string) {
  const configuration = {
    approvals: { headless: "wait" },
    ...(url === undefined ? undefined : { store: { url } }),
  };
  folder.write({ "openclaw.json": JSON.stringify(configuration) });
  const model = createScriptedModel(({ prompt }) =>
    JSON.stringify(prompt).includes("has launched")
      ? { text: "done" }
      : {
          toolCalls: [
            {
              toolName: "launch",
              params: { to: "moon", token: TOKEN, account: { password: PASSWORD } },
            },
          ],
        },
  );
  const register = (api: OpenClawPluginApi) => {
    api.registerProvider(scriptedProvider(model));
    api.registerTool({
      name: "launch",
      description: "launches",
      parameters: { type: "object", additionalProperties: true },
      approval: "always",
      execute: (_id: string, params: unknown) => {
        launched.push(params);
        return "has launched";
      },
    });
  };
  const gateway = await startTestGateway(folder, {
    model: "scripted/script",
    inlinePlugins: [{ id: "rocket", register }],
  });
  let isRunning = true;
  const stop = async () => {
    if (isRunning) await gateway.stop("command");
    isRunning = false;
  };
  onTestFinished(stop);
  return { gateway, stop, requests: model.requests };
}

/** Sends a message, and waits until its call requests approval. */
export async function asked({ gateway }: Awaited<ReturnType<typeof launchingGateway>>) {
  const request = new Promise<string>((resolve) =>
    gateway.approvals.onRequested(({ id }) => resolve(id)),
  );
  const reply = gateway.receive(message("launch it"));
  const id = await request;
  const methods = await gateway.methods();
  await vi.waitFor(async () => {
    const { approvals } = await methods.call("approvals.list", {});
    expect(approvals).toHaveLength(1);
  });
  return { id, reply };
}
