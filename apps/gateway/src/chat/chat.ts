import { fstatSync } from "node:fs";
import { text as readAll } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import type {
  ConversationEvent,
  ConversationPartner,
  ExchangeResult,
} from "@openclaw/client/conversation";
import { defined } from "@openclaw/foundation";
import { visible } from "@openclaw/messaging";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import type { Terminal } from "../shell/terminal.js";
import { wrapAtWords } from "../shell/word-wrap.js";
import { terminalApprovals } from "./approval-prompt.js";
import { DEMO_LABEL, isDemoModel } from "./demo-label.js";
import { initRequestOf } from "./input/init-request.js";
import { attachedText, InputImages } from "./input/input-images.js";
import { commandOf, PersonCommands } from "./input/person-commands.js";
import { type ChatScreen, chatScreen } from "./screen.js";
import { terminalAside } from "./terminal-aside.js";
import type { CommandView } from "./view.js";

/** Options of {@link sendOnce}. */
export interface SendOnceOptions {
  readonly workspaceDir: string;
  /** Interrupts the exchange. */
  readonly signal: AbortSignal;
  /** Prints one document instead of text. */
  readonly json: boolean;
  /** Text whose `@paths` of images are attached: what the user wrote, not what a program piped. */
  readonly attach?: string | undefined;
}

/**
 * Sends one message and prints the reply.
 * @param text - message text
 * @param partner - chat partner that replies
 * @param terminal - output of the reply; an interactive one also prompts for approvals
 * @param options - folder of the chat, signal and form of the output
 */
export async function sendOnce(
  text: string,
  partner: ConversationPartner,
  terminal: Terminal,
  { workspaceDir, signal, json, attach = "" }: SendOnceOptions,
): Promise<ExitCode> {
  const input = terminal.isInteractive ? terminal.openInput() : undefined;
  try {
    const screen = chatScreen(terminal);
    const questions =
      input === undefined
        ? undefined
        : terminalApprovals({ terminal, input, partner, workspaceDir, isFree: () => true });
    let model: string | undefined;
    const onEvent = (event: ConversationEvent) => {
      if (event.type === "started") {
        model = event.model;
        if (!json && isDemoModel(model)) terminal.note(DEMO_LABEL);
      }
      if (!json) screen.show(event);
    };
    const images = attachedImages(attach, terminal, workspaceDir);
    const result = await partner.send(text, {
      ...{ signal, images },
      onEvent,
      ...(questions === undefined ? {} : { onApproval: questions.show }),
    });
    if (json) {
      terminal.print(
        JSON.stringify({ ...result, ...defined({ model }), session: partner.sessionKey }),
      );
      return exitCodeOf(result, signal);
    }
    screen.finish(result.ok ? result.text : "");
    if (!result.ok) terminal.note(`openclaw: ${result.problem}`);
    else if (result.unapprovedTools !== undefined) {
      terminal.note(`openclaw: ${unapprovedNote(result.unapprovedTools)}`);
    }
    return exitCodeOf(result, signal);
  } finally {
    input?.close();
  }
}

function unapprovedNote(tools: readonly string[]): string {
  const calls = `${tools.length === 1 ? "a call" : "calls"} of ${tools.join(", ")}`;
  return `not done: ${calls} needed an approval, and no approver decided; approve in an interactive terminal, or allow ${tools.length === 1 ? "the tool" : "the tools"} in advance (docs/use/unattended.md)`;
}

function exitCodeOf(result: ExchangeResult, signal: AbortSignal): ExitCode {
  if (result.ok) return result.unapprovedTools === undefined ? EXIT.ok : EXIT.notPermitted;
  if (signal.aborted) return EXIT.interrupted;
  return result.code === UNREACHABLE ? EXIT.unreachable : EXIT.error;
}

/** Options of {@link chatUntilQuit}. */
export interface PlainChatOptions {
  readonly workspaceDir: string;
  /** Variables of commands of the user. */
  readonly environment: NodeJS.ProcessEnv;
  /** Effect of leaving on the gateway, for example `the gateway stops too`. */
  readonly afterLeaving: string;
  readonly signal: AbortSignal;
}

const UNREACHABLE = "GATEWAY_UNREACHABLE";

/**
 * Chats at the terminal until `/quit`, the end of input, or the signal. Ctrl-C interrupts a running reply; at
 * the prompt it clears the input, then asks, then ends the chat.
 * @param partner - chat partner that replies
 * @param terminal - interactive terminal
 * @param options - folder of the chat, effect of leaving on the gateway, and the signal that ends the chat
 */
