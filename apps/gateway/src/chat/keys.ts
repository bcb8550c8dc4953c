/** Keys and inputs of a chat on a screen, and what they do. */
const CHAT_KEYS: readonly (readonly [key: string, effect: string])[] = [
  ["Enter", "send"],
  ["Shift-Enter, Ctrl-J", "start a line"],
  ["↑, Ctrl-R", "earlier inputs; search them"],
  ["Tab", "complete commands, @paths and tools; turn to an approval request"],
  ["Ctrl-G", "edit the input in $VISUAL or $EDITOR"],
  ["Ctrl-O", "expand tool calls, long messages and requests"],
  ["Ctrl-C", "clear the input; interrupt the turn; leave"],
  ["!command", "run a command yourself; the model sees it with your next message"],
  ["/init", "let the agent propose an AGENTS.md for this folder"],
  ["/quit", "leave"],
];

/** The same in lines, which follow the list of commands of the gateway. */
export const KEYS_HELP: readonly string[] = [
  "In this chat: keys and inputs",
  ...CHAT_KEYS.map(([key, effect]) => `${key.padEnd(20)}${effect}`),
];
