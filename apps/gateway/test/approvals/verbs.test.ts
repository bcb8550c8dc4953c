import { existsSync } from "node:fs";
import { join } from "node:path";
import { createGatewayClient, type GatewayClient } from "@openclaw/client";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { type Gateway, loadGatewayToken, startGateway } from "@openclaw/gateway";
import type { ApprovalSummary } from "@openclaw/protocol";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { loadOperatorConfiguration } from "../../src/configuration.js";
import { runJson } from "../support/command-run.js";

let folder: TemporaryFolder;
let gateway: Gateway;
let client: GatewayClient;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = temporaryFolder();
  folder.write({ "state/openclaw.json": '{ approvals: { headless: "wait" } }' });
  environment = { OPENCLAW_STATE_DIR: join(folder.path, "state"), OPENCLAW_KEYCHAIN: "off" };
  gateway = await startGateway({
    version: "1.0.0",
    stateDir: join(folder.path, "state"),
    configuration: await loadOperatorConfiguration(environment),
    configurationFile: join(folder.path, "state/openclaw.json"),
    workspaceDir: join(folder.path, "workspace"),
    bundledExtensions: [],
    environment: { PATH: process.env.PATH },
    port: 0,
  });
  const { url = "", state } = gateway;
  client = createGatewayClient({ url, token: loadGatewayToken(state.tokenFile) });
});

afterAll(async () => {
  await gateway.stop("command");
  folder[Symbol.dispose]();
});

/** Runs `openclaw approvals … --json`, and returns what it printed. */
async function approvals(...args: string[]) {
  const { exitCode, values } = await runJson(["approvals", ...args], environment);
  return { exitCode, value: values[0], values };
}

/** Sends a message whose turn makes a call that needs approval, and returns the pending request. */
async function ask(command: string): Promise<ApprovalSummary> {
  await client.call("chat.send", {
    sessionKey: "agent:main:main",
    text: `run \`${command}\``,
  });
  return vi.waitFor(async () => {
    const { value } = await approvals("list");
    const [pending] = value.approvals;
    if (pending === undefined) throw new Error("nothing is pending");
    return pending;
  });
}

describe("openclaw approvals --json", () => {
  it("[APPR-035] [UI-504] lists, shows, approves, grants, revokes, denies and reports requests of a running gateway", async () => {
    const pending = await ask("git tag v1");
    expect((await approvals("list", "--session", "agent:other:main")).value.approvals).toEqual([]);
    const shown = await approvals("show", pending.code);
    expect(shown).toMatchObject({ exitCode: 0, value: { id: pending.id, state: "pending" } });

    const approved = await approvals("approve", pending.code, "--always", "--scope", "agent");
    expect(approved).toMatchObject({ exitCode: 0, value: { state: "allowed-always" } });
    const { grants } = (await approvals("grants")).value;
    expect(grants).toMatchObject([{ scope: "agent", agentId: "main" }]);
    await vi.waitFor(async () => {
      const { value } = await approvals("show", pending.id);
      expect(value.consumedAt).toBeTypeOf("number");
    });
    const revoked = await approvals("revoke", grants[0].id);
    expect(revoked).toMatchObject({ exitCode: 0, value: { revoked: [{ id: grants[0].id }] } });
    expect((await approvals("grants")).value.grants).toEqual([]);

    // The grant is gone: the same command needs approval again, and once is once.
    const again = await ask("git tag v1");
    expect(again.id).not.toBe(pending.id);
    const once = await approvals("approve", again.id);
    expect(once).toMatchObject({ exitCode: 0, value: { state: "allowed-once" } });
    expect((await approvals("grants")).value.grants).toEqual([]);

    const third = await ask("touch made");
    // Its request asks for no input.
    expect(await approvals("approve", third.code, "--field", "name=Ann")).toMatchObject({
      value: { error: { code: "APPROVAL_INPUT_INVALID" } },
    });
    const note = "Use the branch main.";
    const denied = await approvals("deny", third.code, "--note", note);
    expect(denied).toMatchObject({ exitCode: 0, value: { state: "denied", note } });
    expect(await approvals("approve", third.code)).toMatchObject({
      exitCode: 3,
      value: { error: { code: "APPROVAL_ALREADY_DECIDED", kind: expect.any(String) } },
    });
    expect(existsSync(join(folder.path, "workspace/made"))).toBe(false);

    const history = (await approvals("history", "--limit", "10")).value.approvals;
    expect(history.map(({ state }: ApprovalSummary) => state)).toEqual([
      "denied",
      "allowed-once",
      "allowed-always",
    ]);
    const audit = await approvals("audit", "--approval", third.code);
    expect(audit.values.map(({ event }) => event)).toEqual(
      expect.arrayContaining(["created", "decided", "refused"]),
    );
    expect((await approvals("audit", "--verify")).value).toMatchObject({ intact: true });
    expect(await approvals("check", "touch made")).toMatchObject({
      exitCode: 3,
      value: { outcome: expect.any(String) },
    });
    expect(await approvals("show", "NOSUCH")).toMatchObject({
      exitCode: 4,
      value: { error: { kind: "not-found" } },
    });
  });
});
