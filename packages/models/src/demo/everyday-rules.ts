import { call, type DemoIntent, FILE, PATH, pathOf, type Rule, request, unquoted } from "./rule.js";

const SIMPLE_PATH = /^[\w./-]+$/;
/** Beginnings of commands that people type as they are. */
const COMMANDS =
  "ls -|git (?:add|branch|checkout|clone|commit|diff|fetch|init|log|pull|push|remote|show|stash|status|tag)\\b|" +
  "p?npm (?:ci|i|init|install|ls|run|start|t|test)\\b|npx \\S|node (?:-|\\S+\\.[cm]?[jt]s\\b)|" +
  "(?:pwd|whoami|uname -a|df -h|ps aux)$|echo \\S";
/** First programs in languages that people ask for. */
const HELLO: Readonly<Record<string, readonly [path: string, content: string]>> = {
  python: ["hello.py", 'print("Hello from OpenClaw")\n'],
  javascript: ["hello.mjs", 'console.log("Hello from OpenClaw");\n'],
  node: ["hello.mjs", 'console.log("Hello from OpenClaw");\n'],
  typescript: ["hello.ts", 'console.log("Hello from OpenClaw");\n'],
  bash: ["hello.sh", "#!/bin/sh\necho Hello from OpenClaw\n"],
  shell: ["hello.sh", "#!/bin/sh\necho Hello from OpenClaw\n"],
  html: ["hello.html", "<!doctype html>\n<title>Hello</title>\n<p>Hello from OpenClaw</p>\n"],
};
const LANGUAGE = Object.keys(HELLO).join("|");
const PLACE =
  "(?:in|of|for|inside) (?:this|the|my) (?:project|folder|directory|repo|repository|workspace|package)|here";

/** Further plain requests that new users type first. Rules of `phrases.ts` follow them. */
export const EVERYDAY_RULES: readonly Rule[] = [
  {
    pattern: request(
      "what (?:can|could|should) i (?:do|try|ask|say|type)(?: (?:here|now|first|with (?:this|you)))?|" +
        "(?:what|which) (?:are|is) your (?:capabilities|features|skills|abilities|commands)|" +
        "how (?:does|do) (?:this|it|openclaw|you) work|(?:help me )?(?:to )?get(?:ting)? started|" +
        "how (?:can|do) i (?:start|begin|get started|use openclaw)|are you (?:an? )?(?:ai|bot|human|real|llm|language model)|" +
        "(?:what|which) (?:ai |language )?model (?:are you|is this|do you use|are you using)|" +
        "how (?:can|do) i (?:connect|use|add|set up|configure)(?: a| an| another| the)?(?: real| other)? (?:model|api key|key|openai|anthropic|claude|gpt|gemini|ollama)",
    ),
    intent: () => ({ kind: "help" }),
  },
  {
    pattern: request(
      `(?:write|create|make)(?: me)?(?: a| an| the| some)?(?: simple| small| short)? hello[ -]?world(?: (?:program|script|file|app|page|example))?(?: (?:in|with|using|for) (?<language>${LANGUAGE}))?`,
    ),
    intent: ({ language = "bash" }) => hello(language),
  },
  {
    pattern: request(
      `(?:write|create|make)(?: me)?(?: a| an| the| some)?(?: simple| small| short)? (?<language>${LANGUAGE}) (?:program|script|file|app|page)(?: (?:that|which|to|for) (?:says?|prints?|shows?|say|print) [^]+)?`,
    ),
    intent: ({ language = "bash" }) => hello(language),
  },
  {
    pattern: request(
      "(?:write|create|make|save|add)(?: me)?(?: a| an| the)?(?: new| text| small| short)* (?:file|note|document) (?:with|containing|that (?:says|contains)|saying)(?: the)?(?: (?:content|contents|text|words|line))?:? (?<content>[^]+)",
    ),
    intent: ({ content = "" }) => newNote(content),
  },
  {
    pattern: request(
      "(?:save|write|put)(?: me)? (?:a|the|this|some|my) (?:note|text)s?(?: (?:in|into|to) (?:a|the) (?:new )?file)?",
    ),
    intent: () => newNote("some text"),
  },
  {
    pattern: request(
      `(?:append|add) (?:the (?:line|text|word)s? )?(?<content>[^]+?) to(?: the)?(?: file)? ${FILE}`,
    ),
    intent: (groups) => append(groups.content ?? "", pathOf(groups)),
  },
  {
    pattern: request(`(?:delete|remove|erase)(?: the)?(?: file)? ${FILE}`),
    intent: (groups) => onPaths("rm", [pathOf(groups)]),
  },
  {
    pattern: request(
      `(?:create|make|add)(?: me)?(?: a| an| the)?(?: new| empty)* (?:folder|directory|dir)(?: (?:called|named))? ${PATH}`,
    ),
    intent: (groups) => onPaths("mkdir", [pathOf(groups)]),
  },
  {
    pattern: request(
      `(?<verb>rename|move|copy)(?: the)?(?: file)? ${FILE} (?:to|as|into) [\`"']?(?<target>[^\\s\`"']+)[\`"']?`,
    ),
    intent: ({ verb = "", target = "", ...groups }) =>
      onPaths(verb.toLowerCase() === "copy" ? "cp" : "mv", [pathOf(groups), target]),
  },
  {
    pattern: request(
      `(?:find|search(?: for)?|look for|is there|where is)(?: a| all| any| the| my)?(?: files?)? (?:(?:called|named) )?${FILE}(?: ${PLACE})?`,
    ),
    intent: () => call("list", { path: ".", recursive: true }),
  },
  {
    pattern: request(
      `(?:summari[sz]e|explain|describe|review|check)(?: (?:me|to me))?(?: the)?(?: file)? ${FILE}(?: (?:for|to) me)?`,
    ),
    intent: (groups) => call("read", { path: pathOf(groups) }),
  },
  {
    pattern: request(
      "(?:summari[sz]e|explain|describe)(?: to me)? (?:this|the|my) (?:project|code|repo|repository|folder|codebase)|what(?:'s| is) (?:this|the) (?:project|code|repo|repository)(?: about)?|what does this project do",
    ),
    intent: () => call("read", { path: "README.md" }),
  },
  {
    pattern: request(
      "(?<fact>my (?:name|birthday|email|favou?rite [a-z ]+?|cat|dog|job|city) is [^]+|call me [^]+)",
    ),
    verbatim: true,
    intent: ({ fact = "" }) => call("memory_write", { content: fact.trim(), target: "memory" }),
  },
  {
    pattern: request("(?:what|who|where|when)(?:'s| is| are| was) my (?<wanted>[^]+)|who am i"),
    intent: ({ wanted }) =>
      call("memory_search", { query: wanted === undefined ? "my name" : `my ${wanted}` }),
  },
  {
    pattern: request(
      `(?:run|execute|start|try)(?: all)?(?: (?:the|my|our|its))?(?: (?:unit|project))? tests?(?: suite)? (?:${PLACE})|(?:run|execute) (?:the )?npm tests?|are (?:the|my|all) tests (?:passing|green|ok)|(?:do|will) (?:my|the|all) tests (?:pass|work|run)|npm t`,
    ),
    intent: () => call("exec", { command: "npm test" }),
  },
  {
    pattern: request(`(?<command>(?:${COMMANDS})[^]*)`),
    verbatim: true,
    intent: ({ command = "" }) => call("exec", { command: command.trim() }),
  },
  {
    pattern: request(
      "(?:what(?:'s| is) the (?:current )?(?:time|date)|(?:tell|show|give) me the (?:current )?(?:time|date)|(?:the )?(?:current )?(?:time|date)|what time is it)(?: now)? in (?<place>[A-Za-z][A-Za-z ._-]*?)(?: now)?",
    ),
    intent: ({ place = "" }) => timeIn(place),
  },
  {
    pattern: request(
      "(?:fetch|get|open|download|visit|read|show(?: me)?|load|go to|browse(?: to)?|look at|check|summari[sz]e|what(?:'s| is) (?:on|at))(?: the)?(?: (?:web ?)?(?:page|site|url))?(?: (?:of|at))? <?(?:(?<url>https?://[^\\s<>]+)|(?<host>(?:www\\.[a-z0-9-]+|[a-z0-9-]+)\\.(?:com|org|net|io|dev|ai)(?:/[^\\s<>]*)?))>?",
    ),
    intent: ({ url, host = "" }) => call("web_fetch", { url: url ?? `https://${host}` }),
  },
];

