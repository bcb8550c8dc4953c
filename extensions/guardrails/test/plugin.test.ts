import { readFileSync } from "node:fs";
import { startTestServer } from "@openclaw/platform-fakes";
import { createFakeChannel, createTestHost } from "@openclaw/plugin-testkit";
import { describe, expect, it, onTestFinished } from "vitest";
import manifest from "../openclaw.plugin.json" with { type: "json" };
import { GUARD_NAMES } from "../src/guard-names.js";
import { GUARDS } from "../src/guards.js";
import plugin from "../src/index.js";
import { temporaryStore } from "./support/installed-guard.js";
import { GUEST, GUEST_CONTEXT, guardedHost } from "./support/open-host.js";

const ALL_ON = Object.fromEntries(GUARD_NAMES.map((name) => [name, true]));
const off = { seen: 0, changed: 0, blocked: 0, failed: 0 };

describe("guardrails", () => {
  it("registers no guard that is not enabled", async () => {
    const host = await guardedHost({});
    expect(host.plugin.hookNames).toEqual(["gateway_start"]);
    expect((await host.runCommand("/guards")).text).toContain(
      "No guard is on. Enable one: openclaw config set plugins.entries.guardrails.config.profanity_filter true",
    );
  });

  it("enables each guard with one line of configuration, and all together", async () => {
    const host = await guardedHost(ALL_ON, {
      model: [{ text: "Mail me at ana@example.com, you shit." }],
    });
    expect((await host.turn("hello")).text).toBe("Mail me at [REDACTED_EMAIL], you ****.");
    const { text } = await host.runCommand("/guards");
    for (const name of GUARD_NAMES) expect(text).toMatch(new RegExp(`${name} +on .*0 failed`));
    expect(text).toMatch(/profanity_filter +on +\d seen, 1 changed/);
  });

  it("[DHOOK-050] shows replies as the guards will send them, while the model writes", async () => {
    const text =
      "Mail ana@example.com, you shit. It is a long reply, and the rest of it is harmless.";
    const previewOf = async (config: object) => {
      const host = await guardedHost({ ...config }, { model: [{ text }] });
      const { events, text: sent } = await host.turn("hello");
      const deltas = events.flatMap((event) => (event.type === "text" ? [event.delta] : []));
      return { deltas, sent };
    };
    const guards = { profanity_filter: true, sensitive_data_redactor: true, audit_logger: true };
    const { deltas, sent } = await previewOf(guards);
    expect(deltas.length).toBeGreaterThan(3);
    expect(deltas.join("")).toBe(sent);
    expect(sent).toBe(
      "Mail [REDACTED_EMAIL], you ****. It is a long reply, and the rest of it is harmless.",
    );
    for (const config of [
      { ...guards, profanity_filter: { mode: "block" } },
      { ...guards, sensitive_data_redactor: { card: "block" } },
      { ...guards, response_formatter: true },
    ]) {
      expect((await previewOf(config)).deltas).toEqual([]);
    }
    const unchanged = { response_formatter: { format: "markdown", whiteSpace: false } };
    expect((await previewOf({ ...guards, ...unchanged })).deltas.join("")).toBe(sent);
  });

  it("[DHOOK-044] disables only the guard whose value is invalid, with a diagnostic that names key and nearest name", async () => {
    const host = await guardedHost({
      profanity_filter: true,
      audit_logger: "yes",
      cost_tracker: { dayUsd: -1 },
      input_validator: { maxLenght: 3, action: "hide" },
      profanity: true,
      rate_limit_guard: { tools: { max: "many", by: "user" } },
      sensitive_data_redactor: { email: "hide", card: { tool: "off" } },
    });
    const problems = host.logs.filter(({ level }) => level === "error");
    expect(problems.map(({ message }) => message)).toEqual([
      'the guard rate_limit_guard is not active: tools.max must be integer, got "many"; tools.by must be equal to one of the allowed values: sender, channel, tool, got "user"; correct plugins.entries.guardrails.config.rate_limit_guard',
      'the guard sensitive_data_redactor is not active: card.tool is not a key of it; did you mean tools?; email must be equal to one of the allowed values: redact, block, off, got "hide"; correct plugins.entries.guardrails.config.sensitive_data_redactor',
      'the guard audit_logger is not active: expected true, false or an object, got "yes"; correct plugins.entries.guardrails.config.audit_logger',
      'the guard input_validator is not active: maxLenght is not a key of it; did you mean maxLength?; action must be equal to one of the allowed values: block, warn, got "hide"; correct plugins.entries.guardrails.config.input_validator',
      "the guard cost_tracker is not active: dayUsd must be >= 0, got -1; correct plugins.entries.guardrails.config.cost_tracker",
      "plugins.entries.guardrails.config.profanity: there is no guard of this name; did you mean profanity_filter?",
    ]);
    expect(problems.map(({ fields }) => fields?.code)).toContain("GUARD_CONFIG_INVALID");
    const reported = host.diagnostics.filter(({ code }) => code === "plugin-reported");
    expect(reported.map(({ level, message }) => [level, message])).toEqual(
      problems.map(({ message }) => ["error", message]),
    );
    const status = await host.request("/api/v1/guardrails/status", { method: "POST" });
    expect(await status.json()).toMatchObject({
      guards: [
        { name: "profanity_filter", state: "on" },
        { name: "rate_limit_guard", state: "invalid", counts: off },
        { state: "invalid" },
        { state: "invalid" },
        { state: "invalid" },
        { name: "response_formatter", state: "off", counts: off },
        { state: "invalid" },
        { state: "off" },
      ],
      problems: [expect.stringContaining("did you mean profanity_filter")],
    });
    const delivered = await host.fire(
      "message_sending",
      { to: "chat-1", channel: "telegram", content: "oh shit" },
      GUEST_CONTEXT,
    );
    expect(delivered).toMatchObject({ content: "oh ****" });
  });

  it("[DHOOK-044] has the JSON Schema of each guard in its manifest", async () => {
    for (const name of GUARD_NAMES) {
      const { schema, description } = await GUARDS[name]();
      const entry = manifest.configSchema.properties[name];
      expect(entry.description).toBe(description);
      const [, written] = entry.anyOf as unknown as [unknown, { properties: object }];
      expect(Object.keys(written.properties)).toEqual(Object.keys(schema.properties));
    }
  });

  it("[DHOOK-044] keeps the counters in the status over a restart", async () => {
    const store = await temporaryStore();
    const inline = {
      ...plugin,
      register: (api: object) => plugin.register?.(Object.create(api, { store: { value: store } })),
    };
    const open = async () => {
      const host = await createTestHost({
        plugin: inline as typeof plugin,
        manifest,
        pluginConfig: { profanity_filter: true },
      });
      onTestFinished(() => host.dispose());
      return host;
    };
    const first = await open();
    const event = { to: "chat-1", channel: "telegram", content: "oh shit" };
    await first.fire("message_sending", event);
    await first.dispose();
    const second = await open();
    await second.fire("message_sending", event);
    expect((await second.runCommand("/guards")).text).toContain("2 changed, 0 blocked, 0 failed");
  });

  it("[DHOOK-046] denies what a guard has to decide about when the guard fails", async () => {
    const hooks = [
      ["message_receiving", { cancel: true }],
      ["before_tool_call", { block: true }],
      ["before_agent_run", { outcome: "block" }],
    ] as const;
    const broken = { database: () => Promise.reject(new Error("disk full")), kv: {} };
    const inline = {
      ...plugin,
      register: (api: object) =>
        plugin.register?.(Object.create(api, { store: { value: broken } })),
    };
    const host = await createTestHost({
      plugin: inline as typeof plugin,
      manifest,
      pluginConfig: { rate_limit_guard: true, cost_tracker: true },
    });
    onTestFinished(() => host.dispose());
    for (const [hook, denial] of hooks) {
      const event = {
        content: "x",
        from: "a",
        channel: "telegram",
        isGroup: false,
        toolName: "read",
        params: {},
        prompt: "x",
        messages: [],
      };
      expect(await host.fire(hook, event as never, GUEST_CONTEXT)).toMatchObject(denial);
    }
  });

  it("[DHOOK-041] formats and divides a reply for its channel", async () => {
    const sent: string[] = [];
    const host = await guardedHost(
      {
        response_formatter: {
          maxLength: 100,
          signature: "Claw",
          channels: { slack: { signature: "Slack Claw" } },
        },
      },
      {
        model: [{ text: `**One** two.\n\n\`\`\`sh\n${"echo **hello**\n".repeat(12)}\`\`\`\n` }],
        surface: {
          async send({ text = "" }) {
            sent.push(text);
            return {};
          },
        },
      },
    );
    await host.receive({ ...GUEST, channel: "slack", text: "go" });
    expect(sent.length).toBeGreaterThan(2);
    for (const part of sent) expect(part.length).toBeLessThanOrEqual(100);
    expect(sent[0]).toMatch(/^\*One\* two\./);
    expect(sent.at(-1)).toMatch(/Slack Claw$/);
    expect(sent.join("").match(/echo \*\*hello\*\*/g)).toHaveLength(12);
    for (const part of sent) expect((part.match(/^```/gm) ?? []).length % 2).toBe(0);
  });

  it("[DHOOK-043] sends a signed summary of a failed turn to a webhook", async () => {
    await using server = await startTestServer({ body: "{}" });
    const { host: address } = new URL(server.origin);
    const webhook = { url: `${server.origin}/hook`, secret: "s3cret-of-the-test" };
    const host = await guardedHost(
      { notification_forwarder: { webhook } },
      { config: { tools: { http: { allowHosts: [address] } } } },
    );
    await host.fire(
      "agent_end",
      { messages: [], success: false, error: "no quota for AKIAIOSFODNN7EXAMPLE" },
      GUEST_CONTEXT,
    );
    await expect.poll(() => server.requests).toHaveLength(1);
    const [request] = server.requests;
    expect(request?.headers["x-webhook-event"]).toBe("agent_end");
    expect(request?.headers["x-webhook-signature"]).toMatch(/^sha256=[\da-f]{64}$/);
    const body = JSON.stringify(request?.body);
    expect(body).toContain("A turn of agent:main:telegram:direct:guest-1 failed: no quota for");
    expect(body).not.toContain("AKIA");
  });

  it("[DHOOK-043] [SDK-054] sends summaries to the conversation in which the owner wrote last, through the outbound hooks", async () => {
    const channel = createFakeChannel({ capabilities: { deduplicates: false } });
    const host = await guardedHost(
      { notification_forwarder: true, profanity_filter: true },
      {
        neighbours: [channel.asPlugin()],
        config: { channels: { fake: { dmPolicy: "open", owners: ["alice"] } } },
      },
    );
    await channel.say("hi", { userId: "mallory" });
    await channel.say("hi");
    await channel.delivery(2);
    const failed = { messages: [], success: false, error: "this shit is down" };
    await host.fire("agent_end", failed, GUEST_CONTEXT);
    await host.fire("agent_end", failed, GUEST_CONTEXT);
    expect(await channel.delivery(3)).toMatchObject({
      to: "alice",
      content: "A turn of agent:main:telegram:direct:guest-1 failed: this **** is down",
    });
    await host.fire(
      "tool_error",
      {
        toolName: "exec",
        params: {},
        durationMs: 1,
        error: { code: "X", message: "gone", kind: "threw" },
      },
      GUEST_CONTEXT,
    );
    expect((await channel.delivery(4)).content).toBe(
      "The tool exec failed in agent:main:telegram:direct:guest-1: gone",
    );
  });

  it("[DHOOK-043] tells of jobs and approvals to a configured conversation", async () => {
    const channel = createFakeChannel();
    const host = await guardedHost(
      {
        notification_forwarder: {
          to: { channel: "fake", to: "ops" },
          rules: [{ events: ["job"] }, { events: ["approval_requested", "approval_decided"] }],
        },
      },
      {
        neighbours: [
          channel.asPlugin(),
          {
            id: "careful",
            register(api) {
              api.on("before_tool_call", () => ({
                requireApproval: { title: "Look at the clock?", description: "It is late." },
              }));
            },
          },
        ],
        config: { channels: { fake: { dmPolicy: "open" } } },
        answer: "deny",
      },
    );
    await host.callTool("time", { operation: "now" });
    const [requested, decided] = [await channel.delivery(1), await channel.delivery(2)];
    expect(requested).toMatchObject({ to: "ops" });
    expect(requested.content).toMatch(/^Approval \S+ is requested in agent:main:/);
    expect(decided.content).toMatch(/^Approval \S+ of agent:main:\S+ is denied\.$/);
    const job = { id: "job-1", name: "nightly", schedule: "0 3 * * *", state: {} };
    await host.fire("cron_changed", { action: "started", jobId: "job-1", job });
    await host.fire("cron_changed", {
      action: "finished",
      jobId: "job-1",
      job,
      status: "error",
      error: "no disk",
    });
    expect((await channel.delivery(3)).content).toBe("The job nightly failed: no disk");
    await host.fire("agent_end", { messages: [], success: false, error: "x" }, GUEST_CONTEXT);
    await host.fire("cron_changed", { action: "finished", jobId: "job-1", job, status: "ok" });
    expect((await channel.delivery(4)).content).toBe("The job nightly ended.");
  });

  it("[SDK-054] rejects a message to a channel that is not running", async () => {
    const host = await guardedHost({
      notification_forwarder: { to: { channel: "pager", to: "ops" } },
    });
    await host.fire("agent_end", { messages: [], success: false, error: "x" }, GUEST_CONTEXT);
    await expect
      .poll(() => host.logs.filter(({ level }) => level === "warn").map(({ message }) => message))
      .toEqual([
        'notification_forwarder: a notification could not be sent: the channel "pager" cannot send messages now; "openclaw channels list" shows the channels that run',
      ]);
  });

  it("has a page for each guard, which names every key", async () => {
    for (const name of GUARD_NAMES) {
      const file = `../../../docs/operate/guardrails/${name.replaceAll("_", "-")}.md`;
      const page = readFileSync(new URL(file, import.meta.url), "utf8");
      expect(page).toContain(`# ${name}\n`);
      const { schema } = await GUARDS[name]();
      for (const key of Object.keys(schema.properties)) expect(page).toContain(`\`${key}\``);
    }
  });
});
