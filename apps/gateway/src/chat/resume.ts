import { startOfText } from "@openclaw/foundation";
import type { WorkspaceConversation } from "@openclaw/gateway";
import { visible } from "@openclaw/messaging";
import { installation } from "../installation.js";
import { withSessions } from "../sessions/stored.js";
import type { CommandContext } from "../shell/context.js";
import { printRows } from "../shell/table.js";
import type { Terminal } from "../shell/terminal.js";
import { conversationId } from "./conversation.js";

/** Conversations that the list shows. */
const SHOWN = 20;
/** Characters of the first message that the list shows. */
const TITLE = 60;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Lists the conversations of a workspace with their age, number of turns and first words; at an interactive terminal it
 * asks for the one to continue.
 * @param conversations - conversations, last used first
 * @param workspaceDir - real path of the workspace
 * @param context - terminal and environment
 * @returns key of the session to continue; undefined when none was picked
 */
export async function resumeFromList(
  conversations: readonly WorkspaceConversation[],
  workspaceDir: string,
  context: CommandContext,
): Promise<string | undefined> {
  const { terminal } = context;
  if (conversations.length === 0) {
    terminal.print(`No conversations in ${workspaceDir}.`);
    return undefined;
  }
  const shown = conversations.slice(0, SHOWN);
  const rows = await withSessions(context, async (stored) => {
    const list: string[][] = [];
    for (const [index, { sessionKey, usedAt }] of shown.entries()) {
      const { beginning, turns = 0 } = (await stored.outline(sessionKey)) ?? {};
      const id = conversationId(sessionKey);
      list.push([
        String(index + 1),
        id,
        ageOf(usedAt, Date.now()),
        String(turns),
        titleOf(beginning),
      ]);
    }
    return list;
  });
  printRows(rows, terminal, { titles: ["", "conversation", "last used", "turns", "begins with"] });
  const more = conversations.length - shown.length;
  if (more > 0) terminal.print(`${more} older ones are not shown.`);
  if (terminal.isInteractive) return await pick(shown, terminal);
  terminal.print(`Continue one with \`${installation.command} chat --resume <conversation>\`.`);
  return undefined;
}

async function pick(
  shown: readonly WorkspaceConversation[],
  terminal: Terminal,
): Promise<string | undefined> {
  const input = terminal.openInput();
  const closed = new Promise<undefined>((resolve) => {
    input.once("close", () => resolve(undefined));
  });
  input.on("SIGINT", () => input.close());
  try {
    for (;;) {
      const prompt = "Continue which one? A number, or Enter to leave: ";
      const answer = (await Promise.race([input.question(prompt), closed]))?.trim() ?? "";
      if (answer === "") return undefined;
      const found =
        shown[Number(answer) - 1] ??
        shown.find(({ sessionKey }) => conversationId(sessionKey) === answer);
      if (found !== undefined) return found.sessionKey;
      terminal.print(`  Answer with a number from 1 to ${shown.length}.`);
    }
  } finally {
    input.close();
  }
}

/** Returns a time as an age, as exactly as a list needs it. */
function ageOf(time: number, now: number): string {
  const age = Math.max(0, now - time);
  if (age < MINUTE_MS) return "just now";
  const [amount, unit] =
    age < HOUR_MS
      ? [age / MINUTE_MS, "minute"]
      : age < DAY_MS
        ? [age / HOUR_MS, "hour"]
        : [age / DAY_MS, "day"];
  const whole = Math.floor(amount);
  return `${whole} ${unit}${whole === 1 ? "" : "s"} ago`;
}

function titleOf(beginning: string | undefined): string {
  if (beginning === undefined) return "(no messages)";
  const words = visible(
    beginning
      .slice(0, 4 * TITLE)
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
  return words.length > TITLE ? `${startOfText(words, TITLE - 1)}…` : words;
}