function hello(language: string): DemoIntent {
  const [path, content] = HELLO[language.toLowerCase()] ?? ["hello.txt", "Hello from OpenClaw\n"];
  return call("write", { path, content });
}

function newNote(text: string): DemoIntent {
  const content = unquoted(text);
  const isVague = /^(?:some|any|a bit of) (?:text|content|words)$/i.test(content);
  return call("write", { path: "hello.txt", content: isVague ? "Hello from OpenClaw\n" : content });
}

function append(text: string, path: string): DemoIntent {
  if (!SIMPLE_PATH.test(path)) return unusualPath(path);
  const content = unquoted(text);
  const line = /^(?:a|another|some|one) (?:line|text|word)s?$/i.test(content)
    ? "Hello again"
    : content;
  return call("exec", { command: `echo '${line.replaceAll("'", "'\\''")}' >> ${path}` });
}

function onPaths(program: string, paths: readonly string[]): DemoIntent {
  const unusual = paths.find((path) => !SIMPLE_PATH.test(path) || path.startsWith("-"));
  if (unusual !== undefined) return unusualPath(unusual);
  return call("exec", { command: [program, ...paths].join(" ") });
}

function unusualPath(path: string): DemoIntent {
  return {
    kind: "advice",
    text: `I am a demo model and do not quote ${JSON.stringify(path)} for a shell. Write the command yourself: "run \`…\`".`,
  };
}

/** Returns the time in the zone whose name ends with a place. */
function timeIn(place: string): DemoIntent {
  const name = place.trim().replace(/[ .]+/g, "_").toLowerCase();
  const zone = Intl.supportedValuesOf("timeZone").find((each) => {
    const lower = each.toLowerCase();
    return lower === name || lower.endsWith(`/${name}`);
  });
  if (zone !== undefined) return call("time", { operation: "now", timezone: zone });
  return {
    kind: "advice",
    text: `I know the time zones of the IANA database only, and ${place} is not one of them. Name a large city of the zone, for example "what time is it in Berlin".`,
  };
}
