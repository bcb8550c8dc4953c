import { join } from "node:path";
import { openStore } from "@openclaw/store";
import { describe, expect, it } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { emptyPlace } from "../../src/place.js";

const HEADER = "-----BEGIN RSA PRIVATE KEY-----";

/** Stores a request that waits in a state folder. */
async function storeRequest(state: string, tool: string, params: Record<string, string>) {
  const store = await openStore({ file: join(state, "openclaw.db") });
  try {
    const { code } = await store.decisions.approvals.create({
      kind: "tool",
      tool,
      params,
      digest: "3fa9c01b".repeat(8),
      sessionKey: "agent:main:main",
      agentId: "main",
      requester: { channel: "terminal", accountId: "default", senderId: "operator" },
      title: "Run it?",
      description: "",
      severity: "warning",
      allowedDecisions: ["allow-once", "deny"],
      timeoutBehavior: "deny",
      timeoutMs: 600_000,
      grant: { scope: "session", key: tool },
    });
    return code;
  } finally {
    await store.close();
  }
}

describe("openclaw approvals show", () => {
  it.each([
    ["exec", "command", `npm test # ${HEADER}\ntouch x`],
    ["write", "content", `# ${HEADER}\nrm -rf y\u202e\n`],
    ["write", "content", `${"a long line of a file\n".repeat(500)}the last line`],
  ])("[APPR-047] shows a call of %s with its whole %s", async (tool, name, value) => {
    using place = emptyPlace();
    const code = await storeRequest(place.state, tool, { [name]: value });
    const { exitCode, stdout } = await openclaw(["approvals", "show", code], place);
    expect(exitCode).toBe(0);
    const lines = stdout.split("\n").map((line) => line.slice("  severity ".length));
    const start = lines.findIndex((line) => line.startsWith("{"));
    const end = lines.findIndex((line) => line.endsWith("}"));
    const shown = lines.slice(start, end + 1).join("");
    expect(JSON.parse(shown.replaceAll("\\u{202e}", "\\u202e"))).toEqual({ [name]: value });
  });
});
