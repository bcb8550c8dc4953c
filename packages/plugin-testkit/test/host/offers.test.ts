import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { definePrompt, defineResource } from "@openclaw/plugin-sdk/plugin-entry";
import { describe, expect, it } from "vitest";
import { createTestHost } from "../../src/index.js";

const NOTES = new Map([["1", "Call Ann."]]);

const triage = definePrompt({
  name: "Triage",
  description: "Sorts the reports of a team.",
  arguments: [
    {
      name: "team",
      required: true,
      complete: (value) => ["red", "rust"].filter((each) => each.startsWith(value)),
    },
    { name: "note" },
  ],
  render: ({ team, note }) =>
    `Sort the reports of ${team}${note === undefined ? "" : `: ${note}`}.`,
});

const note = defineResource({
  uri: "acme://notes/{id}",
  name: "note",
  mimeType: "text/markdown",
  list: () => [...NOTES.keys()].map((id) => ({ uri: `acme://notes/${id}`, name: `Note ${id}` })),
  complete: (_variable, value) => [...NOTES.keys()].filter((each) => each.startsWith(value)),
  read: ({ variables: { id = "" } }) => NOTES.get(id),
});

const acme: PluginDefinition = {
  id: "acme",
  register(api) {
    api.registerPrompt(triage);
    api.registerPrompt({
      ...{ name: "talk", description: "A talk." },
      render: () => [
        { role: "user", content: { type: "text", text: "Hello." } },
        { role: "assistant", content: { type: "text", text: "Good day." } },
      ],
    });
    api.registerPrompt({
      ...{ name: "asking", description: "Asks for a name." },
      render: (_values, { who }) => {
        const schema = {
          type: "object",
          properties: { name: { type: "string", minLength: 2 } },
          required: ["name"],
        } as const;
        if (who === undefined) return { input: { name: "who", message: "Who?", schema } };
        return who.action === "accept" ? `Greet ${who.content.name}.` : "Greet all.";
      },
    });
    api.registerPrompt({
      ...{ name: "endless", description: "Asks for the same again." },
      render: () => ({
        input: { name: "who", message: "Who?", schema: { type: "object", properties: {} } },
      }),
    });
    api.registerPrompt({
      ...{ name: "broken", description: "Fails." },
      render: () => Promise.reject(new Error("no network")),
    });
    api.registerPrompt({
      ...{ name: "odd", description: "Returns a number." },
      render: () => JSON.parse("7"),
    });
    api.registerResource(note);
    api.registerResource({
      ...{ uri: "acme://logo", name: "Logo", mimeType: "image/png" },
      read: () => ({ data: "iVBORw0KGgo=" }),
    });
  },
};

describe("a prompt of a plugin", () => {
  it("[PLUG-350] is rendered with its arguments, and those that it does not know are left out", async () => {
    await using host = await createTestHost({ plugin: acme });
    expect(await host.prompt("Triage", { team: "red", other: "x" })).toEqual({
      description: "Sorts the reports of a team.",
      messages: [{ role: "user", content: { type: "text", text: "Sort the reports of red." } }],
    });
  });

  it.each([
    ["Triage", "PLUGIN_PROMPT_FAILED", 'needs the argument "team"'],
    ["broken", "PLUGIN_PROMPT_FAILED", "no network"],
    [
      "odd",
      "PLUGIN_PROMPT_FAILED",
      "returned 7; expected text, a list of messages or an input request",
    ],
    ["none", "PLUGIN_PROMPT_NOT_FOUND", 'prompt "none" not found'],
  ])("[PLUG-350] %s cannot be rendered without what it needs", async (name, code, message) => {
    await using host = await createTestHost({ plugin: acme });
    await expect(host.prompt(name)).rejects.toMatchObject({
      ...{ code, message: expect.stringContaining(message) },
    });
  });

  it("[EXT-506] asks for input, and is rendered again with the answer", async () => {
    await using host = await createTestHost({ plugin: acme });
    const given = async (who?: Parameters<typeof host.prompt>[2]) =>
      await host.prompt("asking", {}, who);
    const asked = await given();
    expect(asked).toMatchObject({ messages: [], input: { name: "who", message: "Who?" } });
    const accepted = await given({ who: { action: "accept", content: { name: "Ann" } } });
    expect(accepted.messages).toMatchObject([{ content: { text: "Greet Ann." } }]);
    const declined = await given({ who: { action: "decline" } });
    expect(declined.messages).toMatchObject([{ content: { text: "Greet all." } }]);
    for (const [name, content, problem] of [
      ["asking", { name: "x" }, 'the input "who" does not fit: name'],
      ["endless", {}, 'asked for the input "who" twice'],
    ] as const) {
      const failing = host.prompt(name, {}, { who: { action: "accept", content } });
      await expect(failing).rejects.toMatchObject({
        ...{ code: "PLUGIN_PROMPT_FAILED", message: expect.stringContaining(problem) },
      });
    }
  });

  it("[EXT-506] asks in a chat for the input of its command", async () => {
    const model = () => ({ text: "done" });
    await using host = await createTestHost({ plugin: acme, answer: "deny", model });
    await host.runCommand("/acme:asking");
    const prompts = host.modelRequests.map(({ prompt }) => JSON.stringify(prompt));
    expect(prompts).toMatchObject([expect.stringContaining("Greet all.")]);
    expect((await host.runCommand("/acme:endless")).text).toMatch(/same input twice/);
  });

  it("[PLUG-350] is a slash command whose text becomes the message to the agent", async () => {
    await using host = await createTestHost({
      plugin: acme,
      model: ({ prompt }) => ({ text: `heard: ${JSON.stringify(prompt.at(-1)?.content)}` }),
    });
    const reply = await host.runCommand('/acme:triage "the red one" by urgency');
    expect(reply.text).toContain("Sort the reports of the red one: by urgency.");
    expect((await host.runCommand("/acme:triage")).text).toBe(
      "/acme:triage needs team. Send /acme:triage <team> [note]",
    );
    expect((await host.runCommand("/acme:talk")).text).toContain("assistant: Good day.");
    expect((await host.runCommand("/acme:broken")).text).toContain("no network");
    expect((await host.runCommand("/help")).text).toContain("/acme:triage <team> [note]");
  });
});

