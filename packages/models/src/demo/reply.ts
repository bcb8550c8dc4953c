import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import { startOfText } from "@openclaw/foundation";
import { isToolImageMessage } from "../request/prompt.js";
import type { ScriptStep } from "../scripted/script-step.js";
import { nameAmong, type OfferedTools, offeredTools, TOOL_SEARCH } from "./offered-tools.js";
import { demoIntent } from "./phrases.js";
import { plainResult } from "./plain-result.js";
import { dueReminder } from "./reminder.js";
import type { DemoIntent } from "./rule.js";
import { nextDemoStep } from "./steps.js";

const LONGEST_RESULT = 4000;
const LONGEST_ECHO = 200;

const IDENTITY = "I am OpenClaw's built-in demo model: no language model is connected.";
const UNSEEN = "Your message has an image or a file. I cannot see it, because I am a demo model.";
const CONNECT =
  "For a real model set OPENAI_API_KEY or ANTHROPIC_API_KEY, or LLM_BASE_URL and LLM_MODEL for " +
  "Ollama and other OpenAI-compatible servers, and start again.";

/** Example requests by what a person wants to do, each with the tool that it needs. */
const EXAMPLES: readonly (readonly [
  topic: string,
  examples: readonly (readonly [toolName: string, example: string])[],
])[] = [
  [
    "Files",
    [
      ["list", "list the files here"],
      ["read", "read package.json"],
      ["write", "write hello.txt: Hello"],
      ["grep", "search the files for TODO"],
    ],
  ],
  [
    "Commands and the web",
    [
      ["exec", "run `date`"],
      ["exec", "run the tests"],
      ["web_fetch", "fetch https://example.com"],
    ],
  ],
  [
    "Memory",
    [
      ["memory_write", "remember that my cat is called Tom"],
      ["memory_read", "what do you remember"],
    ],
  ],
  [
    "Time and reminders",
    [
      ["time", "what time is it"],
      ["routine_create", "remind me in 20 minutes to call mum"],
      ["routine_create", "every weekday at 8 list the files here"],
      ["routine_list", "which reminders do I have"],
    ],
  ],
  [
    "Work in the background",
    [
      ["create_job", "create a job that counts the files"],
      ["list_jobs", "which jobs are there"],
    ],
  ],
];
/** A list of more names than this is not read. */
const MOST_NAMES = 8;

/**
 * Returns the demo model's reply: it reports the latest tool results, then follows the last user message by
 * fixed rules. It keeps no state and needs no network, so that the same prompt always gets the same reply
 * (LLM-039).
 * @param request - prompt and offered tools
 */
export function demoReply({ prompt, tools, toolChoice }: LanguageModelV4CallOptions): ScriptStep {
  const offered = offeredTools(toolChoice?.type === "none" ? [] : tools);
  const next = plannedStep(prompt, offered) ?? loadedStep(prompt, offered);
  if (next !== undefined) return { ...next, usage: NO_TOKENS };
  const { results, question, images } = unanswered(prompt);
  const report = results.map(reportResult).join("\n\n");
  if (question === undefined && report !== "") return { text: report, usage: NO_TOKENS };
  const due = isRoutine(prompt) ? dueReminder(question ?? "") : undefined;
  const answer = due === undefined ? answerTo(question ?? "", offered) : { text: due };
  const unseen = images > 0 && answer.toolCalls === undefined ? [UNSEEN] : [];
  const text = [report, ...unseen, answer.text ?? ""].filter((part) => part !== "").join("\n\n");
  return { ...answer, text, usage: NO_TOKENS };
}

/** Returns true when the instructions are those of a run of a routine. */
function isRoutine(prompt: LanguageModelV4Prompt): boolean {
  return prompt.some(({ role, content }) => role === "system" && content.includes(ROUTINE));
}

const ROUTINE = 'This is a run of the routine "';
const NO_TOKENS = { input: 0, output: 0, total: 0 };

/** Returns the next step of a request that needs several. */
function plannedStep(prompt: LanguageModelV4Prompt, offered: OfferedTools): ScriptStep | undefined {
  const last = prompt.findLastIndex(
    (message) => message.role === "user" && !isToolImageMessage(message),
  );
  const request = prompt[last];
  if (request?.role !== "user") return undefined;
  const results = prompt
    .slice(last + 1)
    .flatMap((message) => (message.role === "tool" ? message.content : []))
    .flatMap((part) => (part.type === "tool-result" ? [part] : []))
    .map(({ toolName, output }) => ({
      toolName,
      text: plainText(output),
      problem: output.type === "error-text" ? output.value : undefined,
    }));
  const all = [...offered.names, ...offered.listed];
  const step = nextDemoStep(
    userText(request),
    results,
    (name) => nameAmong(all, name) !== undefined,
  );
  if (step?.kind === "answer") return { text: step.text };
  return step && callTool(step, offered);
}

/** Returns the call of a tool that `tool_search` has just loaded for the request. */
function loadedStep(prompt: LanguageModelV4Prompt, offered: OfferedTools): ScriptStep | undefined {
  const { results, question } = unanswered(prompt);
  const [searched, ...others] = results;
  if (searched?.toolName !== TOOL_SEARCH || others.length > 0 || question !== undefined) return;
  const asked = prompt.findLast(
    (message) => message.role === "user" && !isToolImageMessage(message),
  );
  const intent = asked?.role === "user" ? demoIntent(userText(asked)) : undefined;
  if (intent?.kind !== "call" || nameAmong(offered.names, intent.toolName) === undefined) return;
  return intent.toolName.toLowerCase() === TOOL_SEARCH ? undefined : callTool(intent, offered);
}

