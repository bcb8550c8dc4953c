import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  configuredWorkspaceOf,
  currentHash,
  type OpenClawConfiguration,
} from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { createScriptedModel } from "@openclaw/models";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Gateway } from "../../src/running-gateway.js";
import { startTestGateway } from "../support/gateway.js";
import { scriptedProvider } from "../support/scripted-provider.js";

/** Gateway with the model providers `first` and `second`, and a plugin that is told its workspace. */
async function start(initial: OpenClawConfiguration = {}) {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const file = join(folder.path, "openclaw.json");
  writeFileSync(file, JSON.stringify(initial));
  const workspaces: (string | undefined)[] = [];
  const gateway = await startTestGateway(folder, {
    workspaceOf: (configuration) =>
      configuredWorkspaceOf(configuration, folder.path) ?? join(folder.path, "workspace"),
    approvedTools: ["exec=any"],
    inlinePlugins: [
      {
        id: "models",
        register(api) {
          workspaces.push(api.runtime.agent?.resolveAgentWorkspaceDir?.({}, "main"));
          for (const id of ["first", "second"]) {
            const model = createScriptedModel(() => ({ text: `from ${id}` }));
            api.registerProvider({ ...scriptedProvider(model), id, defaultModel: "m" });
          }
        },
      },
    ],
  });
  onTestFinished(() => gateway.stop("command"));
  const reload = async (configuration: OpenClawConfiguration) => {
    writeFileSync(file, JSON.stringify(configuration));
    return await gateway.reloadConfiguration();
  };
  return { gateway, file, folder: realpathSync(folder.path), reload, workspaces };
}

let conversations = 0;

async function say({ receive }: Gateway, text: string) {
  const sender = { channel: "terminal", senderId: "boss", senderIsOwner: true };
  conversations += 1;
  return await receive({ ...sender, conversationId: `c${conversations}`, text });
}

const withModel = (model: string): OpenClawConfiguration => ({ agents: { defaults: { model } } });

describe("defaults that are live", () => {
  it("[GW-662] answers with a changed default model from the next turn on", async () => {
    const { gateway, reload } = await start(withModel("first/m"));
    expect(await say(gateway, "hello")).toMatchObject({ text: "from first" });
    expect(await reload(withModel("second/m"))).toMatchObject({ outcome: "applied", pending: [] });
    expect(await say(gateway, "hello")).toMatchObject({ text: "from second" });
    const methods = await gateway.methods();
    expect(await methods.call("host.status", {})).toMatchObject({ model: "second/m" });
    expect(gateway.model.ref).toBe("second/m");
    await reload({});
    expect(gateway.model.ref).not.toBe("second/m");
  });

  it("[GW-662] [GW-661] rejects a default model that does not exist, and keeps the earlier one", async () => {
    const { gateway, file } = await start(withModel("first/m"));
    const methods = await gateway.methods();
    const before = readFileSync(file, "utf8");
    const change = methods.call("config.set", {
      baseHash: await currentHash(file),
      changes: [{ path: ["agents", "defaults", "model"], value: "nope/m" }],
    });
    await expect(change).rejects.toThrow(/agents\.defaults\.model.*nope/s);
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(await say(gateway, "hello")).toMatchObject({ text: "from first" });
  });

  it("[GW-662] works in a changed workspace from the next turn on, and reloads the plugins", async () => {
    const { gateway, reload, folder, workspaces } = await start();
    const first = gateway.workspaceDir;
    const other = join(folder, "other");
    const outcome = await reload({ agents: { defaults: { workspace: "other" } } });
    expect(outcome).toMatchObject({ outcome: "applied", pending: [], plugins: ["*"] });
    expect(existsSync(other)).toBe(true);
    expect(gateway.workspaceDir).toBe(other);
    expect(gateway.workspaceOf("main")).toBe(other);
    expect(workspaces.at(-1)).toBe(other);
    mkdirSync(join(other, "notes"));
    writeFileSync(join(other, "notes/a.txt"), "in the other folder");
    await say(gateway, "hello");
    const methods = await gateway.methods();
    const { sessions } = await methods.call("sessions.list", {});
    const read = await methods.call("tools.invoke", {
      sessionKey: sessions[0]?.sessionKey ?? "",
      ...{ tool: "read", params: { path: "notes/a.txt" } },
    });
    expect(JSON.stringify(read.content)).toContain("in the other folder");
    await reload({});
    expect(gateway.workspaceDir).toBe(realpathSync(first));
  });

  it("[GW-662] [GW-661] rejects a workspace in the state folder, and keeps the earlier one", async () => {
    const { gateway, reload } = await start();
    const before = gateway.workspaceDir;
    const workspace = join(gateway.state.dir, "logs");
    const outcome = await reload({ agents: { defaults: { workspace } } });
    expect(outcome).toMatchObject({
      outcome: "invalid",
      problem: expect.stringContaining("agents.defaults.workspace"),
    });
    expect(gateway.workspaceDir).toBe(before);
  });

  it("[GW-662] runs the next command with the changed sandbox", async () => {
    const { gateway, reload, folder } = await start({ tools: { exec: { sandbox: "off" } } });
    await say(gateway, "hello");
    const methods = await gateway.methods();
    const { sessions } = await methods.call("sessions.list", {});
    const touches = async (name: string) => {
      const path = join(folder, name);
      await methods.call("tools.invoke", {
        sessionKey: sessions[0]?.sessionKey ?? "",
        ...{ tool: "exec", params: { command: `touch ${path}` } },
      });
      return existsSync(path);
    };
    expect(await touches("before")).toBe(true);
    const outcome = await reload({ tools: { exec: { sandbox: "required" } } });
    expect(outcome).toMatchObject({ applied: ["tools.exec.sandbox"], pending: [] });
    expect(await touches("behind-the-sandbox")).toBe(false);
    await reload({ tools: { exec: { sandbox: "off" } } });
    expect(await touches("after")).toBe(true);
  });
});
