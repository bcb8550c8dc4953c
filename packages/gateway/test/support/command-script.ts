import { createScriptedModel } from "@openclaw/models";
import type { PluginDefinition } from "@openclaw/plugin-sdk";
import { scriptedProvider } from "./scripted-provider.js";

/** Plugin with a command, and with a model that answers every message with `ok`. */
export const commandPlugin: PluginDefinition = {
  id: "deployer",
  register(api) {
    api.registerProvider(scriptedProvider(createScriptedModel(() => ({ text: "ok" }))));
    api.registerCommand({
      name: "deploy",
      description: "Deploy the site.",
      acceptsArgs: true,
      handler: ({ args }) => ({ text: `deployed ${args}` }),
    });
  },
};

/** Sends a text on a surface, and resolves with the text of the reply. */
export type Say = (text: string) => Promise<string>;

/**
 * Runs every command in a new session on one surface, and returns those whose reply is not the expected one.
 * @param say - sends a text on the surface
 */
export async function wrongReplies(say: Say): Promise<readonly string[]> {
  const wrong: string[] = [];
  const ids: { conversation?: string | undefined; checkpoint?: string | undefined } = {};
  const expectReply = async (text: string, expected: RegExp) => {
    const reply = await say(text);
    if (!expected.test(reply)) wrong.push(`${text}: ${reply}`);
    return reply;
  };
  for (const [text, expected] of FIRST) await expectReply(text, expected);
  const list = await expectReply("/resume", /Checkpoints; .*before "one"/s);
  ids.checkpoint = /([0-9a-f-]{36}) .*before "two"/.exec(list)?.[1];
  ids.conversation = /([0-9a-f-]{36}) .*\(current\)/.exec(list)?.[1];
  await expectReply("/threads", /\(current\)/);
  await expectReply("/thread", /\(current\)/);
  await expectReply(`/resume ${ids.checkpoint}`, /^Returned to the checkpoint before: "two"$/);
  await expectReply("/new", /^Started a new conversation\.$/);
  await expectReply(
    `/thread ${ids.conversation}`,
    /^Continued the conversation "one", which was completed\. \/thread new starts another one\.$/,
  );
  await expectReply("/thread new", /^Started a new conversation\.$/);
  await expectReply(
    `/resume ${ids.conversation}`,
    /^Continued the conversation "one", which was completed\. \/thread new starts another one\.$/,
  );
  await expectReply(`/thread ${crypto.randomUUID()}`, /no such conversation/);
  for (const [text, expected] of LAST) await expectReply(text, expected);
  return wrong;
}

const FIRST: readonly (readonly [string, RegExp])[] = [
  ["one", /^ok$/],
  ["two", /^ok$/],
  ["/help", /\/undo: .*\/deploy \[arguments\]: Deploy the site\. \(plugin deployer\)/s],
  ["/?", /^Commands:/],
  ["/help undo", /^\/undo: /],
  ["/version", /^OpenClaw 1\.0\.0, plugin API /],
  ["/ping", /^pong$/],
  ["/tools", /^Allowed in this session:/],
  ["/model", /^Model of this session: scripted\/script/],
  ["/models", /^Model of this session: /],
  ["/model scripted/script", /from now on/],
  ["/model scripted/script2 x", /takes one name/],
  [
    "/status",
    /^Session: .*\nModel: scripted\/script\nWorkspace: .*\nInstructions: none\nSandbox: .*\nConversation: [0-9a-f-]{36}, Idle\nContext: 4 messages, about \d+ of 100000 tokens \(0 %\)\nTokens used: \d+; .*\nApprovals: none pending$/,
  ],
  ["/approvals", /^No pending approvals here\.\nNothing is allowed /],
  [
    "/cost",
    /^Tokens of this conversation, by model:\n {2}scripted\/script: 2 calls, .*\nCost: \$0\.00$/,
  ],
  ["/debug", /are shown/],
  ["/debug", /are hidden/],
  ["/undo", /^Undone: "two"/],
  ["/redo", /^Brought back: "two"$/],
  ["/summarize", /^ok$/],
  ["/summary", /^ok$/],
  ["/suggest", /^ok$/],
  ["/compact", /^Nothing was compacted/],
];

const LAST: readonly (readonly [string, RegExp])[] = [
  ["/interrupt", /^No turn is running\.$/],
  ["/stop", /^No turn is running\.$/],
  ["/approve", /^No pending approvals here\.$/],
  ["/always", /^No pending approvals here\.$/],
  ["/deny", /^No pending approvals here\.$/],
  ["/approve NOSUCH always", /NOSUCH/],
  ["yes", /^ok$/],
  ["/elevated 60", /^Elevated mode is on for 60 s/],
  ["/elevated off", /^Elevated mode is off\.$/],
  ["/sessions", /^Sessions, the last used first:/],
  ["/heartbeat", /^Heartbeat: no model was called, because there is no HEARTBEAT\.md/],
  ["/jobs", /^There are no jobs\. /],
  ["/job", /^Nothing was started: /],
  ["/job build it", /^Job [0-9a-f]{8} is started\. /],
  ["/create it", /^Job [0-9a-f]{8} is started\. /],
  ["/list", /build it: /],
  ["/jobs failed", /^There are no jobs\. /],
  ["/status J1", /^job "J1" not found; /],
  ["/cancel x", /^job "x" not found; /],
  ["/cancel", /needs the ID of a job/],
  ["/deploy to north", /^deployed to north$/],
  ["/undp", /Did you mean "\/undo"/],
  ["/usr/bin is a path", /^ok$/],
  ["/clear", /^The conversation is empty now\.$/],
  ["/reset", /^Started a new conversation\.$/],
];
