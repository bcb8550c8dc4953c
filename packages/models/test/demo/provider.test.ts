import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { AgentMessage, JsonValue } from "@openclaw/plugin-sdk/tools";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  createDemoProvider,
  createModelCatalog,
  type LanguageModelV4,
  type ModelRequest,
  parseModelScript,
} from "../../src/index.js";
import {
  assistant,
  events,
  reply,
  request,
  toolCall,
  toolResult,
  user,
} from "../support/collect.js";

const ALL_TOOLS = [
  ...["read", "list", "grep", "write", "exec", "web_fetch", "time"],
  ...["memory_search", "memory_read", "memory_write"],
];

const FIRST_FILE = { path: "hello.txt", content: "Hello from OpenClaw\n" };
const NOTES = { path: "notes.txt", content: "hello world" };
const CAT = { content: "my cat is called Tom", target: "memory" };

async function demo(options?: Parameters<typeof createDemoProvider>[0]): Promise<LanguageModelV4> {
  const catalog = createModelCatalog([createDemoProvider(options)]);
  return (await catalog.resolve("demo/echo")).model;
}

function asking(text: string, toolNames: readonly string[] = ALL_TOOLS): ModelRequest {
  const tools = toolNames.map((name) => ({ name, description: name, parameters: {} }));
  return request({ messages: [user(text)], tools });
}

async function callFor(text: string): Promise<{ toolName: string; params: JsonValue } | undefined> {
  for (const event of await events(await demo(), asking(text))) {
    if (event.type !== "tool-call") continue;
    const { call } = event;
    return "params" in call ? { toolName: call.toolName, params: call.params } : undefined;
  }
  return undefined;
}