/** Returns the text of a successful result. */
function plainText(output: LanguageModelV4ToolResultPart["output"]): string | undefined {
  if (output.type === "text") return output.value;
  if (output.type !== "content") return undefined;
  return output.value.map((item) => (item.type === "text" ? item.text : "")).join("\n");
}

interface Unanswered {
  results: LanguageModelV4ToolResultPart[];
  /** Text of the last user message without a reply. */
  question: string | undefined;
  /** Number of images in that message. */
  images: number;
}

function unanswered(prompt: LanguageModelV4Prompt): Unanswered {
  const lastReply = prompt.findLastIndex(({ role }) => role === "assistant");
  const results: LanguageModelV4ToolResultPart[] = [];
  let question: string | undefined;
  let images = 0;
  for (const message of prompt.slice(lastReply + 1)) {
    if (message.role === "tool") {
      for (const part of message.content) if (part.type === "tool-result") results.push(part);
    } else if (message.role === "user" && !isToolImageMessage(message)) {
      question = userText(message);
      images = message.content.filter(({ type }) => type === "file").length;
    }
  }
  return { results, question, images };
}

/** Context before a message, which no rule reads: commands that the user ran, remembered notes, resources. */
const CONTEXT =
  /^(?:(?:<user_commands [\s\S]*?<\/user_commands>|SECURITY NOTICE: [\s\S]*?\n--- END EXTERNAL CONTENT ---(?=\n))\s*)+(?=\S)/;

function userText(message: Extract<LanguageModelV4Message, { role: "user" }>): string {
  const texts = message.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return texts.join("\n").replace(CONTEXT, "");
}

function answerTo(question: string, offered: OfferedTools): ScriptStep {
  const intent = demoIntent(question);
  if (intent === undefined) return { text: echo(question) };
  switch (intent.kind) {
    case "help":
      return { text: helpText(offered) };
    case "bad-call":
      return {
        text:
          `I did not call ${intent.toolName}, because its arguments are not valid: ${intent.problem}. ` +
          `Write the request like this: use ${intent.toolName} {"name": "value"}`,
      };
    case "advice":
      return { text: intent.text };
    case "call":
      return callTool(intent, offered);
  }
}

function callTool(
  { toolName, params }: Extract<DemoIntent, { kind: "call" }>,
  offered: OfferedTools,
): ScriptStep {
  const name = nameAmong(offered.names, toolName);
  if (name !== undefined) return { toolCalls: [{ toolName: name, params }] };
  const listed = nameAmong(offered.listed, toolName);
  if (listed !== undefined) {
    return { toolCalls: [{ toolName: TOOL_SEARCH, params: { query: listed } }] };
  }
  const all = [...offered.names, ...offered.listed];
  const others = all.length === 0 ? "No tools are available." : `Available: ${all.join(", ")}.`;
  return { text: `The tool ${toolName} is not available in this session. ${others}` };
}

function helpText({ names, listed }: OfferedTools): string {
  const all = [...names, ...listed];
  const topics = EXAMPLES.flatMap(([topic, examples]) => {
    const possible = examples.filter(([toolName]) => all.includes(toolName));
    const lines = possible.map(([, example]) => `- ${example}`);
    return lines.length === 0 ? [] : [[topic, ...lines].join("\n")];
  });
  const some = all.length <= MOST_NAMES ? `, with one of ${all.join(", ")}` : "";
  const exact = all.length === 0 ? [] : [`Any tool by its name: use <tool> <json>${some}`];
  return [
    `${IDENTITY} I understand these requests, and similar ones, by fixed rules.`,
    ...topics,
    ...exact,
    CONNECT,
  ].join("\n\n");
}

function echo(question: string): string {
  const said = clip(question.replace(/\s+/g, " ").trim(), LONGEST_ECHO);
  const repeated = said === "" ? "Your message has no text." : `You said: "${said}"`;
  return `${IDENTITY} ${repeated}\n\nWrite "help" to see what I can do. ${CONNECT}`;
}

function reportResult(result: LanguageModelV4ToolResultPart): string {
  const { toolName, output } = result;
  const text = "value" in output && typeof output.value === "string" ? output.value : undefined;
  const plain = text === undefined ? undefined : plainResult(toolName, text);
  if (plain !== undefined) return clip(plain, LONGEST_RESULT);
  switch (output.type) {
    case "text":
      return `${toolName} answered:\n\n${clip(output.value, LONGEST_RESULT)}`;
    case "json":
      return `${toolName} answered:\n\n${clip(JSON.stringify(output.value, null, 2), LONGEST_RESULT)}`;
    case "content": {
      const texts = output.value.map((item) =>
        item.type === "text" ? item.text : `[${item.type}]`,
      );
      return `${toolName} answered:\n\n${clip(texts.join("\n"), LONGEST_RESULT)}`;
    }
    case "execution-denied":
      return failed(toolName, output.reason ?? "it was denied, without a reason");
    case "error-text":
      return failed(toolName, output.value);
    case "error-json":
      return failed(toolName, JSON.stringify(output.value));
  }
}

function failed(toolName: string, reason: string): string {
  return `The call of ${toolName} did not succeed. The reason is: "${clip(reason, LONGEST_RESULT)}"`;
}

function clip(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${startOfText(text, longest)}… (${text.length - longest} more characters)`;
}
