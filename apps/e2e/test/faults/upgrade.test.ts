import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createGatewayClient } from "@openclaw/client";
import { describe, expect, it, vi } from "vitest";
import { openclaw } from "../../src/command-line.js";
import { startGatewayProcess } from "../../src/openclaw-process.js";
import { emptyPlace } from "../../src/place.js";

/**
 * State folder that the code of the commit in its name wrote: two sessions, a grant for `write` in the first one, a
 * secret, a rule for commands and a configuration. The demo model replied.
 */
const FIXTURE = join(import.meta.dirname, "../../fixtures/state-of-531e6a42");

describe("state folder of an earlier version", () => {
  it("[HOST-060] keeps sessions, grants, rules, secrets and configuration", async () => {
    using place = emptyPlace({ OPENCLAW_SECRET_KEY: "k".repeat(32) });
    const configuration = readFileSync(join(FIXTURE, "openclaw.json5"), "utf8");
    place.writeState({ "openclaw.json": configuration });
    const database = gunzipSync(readFileSync(join(FIXTURE, "openclaw.db.gz")));
    writeFileSync(join(place.state, "openclaw.db"), database, { mode: 0o600 });
    await using gateway = await startGatewayProcess(place);
    const { call } = createGatewayClient({ url: gateway.url, token: gateway.token });

    const { sessions } = await call("sessions.list", {});
    expect(sessions.map(({ sessionKey }) => sessionKey).toSorted()).toEqual([
      ...["agent:main:main", "agent:main:second"],
    ]);
    const { messages } = await call("chat.history", { sessionKey: "agent:main:main" });
    expect(JSON.stringify(messages)).toContain("write hello.txt: Hello");
    const { grants } = await call("approvals.grants", {});
    expect(grants).toMatchObject([{ tool: "write", scope: "session" }]);

    // Without an approver the call is allowed only by the grant.
    await call("chat.send", {
      sessionKey: "agent:main:main",
      text: "write later.txt: Hello again",
    });
    const file = join(place.workspace, "later.txt");
    await vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: 60_000 });
    expect(readFileSync(file, "utf8")).toBe("Hello again");

    const { secrets } = await call("secrets.list", {});
    expect(secrets).toMatchObject([{ name: "OLD" }]);
    const checked = await openclaw(["approvals", "check", "git push"], place);
    expect(checked.stdout).toContain("asks a person to push");
    const instructions = await openclaw(["config", "get", "agents.defaults.instructions"], place);
    expect(instructions.stdout).toContain("Answer in one sentence.");
    expect(readFileSync(join(place.state, "openclaw.json"), "utf8")).toBe(configuration);
    expect(await gateway.end("SIGTERM")).toBe(0);

    // A rotation decrypts every secret.
    const next = { ...place.environment, OPENCLAW_SECRET_KEY_NEXT: "n".repeat(32) };
    const rotated = await openclaw(["secrets", "rotate"], { ...place, environment: next });
    expect(rotated).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^1 secret is/) });
  });
});
