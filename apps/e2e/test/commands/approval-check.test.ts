import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace } from "../../src/place.js";

const CONFIGURATION = {
  plugins: {
    entries: {
      approvals: {
        config: {
          rules: [
            {
              prefix: ["node", "--test"],
              decision: "allow",
              match: ["node --test src"],
              notMatch: ["node src"],
              note: "the project's tests",
            },
          ],
          agents: { careful: { security: "deny" } },
        },
      },
    },
  },
};

describe("openclaw approvals check", () => {
  it("[APPR-044] prints what would run without approval and by which rule, and runs nothing", async () => {
    using place = emptyPlace();
    place.writeState({ "openclaw.json": JSON.stringify(CONFIGURATION) });
    const check = (...args: string[]) => openclaw(["approvals", "check", ...args], place);

    expect(await check("ls -la && node --test src")).toMatchObject({
      exitCode: 0,
      stderr: "",
      stdout: [
        "listed  ls -la           safeBins  ls only reads the workspace",
        "listed  node --test src  rules[0]  the project's tests",
        `rules[0] is at ${join(place.state, "openclaw.json")}:1`,
        "runs: every command is on a list",
        "",
      ].join("\n"),
    });
    expect(await check("touch made")).toMatchObject({
      exitCode: 3,
      stdout: [
        "unlisted  touch made  -  no rule allows touch",
        "needs approval: unless already granted: touch made: no rule allows touch",
        "",
      ].join("\n"),
    });
    expect((await check("ls made")).exitCode).toBe(0);
    const json = await check("env bash -c 'git push -f'", "--json");
    expect(json.exitCode).toBe(3);
    expect(JSON.parse(json.stdout)).toMatchObject({
      command: "env bash -c 'git push -f'",
      agent: "main",
      outcome: "asks",
      commands: [{ finding: "destructive", rule: "destructive:git-loss" }],
      safety: "explicit",
    });
    expect((await check("rm -rf /")).stdout).toContain("denied: safety rule shell_root_removal");
    expect((await check("ls", "--agent", "careful")).stdout).toBe(
      [
        "listed  ls  safeBins  ls only reads the workspace",
        "denied: commands are not allowed here (security: deny)",
        "",
      ].join("\n"),
    );
  });

  it("[APPR-040] rejects a configuration whose rule contradicts its example, with file and line", async () => {
    using place = emptyPlace();
    place.writeState({
      "openclaw.json": `{
        plugins: { entries: { approvals: { config: { rules: [
          {
            prefix: ["npm", ["test", "ci"]],
            decision: "allow",
            match: ["npm test"],
            notMatch: ["npm run", "npm ci --force"],
            note: "the tests",
          },
        ] } } } },
      }`,
    });
    for (const command of [
      ["config", "validate"],
      ["approvals", "check", "ls"],
      ["chat", "-m", "hi"],
    ]) {
      const { exitCode, stderr } = await openclaw(command, place);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 78,
        stderr: expect.stringMatching(
          /openclaw\.json:7:35 plugins\.entries\.approvals\.config\.rules\[0\]\.notMatch\[1\]: the rule matches its example "npm ci --force"/,
        ),
      });
    }
  });

  it("[APPR-044] includes the settings of the tool and its policy", async () => {
    using place = emptyPlace();
    const check = async (configuration: object, command: string) => {
      place.writeState({ "openclaw.json": JSON.stringify(configuration) });
      const { stdout, exitCode } = await openclaw(["approvals", "check", command], place);
      return `${exitCode} ${stdout.trimEnd().split("\n").at(-1)}`;
    };
    expect(await check({ tools: { approval: { exec: "never" } } }, "touch made")).toBe(
      "0 runs: tools.approval.exec is never",
    );
    expect(await check({ tools: { approval: { bash: "always" } } }, "ls")).toBe(
      "3 needs approval: each time: tools.approval.exec is always",
    );
    expect(await check({ tools: { deny: ["exec"] } }, "ls")).toContain(
      "3 denied: policy denies exec, global: deny exec at",
    );
    expect(await check({ plugins: { deny: ["approvals"] } }, "ls")).toBe(
      "3 needs approval: unless already granted: the bundled plugin approvals is off, and the tool requires approval",
    );
  });
});
