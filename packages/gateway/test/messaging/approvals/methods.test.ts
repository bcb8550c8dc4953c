import { createApprovalMethods } from "@openclaw/messaging";
import { describe, expect, it } from "vitest";
import { createApprovalHost } from "../../support/approval-host.js";

async function createMethods(settings: Parameters<typeof createApprovalHost>[0] = {}) {
  const host = await createApprovalHost(settings);
  return { ...host, methods: createApprovalMethods(host) };
}

describe("approval methods", () => {
  it("list pending and settled requests of one session or all, newest first", async () => {
    const { ask, methods } = await createMethods();
    const first = await ask();
    const second = await ask({ sessionKey: "agent:main:other" });
    const list = async (filter = {}) =>
      (await methods.call("approvals.list", filter)).approvals.map(({ id }) => id);
    expect(await list()).toEqual([second.id, first.id]);
    expect(await list({ sessionKey: "agent:main:main" })).toEqual([first.id]);
    expect(await list({ limit: 1 })).toEqual([second.id]);
    const { id, digest } = first;
    await methods.call("approvals.resolve", { id, digest, decision: "deny" });
    expect(await list()).toEqual([second.id]);
    expect(await list({ state: "denied" })).toEqual([first.id]);
    const over = await methods.call("approvals.history", {});
    expect(over.approvals.map(({ id, state }) => [id, state])).toEqual([[first.id, "denied"]]);
  });

  it("[GW-530] page through the history, filtered by outcome, tool, decider and text", async () => {
    const { ask, methods, clock } = await createMethods();
    const titles = ["one", "two 100%", "three", "four", "five"];
    for (const [index, title] of titles.entries()) {
      clock.now += index % 2;
      const tool = index < 2 ? "write" : "exec";
      const { id, digest } = await ask({ title, tool, params: { path: `C:\\${title}` } });
      const decision = index === 0 ? "deny" : "allow-once";
      await methods.call("approvals.resolve", { id, digest, decision });
    }
    await ask({ title: "six" });
    const read = async (filter = {}) => {
      const found: string[] = [];
      let cursor: string | undefined;
      let total: number;
      do {
        const page = await methods.call("approvals.history", {
          ...{ ...filter, limit: 2 },
          ...(cursor === undefined ? {} : { cursor }),
        });
        found.push(...page.approvals.map(({ title }) => title));
        ({ nextCursor: cursor, total } = page);
      } while (cursor !== undefined);
      expect(total).toBe(found.length);
      return found;
    };
    expect(await read()).toEqual(titles.toReversed());
    expect(await read({ state: "denied" })).toEqual(["one"]);
    expect(await read({ tool: "write" })).toEqual(["two 100%", "one"]);
    expect(await read({ decidedBy: "cli:operator" })).toHaveLength(5);
    expect(await read({ decidedBy: "cli:other" })).toEqual([]);
    expect(await read({ text: "100%" })).toEqual(["two 100%"]);
    expect(await read({ text: "c:\\THREE" })).toEqual(["three"]);
    expect(await read({ text: "_" })).toEqual([]);
    const first = await methods.call("approvals.history", { limit: 1 });
    expect(first).toMatchObject({ tools: ["exec", "write"], deciders: ["cli:operator"] });
    const { nextCursor = "" } = first;
    const second = await methods.call("approvals.history", { limit: 1, cursor: nextCursor });
    expect(second).not.toHaveProperty("tools");
    await expect(methods.call("approvals.history", { cursor: "1" })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
  });

  it("return a request by ID or code, without fields that only the host uses", async () => {
    const { ask, methods } = await createMethods();
    const { id, code } = await ask({ tool: "exec", params: { command: "ls | wc" } });
    for (const reference of [id, id.toLowerCase(), code, code.toLowerCase()]) {
      const shown = await methods.call("approvals.get", { id: reference });
      expect(shown).toMatchObject({ id, code, commands: ["ls", "wc"], grantScope: "session" });
      expect(shown).not.toHaveProperty("grant");
    }
    await expect(methods.call("approvals.get", { id: "NOSUCH" })).rejects.toMatchObject({
      code: "APPROVAL_NOT_FOUND",
    });
  });

  it("[GW-343] return the words of the commands, and the rule that asks with its place", async () => {
    const { ask, methods } = await createMethods();
    const rule = { id: "rules[0]", key: "plugins.entries.approvals.config.rules[0]" };
    const place = { file: "/state/openclaw.json", line: 14, column: 9 };
    const { id } = await ask({
      tool: "exec",
      commands: ["git push --force", "and 2 more commands"],
      argv: [
        [
          { kind: "program", text: "git" },
          { kind: "argument", text: "pu\u202esh" },
          { kind: "argument", text: "--force" },
        ],
      ],
      rule: { ...rule, ...place },
    });
    expect(await methods.call("approvals.get", { id })).toMatchObject({
      rule: { ...rule, ...place },
      argv: [
        [
          { kind: "program", text: "git" },
          { kind: "argument", text: "pu\\u{202e}sh" },
          { kind: "argument", text: "--force" },
        ],
      ],
    });
    const plain = await methods.call("approvals.get", { id: (await ask()).id });
    expect(plain).not.toHaveProperty("rule");
    expect(plain).not.toHaveProperty("argv");
  });

  it("[GW-344] keep the note of a denial, without credentials, and reject one of another decision", async () => {
    const { ask, methods, store } = await createMethods();
    const { id, digest } = await ask();
    const note = "use the branch main\nwith ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    const denied = await methods.call("approvals.resolve", { id, digest, decision: "deny", note });
    expect(denied.note).toBe("use the branch main with [REDACTED]");
    expect(await store.decisions.approvals.get(id)).toMatchObject({ note: denied.note });
    const other = await ask();
    const allowed = { id: other.id, digest: other.digest, decision: "allow-once", note };
    await expect(methods.call("approvals.resolve", allowed as never)).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
  });

  it.each([true, false])(
    "[APPR-061] return for a command whether it runs in the sandbox once it is allowed: %s",
    async (sandboxed) => {
      const { ask, methods } = await createMethods({ sandboxesAllowed: sandboxed });
      const exec = await ask({ tool: "exec", params: { command: "ls" } });
      expect(await methods.call("approvals.get", { id: exec.id })).toMatchObject({ sandboxed });
      const { id } = await ask();
      expect(await methods.call("approvals.get", { id })).not.toHaveProperty("sandboxed");
    },
  );

  it("settle a request only with its current digest", async () => {
    const { ask, methods, store } = await createMethods();
    const { id, code, digest } = await ask();
    const decision = "allow-once" as const;
    await expect(
      methods.call("approvals.resolve", { id, decision, digest: "0".repeat(64) }),
    ).rejects.toMatchObject({ code: "APPROVAL_MISMATCH" });
    expect(await store.decisions.approvals.get(id)).toMatchObject({ state: "pending" });
    const settled = await methods.call("approvals.resolve", { id: code, decision, digest });
    expect(settled).toMatchObject({ id, state: "allowed-once", decidedVia: "cli" });
    await expect(methods.call("approvals.resolve", { id, decision, digest })).rejects.toMatchObject(
      {
        code: "APPROVAL_ALREADY_DECIDED",
      },
    );
  });

  it("[APPR-023] list and revoke grants, after which a revoked grant allows nothing", async () => {
    const { ask, methods, store } = await createMethods();
    const grant = { scope: "session", key: "k".repeat(64) } as const;
    for (const scope of ["agent", "global"] as const) {
      const { id, digest } = await ask({ grant });
      await methods.call("approvals.resolve", { id, digest, decision: "allow-always", scope });
    }
    const { grants } = await methods.call("approvals.grants", {});
    expect(grants.map(({ label }) => label)).toEqual(["write", "write"]);
    expect(grants.map(({ scope, createdBy }) => [scope, createdBy])).toEqual([
      ["global", "cli:operator"],
      ["agent", "cli:operator"],
    ]);
    const call = {
      key: grant.key,
      sessionKey: "agent:main:elsewhere",
      agentId: "main",
      requester: { channel: "api", accountId: "default", senderId: "api" },
    };
    expect(await store.decisions.grants.use(call)).toMatchObject({ scope: "agent" });
    for (const { id } of grants) await methods.call("approvals.revoke", { id });
    expect(await store.decisions.grants.use(call)).toBeUndefined();
    await expect(
      methods.call("approvals.revoke", { id: grants[0]?.id ?? "" }),
    ).rejects.toMatchObject({
      code: "GRANT_NOT_FOUND",
    });
    expect(await methods.call("approvals.revoke", { all: true })).toEqual({ revoked: [] });
  });

  it("[APPR-034] read the audit log of all or one request, and report where it was changed", async () => {
    const { ask, methods } = await createMethods();
    const { id, code, digest } = await ask();
    await ask();
    await methods.call("approvals.resolve", { id, digest, decision: "allow-always" });
    const { entries } = await methods.call("approvals.audit", { id: code });
    expect(entries.map(({ event }) => event).toSorted()).toEqual(["decided", "granted"]);
    expect(entries[0]).toMatchObject({
      approvalId: id,
      actor: { channel: "cli", id: "operator" },
    });
    const [newest] = (await methods.call("approvals.audit", {})).entries;
    const older = await methods.call("approvals.audit", { before: newest?.seq ?? 0, limit: 10 });
    expect(older.entries.map(({ seq }) => seq)).toEqual([1]);
    expect(await methods.call("approvals.verify", {})).toEqual({ intact: true, rows: 2 });
  });
});
