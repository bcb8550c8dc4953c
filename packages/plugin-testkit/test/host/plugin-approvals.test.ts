import { setImmediate as nextTurn } from "node:timers/promises";
import type { OpenClawPluginApi, PluginDefinition } from "@openclaw/plugin-sdk";
import type { ResolvedApproval } from "@openclaw/plugin-sdk/approvals";
import { openStore } from "@openclaw/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestHost, QuestionUnclearError, type TestHost } from "../../src/index.js";

const SESSION = "agent:main:main";
const ASKED = { title: "Publish?", description: "The report goes out.", sessionKey: SESSION };

/** A plugin whose `api` the test uses, and the decisions of an earlier process that it received. */
function publisher() {
  let api: OpenClawPluginApi | undefined;
  const told: ResolvedApproval[] = [];
  const plugin: PluginDefinition = {
    id: "publisher",
    register(given) {
      api = given;
      given.approvals.onResolved((approval) => void told.push(approval));
    },
  };
  return {
    plugin,
    told,
    get approvals() {
      if (api === undefined) throw new Error("the plugin is not registered");
      return api.approvals;
    },
  };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await nextTurn();
}

/** Opens the session of the approval requests. */
async function converse(host: TestHost): Promise<void> {
  await host.turn("hello");
}

describe("approval requests of plugins", { timeout: 20_000 }, () => {
  it.each(["allow-once", "deny"] as const)(
    "[APPR-006] [PLUG-040] request a decision outside a tool call and return it: %s",
    async (answer) => {
      const asker = publisher();
      await using host = await createTestHost({ plugin: asker.plugin, answer });
      await converse(host);
      let id = "";
      const decision = await asker.approvals.request({
        ...ASKED,
        severity: "critical",
        payload: { report: 7, token: "ghp_0123456789abcdefghijklmnopqrstuvwxyzAB" },
        onStored: (stored) => {
          id = stored;
        },
      });
      expect(decision).toBe(answer);
      expect(host.questions).toHaveLength(1);
      expect(host.questions[0]).toMatchObject({
        id,
        kind: "plugin",
        pluginId: "publisher",
        title: "Publish?",
        severity: "critical",
        sessionKey: SESSION,
      });
      expect(JSON.stringify(host.questions[0]?.params)).not.toContain("ghp_0123");
      expect(await asker.approvals.get(id)).toMatchObject({ id, decision: answer });
    },
  );

  it("[APPR-006] bind the decision to the payload", async () => {
    const asker = publisher();
    await using host = await createTestHost({ plugin: asker.plugin, answer: "allow-once" });
    await converse(host);
    for (const payload of [{ report: 1 }, { report: 1 }, { report: 2 }]) {
      await asker.approvals.request({ ...ASKED, payload });
    }
    const [first, same, other] = host.questions.map(({ digest }) => digest);
    expect(same).toBe(first);
    expect(other).not.toBe(first);
  });

  it("[PLUG-040] are denied at once on a host without an approver", async () => {
    const asker = publisher();
    await using host = await createTestHost({ plugin: asker.plugin });
    await converse(host);
    expect(await asker.approvals.request(ASKED)).toBe("deny");
  });

  it("[APPR-006] [APPR-019] survive a restart: the decision is passed to the handler and can be looked up", async () => {
    const store = await openStore({ file: ":memory:" });
    onTestFinished(() => store.close());
    let id = "";
    {
      const asker = publisher();
      await using host = await createTestHost({
        plugin: asker.plugin,
        store,
        answer: () => undefined,
      });
      await converse(host);
      void asker.approvals.request({
        ...ASKED,
        onStored: (stored) => {
          id = stored;
        },
      });
      await until(() => id !== "");
      expect(await asker.approvals.get(id)).not.toHaveProperty("decision");
    }
    const asker = publisher();
    await using host = await createTestHost({
      plugin: asker.plugin,
      store,
      answer: () => undefined,
    });
    expect(asker.told).toEqual([]);
    await host.approve(id);
    expect(asker.told).toEqual([
      {
        id,
        sessionKey: SESSION,
        pluginId: "publisher",
        decision: "allow-once",
        decidedBy: "terminal:operator",
      },
    ]);
    expect(await asker.approvals.get(id)).toMatchObject({ decision: "allow-once" });
  });

  it("can be neither decided by their plugin nor seen by another one", async () => {
    const [asker, neighbour] = [publisher(), publisher()];
    await using host = await createTestHost({
      plugin: asker.plugin,
      neighbours: [{ ...neighbour.plugin, id: "neighbour" }],
      config: { approvals: { allowSelf: true } },
      answer: () => undefined,
    });
    await converse(host);
    let id = "";
    const asked = asker.approvals.request({
      ...ASKED,
      onStored: (stored) => {
        id = stored;
      },
    });
    await until(() => host.questions.length === 1);
    expect(Object.keys(asker.approvals).toSorted()).toEqual([
      "cancel",
      "get",
      "onResolved",
      "reach",
      "request",
      "submit",
    ]);
    const own = { channel: "plugin", senderId: "publisher", sessionKey: SESSION };
    const reply = await host.receive({ ...own, text: "/approve", senderId: "publisher-2" });
    expect(reply.text).toContain("NOT_AUTHORIZED_TO_APPROVE");
    expect(await neighbour.approvals.get(id)).toBeUndefined();
    await host.deny();
    expect(await asked).toBe("deny");
  });

  it.each([
    [{ title: "" }, "title"],
    [{ description: 1 }, "description"],
    [{ severity: "fatal" }, "severity"],
    [{ timeoutMs: Number.NaN }, "timeoutMs"],
    [{ sessionKey: undefined }, "sessionKey"],
  ])("are rejected with a wrong field, which the error names: %j", async (wrong, argument) => {
    const asker = publisher();
    await using _host = await createTestHost({ plugin: asker.plugin, answer: "allow-once" });
    await expect(asker.approvals.request({ ...ASKED, ...wrong } as never)).rejects.toMatchObject({
      code: "PLUGIN_REGISTRATION_INVALID",
      argument,
      message: expect.stringContaining('plugin "publisher" called api.approvals.request'),
    });
  });

  it("are rejected for an unknown session", async () => {
    const asker = publisher();
    await using host = await createTestHost({ plugin: asker.plugin, answer: "allow-once" });
    await converse(host);
    await expect(
      asker.approvals.request({ ...ASKED, sessionKey: "agent:main:mian" }),
    ).rejects.toMatchObject({
      code: "SESSION_NOT_FOUND",
      message: expect.stringContaining(`did you mean "${SESSION}"`),
    });
  });

  it.each([
    [0, 1000],
    [31_536_000_000, 604_800_000],
  ])("clamp a timeout of %i ms to %i ms", async (timeoutMs, bounded) => {
    const asker = publisher();
    await using host = await createTestHost({ plugin: asker.plugin, answer: "deny" });
    await converse(host);
    expect(await asker.approvals.request({ ...ASKED, timeoutMs })).toBe("deny");
    const [question] = host.questions;
    expect((question?.expiresAt ?? 0) - (question?.createdAt ?? 0)).toBe(bounded);
    expect(host.logs.map(({ level, message }) => `${level}: ${message}`)).toContainEqual(
      expect.stringMatching(/^warn: .*1000 to 604800000/),
    );
  });

  it("end with a timeout after the shortest time", async () => {
    const asker = publisher();
    await using host = await createTestHost({ plugin: asker.plugin, answer: () => undefined });
    await converse(host);
    const asked = asker.approvals.request({ ...ASKED, timeoutMs: 0 });
    await until(() => host.questions.length === 1);
    await host.advance(1000);
    expect(await asked).toBe("timeout");
  });
});