describe("requests that the demo model understands", () => {
  it.each<[string, string, JsonValue]>([
    ["read package.json", "read", { path: "package.json" }],
    ["Please read the file `my notes.md`.", "read", { path: "my notes.md" }],
    ["can you show me src/index.ts?", "read", { path: "src/index.ts" }],
    ["cat README.md", "read", { path: "README.md" }],
    ["list the files here", "list", { path: "." }],
    ["what files are here", "list", { path: "." }],
    ["What files are in this folder?", "list", { path: "." }],
    ["which files are there in src?", "list", { path: "src" }],
    ["list files", "list", { path: "." }],
    ["ls", "list", { path: "." }],
    ["what's in the folder docs", "list", { path: "docs" }],
    ["what time is it", "time", { operation: "now" }],
    ["What time is it now?", "time", { operation: "now" }],
    ["what is the date?", "time", { operation: "now" }],
    ["run `date`", "exec", { command: "date" }],
    ["run `date`.", "exec", { command: "date" }],
    ["run: ls -la", "exec", { command: "ls -la" }],
    ["run echo 'done.'", "exec", { command: "echo 'done.'" }],
    ["run: echo one\necho two", "exec", { command: "echo one\necho two" }],
    ["write hello.txt: Hello", "write", { path: "hello.txt", content: "Hello" }],
    ["write hello.txt: Hello there!", "write", { path: "hello.txt", content: "Hello there!" }],
    [
      "create a file a/b.md:\n# Title\n\ntext",
      "write",
      { path: "a/b.md", content: "# Title\n\ntext" },
    ],
    ["fetch https://example.com/a?b=c", "web_fetch", { url: "https://example.com/a?b=c" }],
    ["read https://example.com.", "web_fetch", { url: "https://example.com" }],
    ['use memory_search {"query": "tea", "limit": 2}', "memory_search", { query: "tea", limit: 2 }],
    ['use memory_search\n{\n  "query": "tea"\n}', "memory_search", { query: "tea" }],
    ["use time", "time", {}],
    ["write a file", "write", FIRST_FILE],
    ["Can you create a small test file here?", "write", FIRST_FILE],
    ["hi, please make me a new file", "write", FIRST_FILE],
    ["create a file called notes.txt with the content hello world", "write", NOTES],
    ["write 'hello world' to notes.txt", "write", NOTES],
    ["write notes.txt with hello world", "write", NOTES],
    ["save hello world into a file called notes.txt", "write", NOTES],
    ['put "hello world" in the file `notes.txt`', "write", NOTES],
    ["create notes.txt", "write", { path: "notes.txt", content: FIRST_FILE.content }],
    ["show me all the files", "list", { path: "." }],
    ["list my files", "list", { path: "." }],
    ["show me what's in this folder", "list", { path: "." }],
    ["which files do you see?", "list", { path: "." }],
    ["I want you to list the files in src", "list", { path: "src" }],
    ["what's in package.json?", "read", { path: "package.json" }],
    ["what does README.md say", "read", { path: "README.md" }],
    ["show me the contents of README.md", "read", { path: "README.md" }],
    ["remember that my cat is called Tom", "memory_write", CAT],
    ["Please remember: my cat is called Tom", "memory_write", CAT],
    ["don't forget my cat is called Tom", "memory_write", CAT],
    ["note that my cat is called Tom", "memory_write", CAT],
    ["what do you remember?", "memory_read", { path: "MEMORY.md" }],
    ["What do you know about me?", "memory_read", { path: "MEMORY.md" }],
    ["what did I tell you", "memory_read", { path: "MEMORY.md" }],
    ["what do you remember about my cat", "memory_search", { query: "my cat" }],
    ["do you remember my cat's name?", "memory_search", { query: "my cat's name" }],
    ["run tests", "exec", { command: "npm test" }],
    ["run the tests", "exec", { command: "npm test" }],
    ["could you please execute my unit tests?", "exec", { command: "npm test" }],
    ["test this project", "exec", { command: "npm test" }],
    ["what's the time?", "time", { operation: "now" }],
    ["tell me the current time", "time", { operation: "now" }],
    ["what day is today", "time", { operation: "now" }],
    ["search for TODO", "grep", { pattern: "TODO" }],
    ["search the files for TODO", "grep", { pattern: "TODO" }],
    ["search in files for 'a + b'", "grep", { pattern: "a \\+ b" }],
    ["look for TODO in src", "grep", { pattern: "TODO", path: "src" }],
    ["find the word TODO in all files", "grep", { pattern: "TODO" }],
    ["grep TODO in src", "grep", { pattern: "TODO", path: "src" }],
    ["which files contain TODO?", "grep", { pattern: "TODO" }],
    ["find files containing TODO", "grep", { pattern: "TODO" }],
    ["where is startGateway defined?", "grep", { pattern: "startGateway" }],
  ])("[LLM-039] include %j, as a call of %s", async (text, toolName, params) => {
    expect(await callFor(text)).toEqual({ toolName, params });
  });

  it("include the last paragraph after context that a host puts in front", async () => {
    const text = "Recalled: the user likes tea.\nAnd cake.\n\nread package.json";
    expect(await callFor(text)).toEqual({ toolName: "read", params: { path: "package.json" } });
  });

  it.each([
    "hello",
    "read me a story about files",
    "run the tests and tell me how it went",
    "what is love",
    "remember this",
    "show me how it works",
    "create a website",
    "find a good restaurant",
    "I read package.json yesterday",
    "don't run `rm -rf /`",
  ])("do not include %j, which it answers without a call", async (text) => {
    expect(await callFor(text)).toBeUndefined();
    const said = await reply(await demo(), asking(text));
    expect(said).toContain("I am OpenClaw's built-in demo model: no language model is connected.");
    expect(said).toContain(`You said: "${text}"`);
    expect(said).toMatch(/OPENAI_API_KEY.*ANTHROPIC_API_KEY.*LLM_BASE_URL/);
    expect(said.match(/demo model/g)).toHaveLength(1);
  });

  it.each([
    "what can you do?",
    "What can you do for me",
    "help me",
    "who are you",
    "how can you help me?",
    "which tools do you have",
  ])("[LLM-039] include %j, as a request for help", async (text) => {
    expect(await reply(await demo(), asking(text))).toContain("I understand these requests");
  });

  it.each([
    ["remind me to call mum", "When? I understand a length or a time"],
    ["Reminder: call mum", "Reminder: call mum"],
    ["read a file", "Which file?"],
  ])(
    "[LLM-039] include %j, with the reason why it does not work as it is",
    async (text, reason) => {
      const said = await reply(await demo(), asking(text));
      expect(said).toContain(reason);
      expect(said).not.toContain("You said");
    },
  );

  it("include help, which lists examples for the offered tools", async () => {
    const said = await reply(await demo(), asking("help", ["read", "time"]));
    expect(said).toContain("Files\n- read package.json\n\nTime and reminders\n- what time is it\n");
    expect(said).toContain("use <tool> <json>, with one of read, time");
    expect(said).not.toContain("fetch");
  });
});

