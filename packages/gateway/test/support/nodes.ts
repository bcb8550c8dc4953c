import { randomUUID } from "node:crypto";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel } from "@openclaw/models";
import { openStore, type Store } from "@openclaw/store";
import { inject, onTestFinished } from "vitest";
import type { GatewayOptions } from "../../src/gateway-options.js";
import type { Gateway } from "../../src/running-gateway.js";
import { startTestGateway } from "./gateway.js";
import { scriptedProvider } from "./scripted-provider.js";

const KEY = { OPENCLAW_SECRET_KEY: "a master key for every node of the test" };

/** Database of the nodes of one test. */
export async function openDatabase(): Promise<{ readonly url: string; readonly store: Store }> {
  const url = `${inject("postgresUrl")}?schema=nodes_${randomUUID()}`;
  // Notices of the test go to the nodes, as those of a node do.
  const store = await openStore({ url, nodeId: "test" });
  onTestFinished(() => store.close());
  return { url, store };
}

/** Starts a node whose model writes the file that a message names, and else repeats the message. */
export async function startNode(
  url: string,
  settings: object = {},
  inlinePlugins: GatewayOptions["inlinePlugins"] = [],
): Promise<{ readonly gateway: Gateway; readonly folder: TemporaryFolder }> {
  const folder = temporaryFolder();
  folder.write({ "openclaw.json": JSON.stringify({ store: { url }, ...settings }) });
  const model = createScriptedModel(({ prompt }) => {
    const { role, content } = prompt.at(-1) ?? { role: "user", content: [] };
    const [part] = Array.isArray(content) ? content : [];
    const text = part !== undefined && "text" in part ? part.text : "";
    const path = role === "user" ? /write (\S+)/u.exec(text)?.[1] : undefined;
    if (path === undefined) return { text: `reply to ${text}` };
    return { toolCalls: [{ toolName: "write", params: { path, content: "written" } }] };
  });
  const gateway = await startTestGateway(folder, {
    ...{ port: 0, environment: KEY, inlinePlugins },
    // Providers of a host, which a gateway passes on.
    ...{ providers: [scriptedProvider(model)], model: "scripted/script" },
  });
  onTestFinished(async () => {
    await gateway.stop("command");
    folder[Symbol.dispose]();
  });
  return { gateway, folder };
}
