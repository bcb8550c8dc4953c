import { errorMessage } from "@openclaw/foundation";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import { BACKGROUND_RULES } from "./background-rules.js";
import { EVERYDAY_RULES } from "./everyday-rules.js";
import { REMINDER_RULES } from "./reminder.js";
import {
  call,
  type DemoIntent,
  FILE,
  type Groups,
  PATH,
  pathOf,
  type Rule,
  request,
  unquoted,
} from "./rule.js";

const HERE = "(?:in )?(?:here|(?:this|the current|the|my) (?:folder|directory|workspace|project))";
const FOLDER = `(?:${HERE}|(?:in|of|under|inside) (?:the (?:folder|directory) )?${PATH})`;
const CONTENT = "(?<content>[^]+)";
/** Text of a note; "remember this" has none. */
const MEMORY = "(?!(?:this|that|it|me|everything)[\\s.!?]*$)(?<content>[^]+)";
const FILES =
  "(?:(?:all |any )?(?:the |my |this |these |all )?(?:files?|code|sources?|workspace|project|folder)|here)";

const WHICH_FILE = 'Which file? Write its name, for example "read README.md".';
const FIRST_FILE = { path: "hello.txt", content: "Hello from OpenClaw\n" };

const RULES: readonly Rule[] = [
  ...BACKGROUND_RULES,
  ...EVERYDAY_RULES,
  {
    pattern: request(
      "help(?: me)?|\\?|(?:show|list)(?: me)? (?:your |the |all )*(?:tools|commands|help)|" +
        "what (?:can|do|could) you (?:do|know how to do)(?: for me)?|what are you(?: able to do)?|who are you|" +
        "how (?:can|could|do) (?:you help(?: me)?|i use (?:this|you))|" +
        "(?:what|which) (?:tools|commands) (?:do you (?:have|know)|are there|can you use)",
    ),
    intent: () => ({ kind: "help" }),
  },
  {
    pattern: request("use (?<tool>[A-Za-z0-9_-]{1,64})(?<json>\\s+\\S[^]*)?"),
    verbatim: true,
    intent: exactCall,
  },
  ...REMINDER_RULES,
  {
    pattern: request(
      "(?:what|which things) do you (?:still )?(?:remember|know)(?: about (?<topic>[^]+))?|" +
        "do you (?:still )?(?:remember|know)(?: about)? (?<known>[^]+)|" +
        "what did i (?:tell|ask) you(?: (?:to remember|about (?<told>[^]+)))?|" +
        "(?:show|list|read|search|open)(?: me)?(?: your| the| my)? memor(?:y|ies)(?: (?:for|about) (?<wanted>[^]+))?|" +
        "recall (?<recalled>[^]+)",
    ),
    intent: recallCall,
  },
  {
    pattern: request(
      "(?:remember|memorize|memorise|note|keep in mind|do(?: no|n')t forget|make a note|take a note|" +
        "(?:save|store|put|add|write)(?: (?:this|it|down))?(?: in| into| to)?(?: your| the)? memory)" +
        `(?:\\s*[:,]\\s*|\\s+(?:that|this|of)(?:\\s*[:,])?\\s+|\\s+)${MEMORY}`,
    ),
    verbatim: true,
    intent: ({ content = "" }) =>
      call("memory_write", { content: content.trim(), target: "memory" }),
  },
  {
    pattern: request(
      `(?:list|show|ls)(?: me)?(?: all)?(?: (?:the|my|of the))? (?:files|folders|documents|directory|folder|everything)(?: contents?)?(?: ${FOLDER})?`,
    ),
    intent: listCall,
  },
  {
    pattern: request(
      `(?:what|which) (?:files?|folders?|documents?)(?: are| is| do (?:you see|i have|we have)| exist)?(?: there)?(?: ${FOLDER})?`,
    ),
    intent: listCall,
  },
  { pattern: request(`(?:what(?:'s| is)|show(?: me)? what(?:'s| is)) ${HERE}`), intent: listCall },
  {
    pattern: request(
      `what(?:'s| is) (?:in|inside)(?: the)?(?: file)? ${FILE}|what does(?: the file)? ${FILE.replaceAll("<", "<said_")} (?:say|contain)`,
    ),
    intent: readCall,
  },
  { pattern: request(`what(?:'s| is) ${FOLDER}`), intent: listCall },
  { pattern: request(`(?:list|ls|dir)(?: (?:${FOLDER}|\\.))?`), intent: listCall },
  {
    pattern: request(
      "what time is it(?: now)?|(?:(?:tell|show|give) me |what(?:'s| is) )?(?:the |today's )?(?:current )?(?:time|date)(?: (?:is it|now|today))?|" +
        "what (?:day|date) is (?:it|today)(?: today)?|what(?:'s| is) today's date",
    ),
    intent: () => call("time", { operation: "now" }),
  },
  {
    pattern: request(
      "(?:run|execute|start)(?: all)?(?: (?:the|my|our|its|this project's))?(?: (?:unit|project))? (?:tests?(?: suite)?|test-suite)(?: (?:here|for me|now))?|" +
        "test (?:it|this|(?:this|the|my) (?:project|code|package))|(?:do|check (?:if|whether)) (?:all )?(?:the |my )?tests pass",
    ),
    intent: () => call("exec", { command: "npm test" }),
  },
  {
    pattern: request("(?:run|execute)\\s*:?\\s*`(?<command>[^`]+)`"),
    intent: ({ command = "" }) => call("exec", { command }),
  },
  {
    pattern: request(
      "(?:run|execute)(?:\\s*:|\\s+(?!(?:the|a|an|my|this|that|it|all)\\b))(?<command>[^]+)",
    ),
    verbatim: true,
    intent: ({ command = "" }) => call("exec", { command: command.trim() }),
  },
  {
    pattern: request(
      "(?:search|look|grep)(?: (?:in|through|inside|within))?" +
        `(?: ${FILES}(?: (?:here|in (?:this|the) \\w+))?)? (?:for|after) ${needle("named")}(?: (?:in|inside|within|under|through) (?:${FILES}|${PATH}))?|` +
        `grep(?: for)? ${needle("plain")}(?: (?:in|inside|under) (?:${FILES}|${PATH.replaceAll("<", "<in_")}))?|` +
        `(?:find|search|look for) ${needle("any")} (?:in|inside|within|under|through) (?:${FILES}|${PATH.replaceAll("<", "<at_")})|` +
        `(?:where is|find(?: out)? where|(?:find|show me|list)(?: all| the)? files (?:that )?(?:contain(?:ing)?|with|mention(?:ing)?)) ${needle("where")}(?: (?:is )?(?:used|defined|mentioned|written))?|` +
        `(?:which|what) files (?:contain|mention|have|use) ${needle("which")}`,
    ),
    intent: searchCall,
  },
  {
    pattern: request(
      `(?:write|create|save|make|add)(?: me)?(?: the| a| an)?(?: new)?(?: text)?(?: file)?(?: (?:called|named))? ${PATH}\\s*:\\s?(?<content>[^]*)`,
    ),
    verbatim: true,
    intent: (groups) => writeCall(groups, groups.content ?? ""),
  },
  {
    pattern: request(
      `(?:write|create|save|make|add)(?: me)?(?: the| a| an)?(?: new)?(?: text)?(?: file)?(?: (?:called|named))? ${FILE} (?:with|containing|that (?:says|contains)|and (?:write|put)|saying)(?: the)?(?: (?:content|contents|text|words|line))?:? ${CONTENT}`,
    ),
    intent: (groups) =>
      writeCall(groups, unquoted((groups.content ?? "").replace(/ (?:in|inside)(?: it)?$/i, ""))),
  },
  {
    pattern: request(
      `(?:write|save|put|store|add) (?<content>[^]+?) (?:to|into|in|as)(?: the| a)?(?: new)?(?: file)?(?: (?:called|named))? ${FILE}`,
    ),
    intent: (groups) => writeCall(groups, unquoted(groups.content ?? "")),
  },
  {
    pattern: request(
      `(?:write|create|make|add)(?: me)?(?: an| the| a)?(?: new)?(?: empty)?(?: text)?(?: file)?(?: (?:called|named))? ${FILE}`,
    ),
    intent: (groups) => writeCall(groups, FIRST_FILE.content),
  },
  {
    pattern: request(
      "(?:write|create|make|add|save)(?: me)?(?: a| an| the| some)?(?: new| small| short| simple| test| sample| demo| example| empty| text)* (?:file|document)(?: (?:for me|here|in (?:this|the) \\w+))?",
    ),
    intent: () => call("write", { ...FIRST_FILE }),
  },
  {
    pattern: request(
      "(?:fetch|get|open|download|visit|read)(?: the page)? <?(?<url>https?://[^\\s<>]+)>?",
    ),
    intent: ({ url = "" }) => call("web_fetch", { url }),
  },
  {
    pattern: request(
      "(?:read|show|open|print|display)(?: me)?(?: a| the| some| any| one)? (?:file|document)",
    ),
    intent: () => ({ kind: "advice", text: WHICH_FILE }),
  },
  {
    pattern: request(
      `(?:read|show|open|cat|print|display|view)(?: me)?(?: (?:the|what(?:'s| is) in))?(?: (?:file|contents? of))?(?: the)? ${PATH}`,
    ),
    intent: readCall,
  },
];