describe("replies of the demo model", () => {
  it("report that a tool is not offered", async () => {
    const said = await reply(await demo(), asking("run `date`", ["read"]));
    expect(said).toBe("The tool exec is not available in this session. Available: read.");
    const none = await reply(await demo(), asking("use deploy {}", []));
    expect(none).toBe("The tool deploy is not available in this session. No tools are available.");
  });

  it("[LLM-460] load a listed tool before they call it, and report one that is not listed", async () => {
    const search = {
      ...{ name: "tool_search", parameters: {} },
      description: "Load tools.\n- routine_list: List the routines.",
    };
    const asked = async (text: string, more: Partial<ModelRequest>) => {
      const all = await events(await demo(), { ...asking(text, ["read"]), ...more });
      return all.flatMap((event) => (event.type === "tool-call" ? [event.call] : []));
    };
    const text = "use Routine_List {}";
    const tools = [...asking(text, ["read"]).tools, search];
    expect(await asked(text, { tools })).toMatchObject([
      { toolName: "tool_search", params: { query: "routine_list" } },
    ]);
    const messages = [
      user(text),
      assistant([toolCall("c1", "tool_search", { query: "routine_list" })], "tool-calls"),
      toolResult("c1", "Loaded", { toolName: "tool_search" }),
    ];
    const loaded = [...tools, ...asking(text, ["routine_list"]).tools];
    expect(await asked(text, { messages, tools: loaded })).toMatchObject([
      { toolName: "routine_list", params: {} },
    ]);
    const unknown = { ...asking("use deploy {}"), tools };
    expect(await reply(await demo(), unknown)).toContain(
      "Available: read, tool_search, routine_list.",
    );
  });

  it("report that tools must not be called when the host allows none", async () => {
    const said = await reply(await demo(), { ...asking("ls"), toolChoice: "none" });
    expect(said).toContain("The tool list is not available");
  });

  it("report invalid arguments, and how to write them", async () => {
    const said = await reply(await demo(), asking("use read {path: 1}"));
    expect(said).toMatch(/^I did not call read, because its arguments are not valid: /);
    expect(said).toContain('use read {"name": "value"}');
    expect(await reply(await demo(), asking("use read [1]"))).toContain("not a JSON object");
  });

  const asked = [user("read a.txt"), assistant([toolCall("c1", "read", { path: "a.txt" })])];

  async function after(...messages: AgentMessage[]): Promise<string> {
    return reply(await demo(), { ...asking(""), messages: [...asked, ...messages] });
  }

  it.each([
    ["memory_write", '{"path":"MEMORY.md","created":true}', "I stored it in MEMORY.md."],
    ["memory_read", '{"path":"MEMORY.md","content":"Tom\\n"}', "I remember:\n\nTom"],
    ["memory_read", 'document "MEMORY.md" not found', /^I do not remember anything yet/],
    ["memory_search", '{"hits":[{"text":"Tom"}]}', "I remember:\n\n- Tom"],
    ["memory_search", '{"hits":[]}', "I do not remember anything about that."],
    ["memory_search", "no JSON", "memory_search answered:\n\nno JSON"],
    [
      "memory_read",
      '{"content":"Tom [origin: written after output of list]"}',
      "I remember:\n\nTom",
    ],
    ["routine_list", '[{"name":"tea","schedule":"Once"}]', "- tea: Once"],
    ["routine_list", "[]", /^There are no reminders/],
    [
      "routine_create",
      '{"schedule":"Every hour","next":[{"local":"Mon"}]}',
      /^I stored it: Every hour, next Mon\./,
    ],
    [
      "time",
      '{"iso":"2026-11-30T02:11:39.397Z","weekday":"Monday","timezone":"UTC"}',
      "It is 02:11 on Monday, 2026-11-30 (UTC).",
    ],
    ["list", "[The folder is empty.]", "The folder is empty."],
    ["routine_delete", '{"name":"tea"}', "I removed tea."],
    ["list_jobs", '[{"title":"count","state":"running"}]', "- count: running"],
    ["create_job", '{"title":"count"}', /^I work on it in the background: count/],
  ])("[LLM-460] tell the result of %s in plain words: %s", async (toolName, text, told) => {
    const messages = [
      user("what do you remember"),
      assistant([toolCall("c1", toolName, {})]),
      { ...toolResult("c1", text), toolName },
    ];
    const said = await reply(await demo(), { ...asking(""), messages });
    expect(said).toMatch(
      typeof told === "string" ? new RegExp(`^${told.replace(/[.()]/g, "\\$&")}$`) : told,
    );
  });

  it("contain the result of a tool without an introduction", async () => {
    expect(await after(toolResult("c1", "one\ntwo"))).toBe("read answered:\n\none\ntwo");
  });

  it("contain the reason when a call was denied or failed", async () => {
    const said = await after(toolResult("c1", "denied by policy rule 3", { isError: true }));
    expect(said).toBe('The call of read did not succeed. The reason is: "denied by policy rule 3"');
  });

  it("shorten a long result, and state how much is left out", async () => {
    const said = await after(toolResult("c1", "x".repeat(5000)));
    expect(said).toContain("… (1000 more characters)");
  });

  it("handle an image result without treating it as a message", async () => {
    const said = await after({
      role: "toolResult",
      toolCallId: "c1",
      toolName: "read",
      content: [{ type: "image", data: "aGk=", mimeType: "image/png" }],
      isError: false,
      timestamp: 0,
    });
    expect(said).toContain("an image of type image/png");
    expect(said).not.toContain("demo model");
  });

  it("include a reply to a message after the call", async () => {
    const all = await events(await demo(), {
      ...asking(""),
      messages: [...asked, toolResult("c1", "one"), user("what time is it")],
    });
    const text = all.map((event) => (event.type === "text" ? event.delta : "")).join("");
    expect(text).toBe("read answered:\n\none");
    expect(all.find(({ type }) => type === "tool-call")).toMatchObject({
      call: { toolCallId: "call-2", toolName: "time" },
    });
  });

  it("answer only the newest message", async () => {
    const messages = [user("read a.txt"), assistant([{ type: "text", text: "no" }]), user("hello")];
    const said = await reply(await demo(), { ...asking(""), messages });
    expect(said).toContain('You said: "hello"');
  });

  it("contain results of every form in the specification", async () => {
    const outputs = [
      { type: "json", value: { a: 1 } },
      { type: "content", value: [{ type: "text", text: "t" }, { type: "custom" }] },
      { type: "error-json", value: { why: "x" } },
      { type: "execution-denied", reason: "not now" },
      { type: "execution-denied" },
    ] as const;
    const prompt: LanguageModelV4Prompt = [
      {
        role: "tool",
        content: outputs.map((output) => ({
          type: "tool-result",
          toolCallId: "c",
          toolName: "t",
          output: output.type === "content" ? { ...output, value: [...output.value] } : output,
        })),
      },
    ];
    const { content } = await (await demo()).doGenerate({ prompt });
    const said = content[0]?.type === "text" ? content[0].text.split("\n\n") : [];
    expect(said).toEqual([
      "t answered:",
      '{\n  "a": 1\n}',
      "t answered:",
      "t\n[custom]",
      'The call of t did not succeed. The reason is: "{"why":"x"}"',
      'The call of t did not succeed. The reason is: "not now"',
      'The call of t did not succeed. The reason is: "it was denied, without a reason"',
    ]);
  });

  it("handle a message without text", async () => {
    const image = { type: "image" as const, data: "aGk=", mimeType: "image/png" };
    const messages: AgentMessage[] = [{ role: "user", content: [image], timestamp: 0 }];
    expect(await reply(await demo(), request({ messages }))).toContain("has no text");
  });
});