describe("approval decisions of a test", { timeout: 20_000 }, () => {
  const acting: PluginDefinition = {
    id: "acting",
    register(api) {
      api.registerTool({
        name: "act",
        description: "Acts.",
        parameters: { type: "object", properties: {}, additionalProperties: false },
        approval: "unless-granted",
        execute: () => "acted",
      });
    },
  };
  const script = () => [{ toolCalls: [{ toolName: "act", params: {} }] }, { text: "Done." }];

  it("resume a turn that waits for approval, once or always", async () => {
    await using host = await createTestHost({
      plugin: acting,
      answer: () => undefined,
      model: [...script(), ...script(), ...script()],
    });
    for (const decision of ["allow-once", "allow-always"] as const) {
      const asked = host.questions.length;
      const turn = host.turn("act");
      await until(() => host.questions.length > asked);
      await host.approve(undefined, decision);
      expect(await turn).toMatchObject({ status: "replied", text: "Done." });
      expect(JSON.stringify(host.modelRequests.at(-1))).toContain("acted");
    }
    expect((await host.turn("act")).text).toBe("Done.");
    expect(host.questions).toHaveLength(2);
  });

  it("name the pending approvals when the id is ambiguous", async () => {
    await using host = await createTestHost({ plugin: acting, answer: () => undefined });
    await expect(host.approve()).rejects.toBeInstanceOf(QuestionUnclearError);
    const calls = [host.callTool("act"), host.callTool("act")];
    await until(() => host.questions.length === 2);
    await expect(host.deny()).rejects.toMatchObject({
      code: "TEST_QUESTION_UNCLEAR",
      message: expect.stringContaining(host.questions[0]?.code ?? "no question"),
    });
    for (const { code } of host.questions) await host.deny(code);
    for (const { text } of await Promise.all(calls)) expect(text).toContain("denied: by user");
  });
});
