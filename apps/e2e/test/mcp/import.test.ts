import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace } from "../../src/place.js";

const CLAUDE = {
  mcpServers: {
    github: {
      command: "npx",
      args: ["-y", "server-github", "--api-key", "ghk-111", `--level=\${LEVEL:-info}`],
      env: { GITHUB_TOKEN: "ghp-222", MODE: "fast" },
    },
    old: { type: "sse", url: "https://old.example/sse" },
  },
};
const VSCODE = `{
  // Servers of the editor.
  "inputs": [{ "id": "linear-key", "type": "promptString" }],
  "servers": {
    "linear": {
      "type": "http",
      "url": "https://mcp.linear.app/mcp",
      "headers": { "Authorization": "Bearer \${input:linear-key}", "X-Team": "\${env:TEAM}" },
    },
    "notes": { "command": "\${userHome}/notes", "envFile": ".env", "dev": {} },
    "odd": { "command": "\${command:pick}" },
  },
}`;
const CODEX = `
[mcp_servers.docs]
url = "https://docs.example/mcp?api_key=k-333"
bearer_token_env_var = "DOCS_TOKEN"
tool_timeout_sec = 20
enabled_tools = ["search"]

[mcp_servers.github]
command = "other"
`;

function scene(environment: Readonly<Record<string, string>> = {}) {
  const place = emptyPlace(environment);
  onTestFinished(() => place[Symbol.dispose]());
  place.writeState({
    ".claude.json": JSON.stringify(CLAUDE),
    ".config/Code/User/mcp.json": VSCODE,
    ".codex/config.toml": CODEX,
    ".cursor/mcp.json": "{ nothing",
  });
  const mcp = (...words: readonly string[]) => openclaw(["mcp", ...words], place);
  const configured = () =>
    JSON.parse(readFileSync(join(place.state, "openclaw.json"), "utf8")).mcpServers;
  return { place, mcp, configured };
}

it("[EXT-720] lists the servers of other programs without their secrets, and says what it cannot take over", async () => {
  const { mcp } = scene();
  const { stdout, exitCode } = await mcp("import");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /Claude Code .*\.claude\.json\n {2}github {2}npx -y server-github --api-key …/,
  );
  expect(stdout).toContain("(2 secrets)");
  expect(stdout).toContain("old  https://old.example/sse");
  expect(stdout).toContain("its setting envFile is not taken over");
  expect(stdout).toContain("odd  cannot be taken over: it has a variable that is not known here");
  expect(stdout).toMatch(/Cursor .*\n {2}cannot be read: it is not JSON/);
  expect(stdout).toContain("https://docs.example/mcp?api_key=…");
  expect(stdout).not.toMatch(/ghk-111|ghp-222|k-333/);
});

it("[EXT-720] takes over all of them, with their variables, and stores their literal secrets", async () => {
  const { place, mcp, configured } = scene({ TEAM: "red", DOCS_TOKEN: "d-444" });
  const early = await mcp("import", "linear");
  expect(early.stderr).toContain(
    "linear was not taken over: store what its editor asks for: openclaw secrets set MCP_LINEAR_KEY",
  );
  await openclaw(["secrets", "set", "MCP_LINEAR_KEY", "--from-env", "TEAM"], place);
  const { stdout, stderr } = await mcp("import", "--all");
  expect(stdout).toContain("Added MCP server github from Claude Code.");
  expect(stderr).toContain("odd was not taken over: it has a variable that is not known here");
  expect(stdout).toContain("stored secret MCP_GITHUB_GITHUB_TOKEN");
  expect(configured()).toEqual({
    github: {
      command: "npx",
      args: [
        ...["-y", "server-github", "--api-key", `\${secret:MCP_GITHUB_API_KEY}`],
        `--level=\${LEVEL:-info}`,
      ],
      env: { GITHUB_TOKEN: `\${secret:MCP_GITHUB_GITHUB_TOKEN}`, MODE: "fast" },
    },
    old: { type: "sse", url: "https://old.example/sse" },
    linear: {
      url: "https://mcp.linear.app/mcp",
      headers: { Authorization: `Bearer \${secret:MCP_LINEAR_KEY}`, "X-Team": `\${TEAM}` },
    },
    notes: { command: `${place.state}/notes` },
    docs: {
      url: `https://docs.example/mcp?api_key=\${secret:MCP_DOCS_API_KEY}`,
      headers: { Authorization: `Bearer \${DOCS_TOKEN}` },
      tools: { allow: ["search"] },
      timeoutMs: 20_000,
    },
  });
  const secrets = (await openclaw(["secrets", "list"], place)).stdout;
  expect(secrets).toContain("MCP_GITHUB_API_KEY");
  expect(secrets).toContain("MCP_DOCS_API_KEY");
  expect(readFileSync(join(place.state, ".codex/config.toml"), "utf8")).toBe(CODEX);
});

it("[EXT-720] takes over the servers that are named, and replaces a name in use only when asked", async () => {
  const { mcp, configured } = scene({ DOCS_TOKEN: "d-444" });
  const early = await scene().mcp("import", "linear", "docs");
  expect(early.stderr).toContain("docs was not taken over: set DOCS_TOKEN in the environment");
  expect(early.stdout).toContain("No server was taken over.");
  expect((await mcp("import", "docs", "--from", "codex")).exitCode).toBe(0);
  expect(Object.keys(configured())).toEqual(["docs"]);
  const again = await mcp("import", "docs");
  expect(again.stderr).toContain("docs was not taken over: the name is in use");
  const replaced = await mcp("import", "docs", "--replace");
  // The secret of the first import stays, because another server may use it.
  expect(replaced.stdout).toContain(
    "Replaced MCP server docs from Codex.\n  stored secret MCP_DOCS_API_KEY_2",
  );
});

it.each([
  [["import", "nothing"], 'no server of another program is named "nothing"; choose of: github'],
  [["import", "odd"], 'server "odd" has a variable that is not known here'],
  [["import", "--from", "word"], "--from expected claude-code, claude-desktop"],
  [["import", "--file", "missing.json"], "missing.json cannot be read"],
])("[EXT-720] rejects mcp %j with the next step", async (words, message) => {
  const { mcp } = scene();
  const { exitCode, stderr } = await mcp(...words);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});
