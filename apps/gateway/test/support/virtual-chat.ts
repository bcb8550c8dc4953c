import { join } from "node:path";
import type { ConversationPartner } from "@openclaw/client/conversation";
import { type TemporaryFolder, temporaryFolder } from "@openclaw/foundation/testing";
import { type Gateway, startGateway } from "@openclaw/gateway";
import { onTestFinished } from "vitest";
import { hostedPartner } from "../../src/chat/hosted-partner.js";
import { InputHistory } from "../../src/chat/input/history.js";
import { InteractiveChat } from "../../src/chat/interactive-chat.js";
import { createTerminalView } from "../../src/chat/screen/terminal-view.js";
import { loadOperatorConfiguration } from "../../src/configuration.js";
import { type TerminalSize, VirtualTerminal } from "./virtual-terminal.js";

/** Session of the chats. */
const SESSION = "agent:main:main";

/** A gateway with the demo model in this process, for chats at virtual terminals. */
export interface ChatPlace {
  readonly folder: TemporaryFolder;
  readonly workspaceDir: string;
  readonly gateway: Gateway;
  /** Opens a chat. */
  open(options?: OpenOptions): Promise<VirtualTerminal>;
  /** Returns the messages of users in the conversation, oldest first. */
  sentTexts(): Promise<readonly string[]>;
}

interface OpenOptions {
  readonly size?: TerminalSize;
  readonly environment?: NodeJS.ProcessEnv;
  readonly partner?: (hosted: ConversationPartner) => ConversationPartner;
  readonly editText?: (text: string) => Promise<string>;
}

/** Starts a gateway in an empty folder; it ends with the test. */
export async function startChatPlace(): Promise<ChatPlace> {
  const folder = temporaryFolder();
  folder.write({ "workspace/notes.txt": "one\n" });
  const stateDir = join(folder.path, "state");
  const workspaceDir = join(folder.path, "workspace");
  const environment = { OPENCLAW_STATE_DIR: stateDir };
  const gateway = await startGateway({
    version: "1.0.0",
    stateDir,
    configuration: await loadOperatorConfiguration(environment),
    configurationFile: join(folder.path, "openclaw.json"),
    workspaceDir,
    bundledExtensions: [],
    environment,
    port: 0,
  });
  onTestFinished(async () => {
    await gateway.stop("command");
    folder[Symbol.dispose]();
  });
  return {
    folder,
    workspaceDir,
    gateway,
    async open(options = {}) {
      const terminal = new VirtualTerminal(options.size);
      const hosted = hostedPartner(gateway, SESSION);
      const leave = new AbortController();
      const chat = new InteractiveChat({
        partner: options.partner?.(hosted) ?? hosted,
        view: createTerminalView({
          terminal,
          editText: options.editText ?? (async (text) => text),
        }),
        history: new InputHistory(join(stateDir, "chat-history.jsonl")),
        environment: { PATH: process.env.PATH, ...options.environment },
        ...{ workspaceDir, greeting: [], afterLeaving: "the gateway stops too" },
      });
      const ended = chat.run(leave.signal);
      onTestFinished(async () => {
        leave.abort();
        await ended;
      });
      await terminal.shows(/ready · .*demo\/echo/);
      return terminal;
    },
    async sentTexts() {
      const { messages } = await (await gateway.methods()).call("chat.history", {
        sessionKey: SESSION,
        limit: 200,
      });
      return messages
        .filter(({ role }) => role === "user")
        .map(({ content }) =>
          content.map((part) => (part.type === "text" ? part.text : "")).join(""),
        );
    },
  };
}