describe("a resource of a plugin", () => {
  it("[PLUG-351] is listed and read by two tools on the path of all tools", async () => {
    await using host = await createTestHost({ plugin: acme });
    const { text } = await host.callTool("acme__list_resources");
    expect(text).toContain("acme://notes/{id}  note; template");
    expect(text).toContain("acme://notes/1  Note 1; text/markdown");
    expect(text).toContain("acme://logo  Logo; image/png");
    const read = await host.readResource("acme://notes/1");
    expect(read).toMatchObject({
      isError: false,
      content: [{ text: "Call Ann.", file: { uri: "acme://notes/1", mimeType: "text/markdown" } }],
    });
    expect((await host.readResource("acme://logo")).content).toMatchObject([
      { file: { uri: "acme://logo", mimeType: "image/png", data: "iVBORw0KGgo=" } },
    ]);
    const none = await host.readResource("acme://notes/2");
    expect([none.isError, none.text]).toEqual([true, expect.stringContaining("not found")]);
    await expect(host.readResource("acme://other")).rejects.toMatchObject({
      code: "TEST_RESOURCE_NOT_FOUND",
    });
  });

  it("[EXT-365] is added to a message of an owner that names it, where policy offers its tool", async () => {
    const prompts: string[] = [];
    const options = {
      plugin: acme,
      model: ({ prompt }: { readonly prompt: object }) => {
        prompts.push(JSON.stringify(prompt));
        return { text: "done" };
      },
    };
    await using host = await createTestHost(options);
    await host.turn(
      "See (@acme:acme://notes/1) @acme:acme://notes/1, @acme:acme://notes/2 and @no:x",
    );
    expect(prompts.at(-1)).toContain("Resource @acme:acme://notes/1\\nCall Ann.");
    expect(prompts.at(-1)?.match(/Call Ann/g)).toHaveLength(1);
    expect(prompts.at(-1)).toMatch(/acme:..notes.2\\nit could not be read: .*not found/);
    expect(prompts.at(-1)).toContain("EXTERNAL CONTENT");
    await host.receive({ text: "@acme:acme://notes/1", senderIsOwner: false });
    await using denied = await createTestHost({
      ...options,
      config: { tools: { deny: ["acme__read_resource"] } },
    });
    await denied.turn("@acme:acme://notes/1");
    expect(prompts).toHaveLength(3);
    for (const prompt of prompts.slice(1)) expect(prompt).not.toMatch(/Resource @.*Call Ann/);
  });

  it("[PLUG-351] is left out with a diagnostic when its URI or a function is not valid", async () => {
    const uris = [
      "notes",
      "openclaw://memory/x",
      "file:///etc/passwd",
      "acme://{a}/{a}",
      "acme://{a*}",
    ];
    await using host = await createTestHost({
      plugin: {
        id: "wrong",
        register(api) {
          for (const uri of uris) api.registerResource({ uri, name: "x", read: () => "text" });
          api.registerResource({ uri: "acme://x", name: "x", read: JSON.parse("1") });
          api.registerPrompt({ name: "a b", description: "x", render: () => "text" });
          api.registerPrompt({
            ...{ name: "twice", description: "x", render: () => "text" },
            arguments: [{ name: "a" }, { name: "a" }],
          });
        },
      },
    });
    expect(host.registrations.resources).toEqual([]);
    expect(host.registrations.prompts).toEqual([]);
    const codes = host.diagnostics.map(({ code }) => code);
    expect(codes).toEqual(Array.from({ length: uris.length + 3 }, () => "registration-invalid"));
  });
});