describe("demo/echo", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("[LLM-039] works offline, is deterministic, costs nothing, calls named tools, streams by word and accepts a script file", async () => {
    vi.stubGlobal("fetch", () => {
      throw new Error("the network was used");
    });
    const catalog = createModelCatalog([createDemoProvider()]);
    const { model, paid } = await catalog.resolve("demo/echo");
    expect(paid).toBe(false);

    const first = await events(model, asking("hello there"));
    expect(await events(model, asking("hello there"))).toEqual(first);
    const deltas = first.flatMap((event) => (event.type === "text" ? [event.delta] : []));
    expect(deltas.every((delta) => /^\S+\s*$/.test(delta))).toBe(true);
    expect(deltas.slice(0, 3)).toEqual(["I ", "am ", "OpenClaw's "]);
    expect(first.at(-1)).toMatchObject({ usage: { input: 0, output: 0, total: 0 } });

    expect(await callFor('use read {"path": "a"}')).toEqual({
      toolName: "read",
      params: { path: "a" },
    });

    const folder = await mkdtemp(join(tmpdir(), "openclaw-demo-"));
    try {
      const file = join(folder, "script.json");
      await writeFile(file, JSON.stringify([{ text: "scripted reply" }]));
      const script = parseModelScript(await readFile(file, "utf8"), file);
      expect(await reply(await demo({ script }), asking("hello"))).toBe("scripted reply");
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("keeps its position in a script across resolutions", async () => {
    const catalog = createModelCatalog([
      createDemoProvider({ script: [{ text: "one" }, { text: "two" }] }),
    ]);
    const said: string[] = [];
    for (let turn = 0; turn < 2; turn += 1) {
      said.push(await reply((await catalog.resolve("demo")).model, request()));
    }
    expect(said).toEqual(["one", "two"]);
  });
});
