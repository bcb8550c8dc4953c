import { existsSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { GatewayOptions } from "../../src/gateway-options.js";
import { startTestGateway } from "../support/gateway.js";
import { createTestHost, message } from "../support/host.js";

vi.setConfig({ testTimeout: 60_000 });

/** Starts a gateway with the offline model, which runs what it is told to, and without an approver. */
async function unattended(options: Partial<GatewayOptions> = {}, configuration = "{}") {
  const folder = temporaryFolder();
  folder.write({ "openclaw.json": configuration });
  const gateway = await startTestGateway(folder, {
    environment: { PATH: process.env.PATH },
    ...options,
  });
  onTestFinished(async () => {
    await gateway.stop("command");
    folder[Symbol.dispose]();
  });
  const methods = await gateway.methods();
  const say = (text: string) =>
    gateway.receive({
      channel: "terminal",
      conversationId: "terminal",
      senderId: "operator",
      senderIsOwner: true,
      text,
    });
  return {
    gateway,
    made: (file: string) => existsSync(join(folder.path, "workspace", file)),
    say,
    run: (command: string) => say(`run \`${command}\``),
    audited: async () =>
      (await methods.call("approvals.audit", {})).entries.map(({ event, reason }) => [
        event,
        reason,
      ]),
  };
}

describe("unattended use", () => {
  it.each([
    ["--approve-tool", { approvedTools: ["bash"] }, '{ tools: { exec: { sandbox: "off" } } }'],
    ["tools.approval", {}, '{ tools: { approval: { exec: "never" }, exec: { sandbox: "off" } } }'],
  ] as const)(
    "[APPR-046] lets a tool run without approval with %s, lists and audits it, and covers no destructive command",
    async (by, options, configuration) => {
      const { gateway, run, made, audited } = await unattended(options, configuration);
      expect(gateway.unattendedTools).toEqual([{ name: "exec", by }]);
      await run("touch made");
      expect(made("made")).toBe(true);
      expect(await audited()).toMatchObject([["unattended", expect.stringContaining("exec")]]);
      await run("touch other && rm -rf build");
      expect(made("other")).toBe(false);
      expect((await audited())[0]).toMatchObject([
        "refused",
        expect.stringContaining("no approver reachable"),
      ]);
      for (const command of [
        "touch $HOME/other other",
        "touch {x,other}",
        "rm -v {x},-rf} /outside/dir",
        "touch other\ntouch x",
        "PATH=bin touch other",
        "./bin/touch other",
        "echo x > .git/other",
      ]) {
        await run(command);
        expect([command, (await audited())[0]]).toEqual([
          command,
          ["refused", expect.stringContaining("no approver reachable")],
        ]);
      }
      await run("echo text > other");
      expect(made("other")).toBe(true);
    },
  );

  it.skipIf(process.env.CI === undefined && !existsSync("/usr/bin/bwrap")).each([
    ["--approve-tool", { approvedTools: ["exec"] }, "{}"],
    ["tools.approval", {}, '{ tools: { approval: { exec: "never" } } }'],
  ] as const)(
    "[APPR-046] covers every command in the sandbox with %s, except destructive ones",
    async (_by, options, configuration) => {
      const { run, made, audited } = await unattended(options, configuration);
      for (const [name, command] of [
        ["a", "touch a"],
        ["b", "touch {x,b}"],
        ["c", "for name in c; do touch $name; done"],
      ] as const) {
        await run(command);
        expect([command, made(name), (await audited())[0]]).toEqual([
          command,
          true,
          ["unattended", expect.stringContaining("in the sandbox")],
        ]);
      }
      await run("for folder in .openclaw .git; do mkdir -p $folder/extensions; done");
      expect([made(".openclaw"), made(".git")]).toEqual([false, false]);
      await run("touch other && git push --force");
      await run("touch other && eval ls");
      expect(made("other")).toBe(false);
    },
  );

  it("[APPR-046] covers commands that need a shell with exec=any, and no destructive command", async () => {
    const { run, made } = await unattended({ approvedTools: ["exec=any"] });
    await run("x=made; touch $x");
    expect(made("made")).toBe(true);
    await run("touch other && git push --force");
    await run("touch other && eval ls");
    expect(made("other")).toBe(false);
  });

  it("[APPR-046] denies at once without either setting, instead of waiting for an approver", async () => {
    const { gateway, run, made } = await unattended();
    expect(gateway.unattendedTools).toEqual([]);
    expect(await run("touch made")).toMatchObject({ status: "replied" });
    expect(made("made")).toBe(false);
  });

  it("[TURN-460] names the tools of undecided calls in the outcome of the message", async () => {
    const { run, say } = await unattended();
    expect(await run("touch made")).toMatchObject({ unapprovedTools: ["exec"] });
    expect(await say("what time is it")).not.toHaveProperty("unapprovedTools");
  });

  it("[APPR-046] covers the requirement `always` with the setting, not with the flag", async () => {
    for (const [approvals, runs] of [
      [{ approvedTools: ["act"] }, false],
      [{ needs: { act: "never" } }, true],
    ] as const) {
      let ran = false;
      const host = await createTestHost({
        approvals,
        script: [{ toolCalls: [{ toolName: "act", params: {} }] }, { text: "Done." }],
        register: (api) =>
          api.registerTool({
            name: "act",
            description: "Asks on every call.",
            parameters: { type: "object", properties: {} },
            approval: "always",
            execute: () => {
              ran = true;
              return "acted";
            },
          }),
      });
      await host.flow.receive(message("act"), {});
      expect(ran).toBe(runs);
    }
  });
});
