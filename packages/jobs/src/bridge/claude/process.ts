import { type ChildProcess, spawn } from "node:child_process";
import { BridgeError } from "../errors.js";
import { type ClaudeLine, type ControlRequest, readLine } from "./lines.js";

/** Longest line of Claude Code, in characters. */
const LONGEST_LINE = 64 * 1024 * 1024;
/** Part of its error output that is kept, in characters. */
const KEPT_ERRORS = 4096;
/** Time until Claude Code answers its first request. */
const START_MS = 60_000;
/** Time that it has to end after its input ended. */
const END_MS = 30_000;

/** Tools that Claude Code does not get: its own schedules and background shells, and tools that need a person. */
const DISALLOWED = [
  ...["CronCreate", "CronDelete", "CronList", "ScheduleWakeup", "RemoteTrigger", "Monitor"],
  ...["BashOutput", "KillBash", "KillShell", "TaskOutput", "TaskStop", "Workflow"],
  ...["SendMessage", "ListAgents", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode"],
  ...["EnterWorktree", "ExitWorktree"],
];

/** Program of Claude Code, its folders and its model. */
export interface ClaudeCommand {
  /** Path of the program; a script of Node runs in this Node. */
  readonly program: string;
  readonly isScript: boolean;
  readonly workdir: string;
  readonly environment: NodeJS.ProcessEnv;
  /** URL of the Messages API, and its key. */
  readonly model: { readonly url: string; readonly key: string; readonly name: string };
  /** Folder of its sessions. */
  readonly configDir: string;
  readonly maxTurns: number;
  readonly system: string;
  readonly resume: string | undefined;
}

/** Receivers of the requests and lines of Claude Code. */
export interface ClaudeHandlers {
  /** Returns the answer to a request. */
  answer(request: ControlRequest): Promise<object>;
  /** Receives a line that is neither a request nor an answer. */
  line(line: ClaudeLine): void;
}

/** A process of Claude Code, and its side of the control protocol. */
export class ClaudeProcess {
  /** Resolves with the end of its error output when it has ended; never rejects. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  readonly #handlers: ClaudeHandlers;
  #buffer = "";
  #errors = "";
  #started: (problem: string | undefined) => void = () => {};

  /**
   * @param command - program and arguments
   * @param handlers - receivers of requests and lines
   */
  constructor(command: ClaudeCommand, handlers: ClaudeHandlers) {
    this.#handlers = handlers;
    const words = argumentsOf(command);
    const { isScript, program, workdir: cwd } = command;
    const started = isScript ? [process.execPath, program] : [program];
    const [file = program, ...before] = started;
    this.#child = spawn(file, [...before, ...words], {
      ...{ cwd, env: environmentOf(command), stdio: ["pipe", "pipe", "pipe"] },
    });
    this.#child.stdin?.on("error", () => undefined);
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#read(text));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-KEPT_ERRORS);
    });
    this.ended = new Promise((resolve) => {
      this.#child.once("error", (error) => resolve(error.message));
      this.#child.once("close", () => resolve(this.#errors.trim()));
    });
  }

  /**
   * Registers the callback that Claude Code asks before each call, those that it allows by itself too.
   * @throws BridgeError when it does not answer
   */
  async initialize(): Promise<void> {
    const hooks = { PreToolUse: [{ matcher: null, hookCallbackIds: ["pre-tool-use"] }] };
    const request = { subtype: "initialize", hooks };
    const answered = new Promise<string | undefined>((resolve) => {
      this.#started = resolve;
    });
    this.send({ type: "control_request", request_id: "initialize", request });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve(`it did not answer in ${START_MS / 1000} s`), START_MS);
    });
    const ended = this.ended.then((errors) => `it ended at its start${errors && `: ${errors}`}`);
    const problem = await Promise.race([answered, late, ended]);
    clearTimeout(timer);
    if (problem === undefined) return;
    this.stop();
    throw new BridgeError(
      `Claude Code could not be started with the callback for its calls: ${problem}; use a version that supports --input-format stream-json`,
    );
  }

  /**
   * Gives it a message of the user.
   * @param text - the message
   */
  say(text: string): void {
    const message = { role: "user", content: text };
    this.send({ type: "user", message, parent_tool_use_id: null, session_id: "" });
  }

  /**
   * Writes a line of its input.
   * @param value - content of the line
   */
  send(value: object): void {
    this.#child.stdin?.write(`${JSON.stringify(value)}\n`);
  }

  /** Ends its input, and resolves when it has ended. */
  async close(): Promise<void> {
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.stop(), END_MS);
    await this.ended;
    clearTimeout(timer);
  }

  /** Ends it at once. */
  stop(): void {
    this.#child.kill("SIGKILL");
  }

  #read(text: string): void {
    this.#buffer += text;
    if (this.#buffer.length > LONGEST_LINE) {
      this.#errors = "it wrote a line that is too long";
      this.stop();
      return;
    }
    const lines = this.#buffer.split("\n");
    this.#buffer = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") this.#handle(readLine(line));
  }

  #handle(line: ClaudeLine): void {
    if (line.kind === "response") {
      if (line.id === "initialize") this.#started(line.error);
      return;
    }
    if (line.kind !== "request") {
      this.#handlers.line(line);
      return;
    }
    const { request } = line;
    const { id: request_id } = request;
    void this.#handlers.answer(request).then(
      (response) => this.#respond({ subtype: "success", request_id, response }),
      // A request without an answer would let Claude Code wait for good; a failed one denies the call.
      (error: unknown) => this.#respond({ subtype: "error", request_id, error: String(error) }),
    );
  }

  #respond(response: object): void {
    this.send({ type: "control_response", response });
  }
}

function argumentsOf({ model, maxTurns, system, resume }: ClaudeCommand): readonly string[] {
  return [
    ...["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"],
    ...["--permission-prompt-tool", "stdio", "--max-turns", String(maxTurns)],
    ...["--model", model.name, "--append-system-prompt", system],
    // Settings of the workspace and servers that it names would run commands that nobody authorized.
    ...["--setting-sources=", "--strict-mcp-config", `--disallowedTools=${DISALLOWED.join(",")}`],
    ...(resume === undefined ? [] : ["--resume", resume]),
  ];
}

function environmentOf({ environment, model, configDir }: ClaudeCommand): NodeJS.ProcessEnv {
  return {
    ...environment,
    ...{ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: model.key },
    ...{ CLAUDE_CONFIG_DIR: configDir, CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" },
    ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" },
    // The model is behind a port of the sandbox, and not behind the proxy.
    ...{ NO_PROXY: "127.0.0.1,localhost", no_proxy: "127.0.0.1,localhost" },
  };
}