export async function chatUntilQuit(
  partner: ConversationPartner,
  terminal: Terminal,
  { workspaceDir, environment, afterLeaving, signal }: PlainChatOptions,
): Promise<void> {
  const { colors } = terminal;
  const input = terminal.openInput();
  let reply: AbortController | undefined;
  let screen: ChatScreen | undefined;
  const aside = terminalAside(terminal, input, () => reply === undefined);
  const questions = terminalApprovals({
    terminal,
    input,
    partner,
    workspaceDir,
    isFree: () => reply !== undefined,
  });
  const attending = partner.attend?.(questions.show);
  const onApproval = attending === undefined ? { onApproval: questions.show } : {};
  const note = (line: string) =>
    screen === undefined ? aside.note(line) : screen.note(colors.dim(line));
  const observing = partner.observe?.({
    turn: (text, ids) => aside.turn(text, ids),
    posted: (text, ids) => aside.posted(text, ids),
    credential: (request) => (request === undefined ? undefined : note(request)),
    note,
  });
  const commands = new PersonCommands({
    ...{ workspaceDir, environment, remoteUrl: partner.remoteUrl },
    show: (_command, place) => plainCommand(terminal, place),
  });
  let asksToLeave = false;
  input.on("SIGINT", () => {
    if (commands.interrupt()) return;
    if (reply !== undefined) return reply.abort();
    if (input.line !== "") {
      input.write(null, { ctrl: true, name: "e" });
      return input.write(null, { ctrl: true, name: "u" });
    }
    if (asksToLeave) return input.close();
    asksToLeave = true;
    aside.note(`press Ctrl-C again to leave; ${afterLeaving}`);
  });
  let isClosed = false;
  const closed = new Promise<undefined>((resolve) => {
    input.once("close", () => {
      isClosed = true;
      resolve(undefined);
    });
    signal.addEventListener("abort", () => input.close(), { once: true });
  });
  // Lines that arrive while no line is awaited: the rest of a paste, and what is typed during a reply.
  const typed: string[] = [];
  input.on("line", (line) => {
    asksToLeave = false;
    typed.push(line);
  });
  const greeting = "Write a message and press Enter; !command runs a command, /quit ends the chat.";
  terminal.print(colors.dim(wrapAtWords(greeting, terminal.size?.().columns)));
  for (;;) {
    const next = typed.shift();
    if (next !== undefined) terminal.print(`${colors.cyan("you › ")}${visible(next)}`);
    // A stop signal during a reply closes the input, which then has no next line.
    const line =
      next ??
      (isClosed ? undefined : await Promise.race([input.question(colors.cyan("you › ")), closed]));
    // Ctrl-C leaves the cursor in the input line.
    if (line === undefined) terminal.print("");
    if (line === undefined || line.trim() === "/quit" || line.trim() === "/exit") break;
    if (line.trim() === "") continue;
    const command = commandOf(line);
    if (command !== undefined) {
      await commands.run(command);
      continue;
    }
    const context = line.trim().startsWith("/") ? "" : commands.takeContext();
    reply = new AbortController();
    screen = chatScreen(terminal);
    const images = line.trim().startsWith("/")
      ? undefined
      : attachedImages(line, terminal, workspaceDir);
    const result = await partner.send(`${context}${initRequestOf(line) ?? line}`, {
      ...onApproval,
      images,
      signal: AbortSignal.any([signal, reply.signal]),
      onEvent: screen.show,
    });
    screen.finish(result.ok ? result.text : "");
    if (!result.ok) terminal.note(colors.red(result.problem));
    screen = undefined;
    reply = undefined;
  }
  commands.end();
  observing?.end();
  attending?.end();
  input.close();
}

/** Returns the images that a text names with `@path`, and says which they are. */
function attachedImages(
  text: string,
  { note, colors }: Terminal,
  workspaceDir: string,
): readonly { readonly data: string }[] | undefined {
  const { images, problems } = new InputImages(workspaceDir).of(text);
  for (const problem of problems) note(colors.dim(problem));
  if (images.length === 0) return undefined;
  note(colors.dim(attachedText(images)));
  return images.map(({ data }) => ({ data }));
}

/** Shows a command of the user in plain lines. */
function plainCommand({ colors, note, write }: Terminal, place: string | undefined): CommandView {
  if (place !== undefined) note(colors.dim(place));
  let isLineOpen = false;
  return {
    output(text) {
      const shown = stripVTControlCharacters(text);
      write(shown);
      isLineOpen = shown === "" ? isLineOpen : !shown.endsWith("\n");
    },
    finish({ text }) {
      if (isLineOpen) write("\n");
      note(colors.dim(text));
    },
  };
}

/**
 * Returns the text that was piped into the process through a file or pipe at standard input, if any.
 * @param expected - true when there is no other source of a message, so that any kind of input is awaited
 */
export async function pipedText(expected: boolean): Promise<string | undefined> {
  if (process.stdin.isTTY === true) return undefined;
  const source = fstatSync(0);
  // A parent process may leave a socket open forever; wait for it only when there is no other message.
  if (!expected && !source.isFIFO() && !source.isFile()) return undefined;
  const text = (await readAll(process.stdin)).trim();
  return text === "" ? undefined : text;
}
