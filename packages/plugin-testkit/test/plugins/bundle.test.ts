import { existsSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestHost } from "../../src/index.js";

const SKILL = `---
name: greet
description: Greets people.
allowed-tools: Read, Glob
---
Say hello.`;

async function hostWith(
  files: Readonly<Record<string, string>>,
  options: Partial<Parameters<typeof createTestHost>[0]> = {},
) {
  const folder = temporaryFolder();
  folder.write(files);
  const host = await createTestHost({ plugin: folder.path, ...options });
  onTestFinished(async () => {
    await host.dispose();
    folder[Symbol.dispose]();
  });
  return { host, folder };
}

const lastText = (host: Awaited<ReturnType<typeof hostWith>>["host"]) =>
  JSON.stringify(host.modelRequests.at(-1));

describe("a bundle of another tool in a host", () => {
  it("[EXT-023] [EXT-532] is a slash command with a variant for each prompt, whose text is the message to the agent", async () => {
    const { host, folder } = await hostWith(
      {
        ".claude-plugin/plugin.json": '{ "name": "helper" }',
        "commands/fix.md":
          "---\ndescription: Fix an issue\nargument-hint: [number]\n---\nFix $1 with $" +
          "{CLAUDE_PLUGIN_ROOT}/fix.sh.",
        "commands/git/log.md": "Show the log.",
        "commands/broken.md": `---\ndescription: x\n---\n${"x".repeat(70_000)}`,
      },
      { model: [{ text: "Fixed." }] },
    );
    expect(host.plugin).toMatchObject({ id: "helper", status: "loaded" });
    expect(await host.runCommand("/helper")).toMatchObject({
      text: "/helper:fix [number]: Fix an issue\n/helper:git-log: Show the log.",
    });
    await host.runCommand("/helper:fix 12");
    expect(lastText(host)).toContain(`Fix 12 with ${folder.path}/fix.sh.`);
    expect(host.logs.map(({ message }) => message).join("\n")).toContain("commands/broken.md");
  });

  it("[EXT-531] offers its skills, whose tools are named as in Claude Code", async () => {
    const { host } = await hostWith(
      { "skills/greet/SKILL.md": SKILL },
      {
        files: { "kept.txt": "x" },
        model: [
          { toolCalls: [{ toolName: "skill", params: { name: "greet" } }] },
          { toolCalls: [{ toolName: "list", params: {} }] },
          { toolCalls: [{ toolName: "write", params: { path: "made.txt", content: "a" } }] },
          { text: "Done." },
        ],
      },
    );
    await host.turn("hello");
    const [, loaded, listed] = host.modelRequests.map(({ prompt }) => JSON.stringify(prompt));
    expect(loaded).toContain("Say hello.");
    expect(loaded).toContain("only these tools may be used: read, list");
    expect(listed).toContain("kept.txt");
    expect(existsSync(join(host.workspaceDir, "made.txt"))).toBe(false);
  });

  it("[EXT-531] names a skill without a usable name by its folder", async () => {
    const { host } = await hostWith(
      { "skills/write-rules/SKILL.md": SKILL.replace("name: greet", "name: Writing Rules") },
      {
        model: [
          { toolCalls: [{ toolName: "skill", params: { name: "write-rules" } }] },
          { text: "Done." },
        ],
      },
    );
    await host.turn("hello");
    expect(JSON.stringify(host.modelRequests[0]?.tools)).toContain("write-rules: Greets people.");
    expect(lastText(host)).toContain("Say hello.");
  });

  it("[EXT-533] offers its agents as kinds of subagents with their prompt and at most their tools", async () => {
    const { host } = await hostWith(
      {
        ".claude-plugin/plugin.json": '{ "name": "helper" }',
        "agents/reviewer.md":
          "---\nname: reviewer\ndescription: Reviews code.\ntools: Read, Grep\n---\nYou review with care.",
      },
      {
        config: {
          plugins: {
            entries: { helper: { hooks: { allowConversationAccess: true } } },
          },
        },
        model: [
          {
            toolCalls: [
              { toolName: "sessions_spawn", params: { task: "look", label: "helper:reviewer" } },
            ],
          },
          { text: "Asked." },
          { text: "Reviewed." },
          { text: "Thanks." },
        ],
      },
    );
    await host.turn("review");
    expect(JSON.stringify(host.modelRequests[0])).toContain("helper:reviewer: Reviews code.");
    await expect
      .poll(
        () =>
          host.modelRequests.find((request) =>
            JSON.stringify(request).includes("You review with care."),
          ),
        { timeout: 20_000 },
      )
      .toBeDefined();
    const child = host.modelRequests.find((request) =>
      JSON.stringify(request).includes("You review with care."),
    );
    const tools = JSON.stringify(child?.tools);
    expect(tools).toContain('"grep"');
    expect(tools).not.toContain('"exec"');
  });

  it("[EXT-531] adds the context of a Gemini CLI extension to the prompt, as text of others", async () => {
    const { host } = await hostWith(
      { "gemini-extension.json": '{ "name": "g" }', "GEMINI.md": "Count in dozens." },
      {
        config: { plugins: { entries: { g: { hooks: { allowConversationAccess: true } } } } },
        model: [{ text: "Yes." }],
      },
    );
    await host.turn("hello");
    expect(lastText(host)).toContain("Count in dozens.");
  });
});
