#!/usr/bin/env node
// Stands for Claude Code in tests: it speaks the same lines on its input and output, calls the model of
// ANTHROPIC_BASE_URL, asks before each call, and keeps its sessions in CLAUDE_CONFIG_DIR. The file `fake-claude.json`
// beside it can make it behave wrongly.
import { execSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const behaviour = existsSync(join(folder, "fake-claude.json"))
  ? JSON.parse(readFileSync(join(folder, "fake-claude.json"), "utf8"))
  : {};
const words = process.argv.slice(2);
if (words.includes("--version")) {
  process.stdout.write(`${behaviour.version ?? "2.9.0"} (Fake Claude)\n`);
  process.exit();
}
const {
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: key,
  CLAUDE_CONFIG_DIR: configDir,
} = process.env;
const optionOf = (name) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined);
const resumed = optionOf("--resume");
const session = resumed ?? randomUUID();
const file = join(configDir, `${session}.json`);
if (resumed !== undefined && !existsSync(file)) {
  process.stderr.write(`No conversation found with session ID: ${resumed}\n`);
  process.exit(1);
}
const messages = resumed === undefined ? [] : JSON.parse(readFileSync(file, "utf8"));
const write = (line) =>
  process.stdout.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
const waiting = new Map();
const ask = (request) =>
  new Promise((done) => {
    const request_id = randomUUID();
    waiting.set(request_id, done);
    write({ type: "control_request", request_id, request });
  });
const keep = () => {
  mkdirSync(configDir, { recursive: true });
  writeFileSync(file, JSON.stringify(messages));
};
let callback;
let turns = 0;

/** Asks before a call, as Claude Code does; returns why it is denied. */
async function denialOf({ id, name, input }) {
  if (behaviour.asks === false) return undefined;
  const { hookSpecificOutput: said = {} } = await ask({
    ...{ subtype: "hook_callback", callback_id: callback, tool_use_id: id },
    input: { hook_event_name: "PreToolUse", tool_name: name, tool_input: input, tool_use_id: id },
  });
  if (behaviour.respects === false) return undefined;
  if (said.permissionDecision === "deny") return said.permissionDecisionReason;
  if (said.permissionDecision === "allow") return undefined;
  const answer = await ask({ subtype: "can_use_tool", tool_name: name, input, tool_use_id: id });
  return answer.behavior === "allow" ? undefined : answer.message;
}

function run({ name, input }) {
  if (name === "Read") return readFileSync(resolve(input.file_path), "utf8");
  if (name === "Write") return writeFileSync(resolve(input.file_path), input.content) ?? "written";
  if (name === "Bash") return execSync(input.command, { encoding: "utf8" });
  return `${name} ran`;
}

async function callModel() {
  const response = await fetch(`${url}/v1/messages?beta=true`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": key,
      "anthropic-version": "2023-06-01",
    },
    body: JSON.stringify({
      model: optionOf("--model"),
      max_tokens: 1000,
      stream: true,
      messages,
      tools: [],
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`API Error: ${response.status} ${text}`);
  const blocks = [];
  for (const line of text.split("\n").filter((each) => each.startsWith("data: "))) {
    const event = JSON.parse(line.slice(6));
    if (event.type === "content_block_start") blocks.push({ ...event.content_block, json: "" });
    if (event.type !== "content_block_delta") continue;
    const block = blocks.at(-1);
    if (event.delta.type === "text_delta") block.text += event.delta.text;
    if (event.delta.type === "input_json_delta") block.json += event.delta.partial_json;
  }
  return blocks.map(({ json, ...block }) =>
    block.type === "tool_use" ? { ...block, input: JSON.parse(json || "{}") } : block,
  );
}

async function turn(text) {
  messages.push({ role: "user", content: text });
  write({ type: "system", subtype: "init", session_id: session, tools: ["Bash", "Read", "Write"] });
  if (behaviour.says !== undefined) write(behaviour.says);
  try {
    for (;;) {
      turns += 1;
      const content = await callModel();
      messages.push({ role: "assistant", content });
      keep();
      write({ type: "assistant", message: { role: "assistant", content }, session_id: session });
      const calls = content.filter(({ type }) => type === "tool_use");
      if (calls.length === 0) {
        const result = content.map((block) => block.text).join("\n");
        return write({
          type: "result",
          subtype: "success",
          is_error: false,
          result,
          num_turns: turns,
        });
      }
      if (turns >= Number(optionOf("--max-turns"))) {
        return write({
          type: "result",
          subtype: "error_max_turns",
          is_error: true,
          num_turns: turns,
        });
      }
      const results = [];
      for (const call of calls) {
        const reason = await denialOf(call);
        const result = { type: "tool_result", tool_use_id: call.id };
        results.push(
          reason === undefined
            ? { ...result, content: run(call), is_error: false }
            : { ...result, content: `denied: ${reason}`, is_error: true },
        );
      }
      messages.push({ role: "user", content: results });
      keep();
      write({ type: "user", message: { role: "user", content: results }, session_id: session });
    }
  } catch (error) {
    write({
      type: "result",
      subtype: "error_during_execution",
      is_error: true,
      errors: [error.message],
      num_turns: turns,
    });
  }
}

let last = Promise.resolve();
const input = createInterface({ input: process.stdin });
input.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "control_request") {
    callback = message.request.hooks.PreToolUse[0].hookCallbackIds[0];
    write({
      type: "control_response",
      response: { subtype: "success", request_id: message.request_id, response: {} },
    });
  } else if (message.type === "control_response") {
    const { request_id, response = {} } = message.response;
    waiting.get(request_id)?.(response);
  } else if (message.type === "user") {
    last = last.then(() => turn(message.message.content));
  }
});
input.on("close", () => last.then(() => process.exit()));