/**
 * Parses a plain request by fixed rules: reading, listing, searching and writing files, memory, the time, a command, the
 * tests of a project, a URL, `use <tool> <json>`, and help. A message that matches no rule is tried again with its last paragraph, because
 * hosts put context in front.
 * @param message - text of a user message
 * @returns the intent; undefined when no rule matches
 */
export function demoIntent(message: string): DemoIntent | undefined {
  const whole = message.trim();
  const lastParagraph = whole.split(/\n\s*\n/).at(-1) ?? whole;
  return firstMatch(whole) ?? firstMatch(lastParagraph);
}

function firstMatch(text: string): DemoIntent | undefined {
  const asked = text.replace(POLITE, "");
  const bare = asked.replace(/(?:,? please)?[\s.?!]*$/i, "") || asked;
  for (const { pattern, verbatim, intent } of RULES) {
    const match = pattern.exec(verbatim ? asked : bare);
    if (match) return intent(match.groups ?? {});
  }
  return undefined;
}

/** Words before a request that do not change it. */
const POLITE =
  /^(?:(?:(?:hi|hey|hello|ok|okay|so|now|then|great|thanks|openclaw)\b[,.!]*|please|kindly|just|(?:can|could|would|will) you(?: please| kindly)?|i(?: would|'d)? (?:want|like|need) (?:you )?to|tell me(?= (?:what|which|how many)\b)|let's|try to)\s+(?=\S))+/i;

/** Returns the pattern of a search term; its group has its own name because alternatives cannot share one. */
function needle(group: string): string {
  return `(?:(?:the )?(?:word|text|string|term) )?(?<needle_${group}>[^]+?)`;
}

function exactCall({ tool = "", json = "" }: Groups): DemoIntent {
  if (json.trim() === "") return call(tool, {});
  try {
    const params: unknown = JSON.parse(json);
    if (isJsonObject(params)) return call(tool, params);
    return { kind: "bad-call", toolName: tool, problem: "they are not a JSON object" };
  } catch (error) {
    const problem = errorMessage(error);
    return { kind: "bad-call", toolName: tool, problem };
  }
}

function listCall(groups: Groups): DemoIntent {
  return call("list", { path: pathOf(groups) || "." });
}

function readCall(groups: Groups): DemoIntent {
  return call("read", { path: pathOf(groups) });
}

function writeCall(groups: Groups, content: string): DemoIntent {
  return call("write", { path: pathOf(groups), content });
}

function recallCall({ topic, known, told, wanted, recalled }: Groups): DemoIntent {
  const query = (topic ?? known ?? told ?? wanted ?? recalled ?? "").replace(
    /^(?:that|what)\s+/i,
    "",
  );
  const isOpen = query === "" || /^(?:me|us|my(?:self)?|everything|anything|it|this)$/i.test(query);
  return isOpen ? call("memory_read", { path: "MEMORY.md" }) : call("memory_search", { query });
}

function searchCall(groups: Groups): DemoIntent {
  const needle = Object.entries(groups).find(
    ([name, value]) => name.startsWith("needle_") && value !== undefined,
  )?.[1];
  const folder = pathOf(groups);
  const pattern = unquoted(needle ?? "").replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
  return call("grep", folder === "" ? { pattern } : { pattern, path: folder });
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
