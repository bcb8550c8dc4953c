import { createSafetyRules } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import { createTestHost, message, SESSION, serve } from "../../support/host.js";

/** Assembled here, so that this file holds no secret for a scan to find. */
const SECRET = `AKIA${"IOSFODNN7EXAMPLE"}`;

describe("the inspection of messages", () => {
  it.each([
    ["holds NUL", "hello\0there", "NUL"],
    ["is above the limit", "a".repeat(100_001), "100001 characters; at most 100000"],
  ])(
    "[SAFE-034] answers a message that %s with an error, and starts no turn",
    async (_, text, why) => {
      const host = await createTestHost();
      const shown: string[] = [];
      const outcome = await host.flow.receive(message(text), {
        surface: {
          async send({ text: reply = "" }) {
            shown.push(reply);
            return {};
          },
        },
      });
      expect(outcome).toMatchObject({
        status: "failed",
        error: { code: "MESSAGE_REFUSED", message: expect.stringContaining(why), retryable: false },
      });
      expect(shown).toEqual([expect.stringContaining(why)]);
      expect(await host.store.messages.inbox.get(outcome.messageId)).toMatchObject({
        state: "failed",
        error: { code: "MESSAGE_REFUSED" },
      });
      expect(host.asked()).toEqual([]);
      expect(await host.store.sessions.get(SESSION)).toBeUndefined();
    },
  );

  it("[SAFE-034] counts characters, and accepts as many as the limit", async () => {
    const host = await createTestHost({ safety: { maxInputLength: 3 } });
    expect(await host.flow.receive(message("😀😀😀"), {})).toMatchObject({ status: "replied" });
    expect(await host.flow.receive(message("😀😀😀😀"), {})).toMatchObject({ status: "failed" });
  });

  it("[SAFE-034] rejects the operator's forbidden strings, and a text that a plugin made invalid", async () => {
    const host = await createTestHost({
      safety: { forbidden: ["Project X"] },
      register: (api) =>
        api.on("message_receiving", ({ content }) =>
          content === "rewrite me" ? { content: "now\0bad" } : undefined,
        ),
    });
    for (const text of ["about project\u200b x", "rewrite me"]) {
      expect(await host.flow.receive(message(text), {})).toMatchObject({ status: "failed" });
    }
    expect(host.asked()).toEqual([]);
  });

  it("[SAFE-034] is an invalid request over HTTP", async () => {
    const { url, headers } = await serve(await createTestHost());
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers,
      body: JSON.stringify({ model: "openclaw", messages: [{ role: "user", content: "a\0b" }] }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { type: "invalid_request_error", code: "message_refused" },
    });
  });

  it("[SAFE-040] passes a secret and a sensitive path on unchanged, with a warning", async () => {
    const host = await createTestHost();
    const notices: string[] = [];
    const text = `deploy with ${SECRET}, see ~/.ssh/config and /etc/passwd`;
    const outcome = await host.flow.receive(message(text), {
      onNotice: (notice) => void notices.push(notice),
    });
    expect(outcome).toMatchObject({ status: "replied" });
    expect(host.asked()).toEqual([expect.stringContaining(text)]);
    expect(host.lines).toContainEqual(
      expect.stringMatching(/^warn: .*aws_access_key.*system_file_access/),
    );
    expect(notices).toEqual([expect.stringMatching(/aws_access_key.*passed on unchanged/)]);
    expect(JSON.stringify([host.lines, notices])).not.toContain(SECRET);
  });

  it("[SAFE-511] shows the model no hidden characters of a message, its history or instructions, and still reports them", async () => {
    const host = await createTestHost();
    const hidden = "hi \u{e0069}\u{e0067}\u{e006e}\u{e006f}\u202edlrow\u202c";
    const outcome = await host.flow.receive(
      {
        ...message(hidden),
        extraInstructions: "be\u202e kind",
        history: [
          {
            role: "user",
            content: [{ type: "text", text: "earlier\u2066 \u{e0061}" }],
            timestamp: 0,
          },
        ],
      },
      {},
    );
    expect(outcome).toMatchObject({ status: "replied" });
    expect(host.asked()).toEqual([
      expect.stringContaining(
        "hi dlrow\\n[6 invisible characters removed: tag characters, bidirectional controls]",
      ),
    ]);
    expect(host.asked()[0]).toMatch(/be kind.*earlier /);
    expect(host.asked()[0]).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u);
    expect(host.lines).toContainEqual(expect.stringMatching(/^warn: .*hidden_text/));
    expect((await host.store.messages.inbox.get(outcome.messageId))?.content).toBe(hidden);
    // Without a finding, a message can become a turn at once.
    await host.flow.receive(message("a\u202eb"), {});
    expect(host.asked()[1]).toContain(
      "ab\\n[1 invisible character removed: bidirectional controls]",
    );
  });

  it("[SAFE-511] rejects a message of hidden characters alone", async () => {
    const host = await createTestHost();
    const outcome = await host.flow.receive(message("\u{e0069}\u{e0067}\u{e006e}"), {});
    expect(outcome).toMatchObject({ status: "failed", error: { code: "MESSAGE_REFUSED" } });
    expect(host.asked()).toEqual([]);
  });

  it("[SAFE-035] accepts text that is mostly white space or repeats a character, with a warning", async () => {
    const host = await createTestHost();
    for (const text of [`x${" ".repeat(150)}y`, `help ${"!".repeat(60)}`]) {
      expect(await host.flow.receive(message(text), {})).toMatchObject({ status: "replied" });
    }
    const warnings = host.lines.filter((line) => line.startsWith("warn: safety found"));
    expect(warnings).toHaveLength(2);
    expect(host.asked()).toHaveLength(2);
  });

  it("[SAFE-042] follows rules that the operator tuned for input", async () => {
    const tuned = (action: "redact" | "block" | "review") =>
      createSafetyRules({ rules: { aws_access_key: { actions: { input: action } } } });
    const redacting = await createTestHost({ safety: { rules: tuned("redact") } });
    await redacting.flow.receive(message(`use ${SECRET}`), {});
    expect(redacting.asked()).toEqual([expect.stringContaining("use [REDACTED]")]);
    for (const action of ["block", "review"] as const) {
      const host = await createTestHost({ safety: { rules: tuned(action) } });
      expect(await host.flow.receive(message(`use ${SECRET}`), {})).toMatchObject({
        status: "failed",
        error: { message: expect.stringContaining("aws_access_key") },
      });
      expect(host.asked()).toEqual([]);
    }
  });

  describe("of a conversation that a client sends", () => {
    const rules = (action: "redact" | "block") =>
      createSafetyRules({ rules: { aws_access_key: { actions: { input: action } } } });
    const call = (params: object) => ({
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "1", type: "function", function: { name: "use", arguments: JSON.stringify(params) } },
      ],
    });
    const places = {
      system: [{ role: "system", content: `use ${SECRET}` }],
      user: [{ role: "user", content: [{ type: "text", text: `use ${SECRET}` }] }],
      assistant: [{ role: "assistant", content: `use ${SECRET}` }],
      "tool call": [call({ key: SECRET, [SECRET]: 1 })],
      "tool output": [call({}), { role: "tool", tool_call_id: "1", content: `got ${SECRET}` }],
    };

    async function complete(
      options: Parameters<typeof createTestHost>[0],
      before: readonly object[],
    ) {
      const host = await createTestHost(options);
      const { url, headers } = await serve(host);
      const messages = [...before, { role: "user", content: "go on" }];
      const body = JSON.stringify({ model: "openclaw", messages });
      const response = await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body });
      return { host, response };
    }

    it.each(Object.entries(places))(
      "[SAFE-058] redacts and blocks by the operator's rules: %s",
      async (_, before) => {
        const redacted = await complete({ safety: { rules: rules("redact") } }, before);
        expect(redacted.response.status).toBe(200);
        expect(redacted.host.asked()).toEqual([expect.stringContaining("[REDACTED]")]);
        expect(redacted.host.asked()[0]).not.toContain(SECRET);
        const blocked = await complete({ safety: { rules: rules("block") } }, before);
        expect(blocked.response.status).toBe(400);
        expect(await blocked.response.json()).toMatchObject({
          error: { code: "message_refused", message: expect.stringMatching(/in its .*aws_access/) },
        });
        expect(blocked.host.asked()).toEqual([]);
      },
    );

    it.each([
      ["history", "assistant"],
      ["instructions", "developer"],
    ])(
      "[SAFE-058] rejects forbidden strings in its %s, whose length is not limited",
      async (part, role) => {
        const safety = { forbidden: ["Project X"], maxInputLength: 10 };
        const refused = await complete({ safety }, [{ role, content: "about project x" }]);
        expect(refused.response.status).toBe(400);
        expect(JSON.stringify(await refused.response.json())).toContain(`in its ${part}, `);
        expect(refused.host.asked()).toEqual([]);
        const accepted = await complete({ safety }, [{ role, content: "about projects" }]);
        expect(accepted.response.status).toBe(200);
        expect(accepted.host.asked()).toEqual([expect.stringContaining("about projects")]);
      },
    );
  });
});
